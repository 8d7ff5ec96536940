#include "holo/core/plugins/joint_plugin.h"

#include "holo/core/runs/run_folder.h"
#include "plugins/plugin_read.h"
#include "plugins/shared_library.h"

namespace holo {

namespace {

std::string constant_name(std::size_t i) { return "constant number " + std::to_string(i); }

}  // namespace

JointPlugin::JointPlugin(std::shared_ptr<SharedLibrary> library, const holo_joint* joint, std::filesystem::path path)
    : library_(std::move(library)), joint_(joint), path_(std::move(path)) {}

std::string JointPlugin::content_hash() const { return holo::content_hash(read_whole_file(path_)); }

std::vector<double> JointPlugin::read_constants(Parameters& parameters) const {
  std::vector<double> constants(joint_->constant_count, 0.0);
  named(*this, [&] {
    ParametersBridge bridge(parameters);
    run_read(joint_->read, bridge, constants.data(), nullptr);
    // Stand-ins for wrong or missing values need not make sense together.
    if (!parameters.recording() && !parameters.has_problems()) require_finite(constants, "a value", constant_name);
  });
  return constants;
}

std::vector<double> JointPlugin::constants(const std::vector<std::pair<std::string, double>>& values) const {
  std::vector<double> constants(joint_->constant_count, 0.0);
  named(*this, [&] {
    ValuesBridge bridge(values);
    run_read(joint_->read, bridge, constants.data(), nullptr);
    bridge.require_all_used();
    require_finite(constants, "a value", constant_name);
  });
  return constants;
}

std::vector<ParameterDescription> JointPlugin::parameters() const {
  return ParameterRecording([this](Parameters& recorder) { read_constants(recorder); }).descriptions();
}

JointReference::JointReference(std::shared_ptr<SharedLibrary> library, const holo_joint_reference* reference)
    : library_(std::move(library)), reference_(reference) {}

}  // namespace holo
