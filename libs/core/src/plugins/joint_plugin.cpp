#include "holo/core/plugins/joint_plugin.h"

#include "plugins/plugin_read.h"

namespace holo {

namespace {

std::string constant_name(std::size_t i) { return "constant number " + std::to_string(i); }

}  // namespace

std::vector<double> JointPlugin::read_constants(Configuration& parameters) const {
  return read_values(*this, abi().constant_count, parameters, constant_name);
}

std::vector<double> JointPlugin::constants(const std::vector<std::pair<std::string, double>>& values) const {
  return values_at(*this, abi().constant_count, values, constant_name);
}

std::vector<ParameterDescription> JointPlugin::parameters() const {
  return ParameterRecording([this](Configuration& recorder) { read_constants(recorder); }).descriptions();
}

}  // namespace holo
