#include "holo/core/plugins/material_values.h"

#include <algorithm>

#include "configuration/value.h"
#include "plugins/plugin_read.h"

namespace holo {

namespace {

class NamingBridge : public ParametersBridge {
 public:
  NamingBridge(Configuration& parameters, const std::vector<std::string>& left_out)
      : ParametersBridge(parameters), left_out_(left_out) {}

  MaterialValues values;

 protected:
  void answer(const holo_parameter& request, double* answers, double* tangents) override {
    const std::string name = request.name;
    const bool is_vector = request.kind == HOLO_PARAMETER_VECTOR3 || request.kind == HOLO_PARAMETER_DIRECTION;
    const bool may_differ = is_vector || request.kind == HOLO_PARAMETER_NUMBER;
    const bool is_left_out = may_differ && std::find(left_out_.begin(), left_out_.end(), name) != left_out_.end();
    if (may_differ && (is_left_out || parameters_.recording())) {
      if (!is_left_out && is_vector) parameters_.record_per_element(name, vector_spec(request));
      if (!is_left_out && !is_vector) parameters_.record_per_element(name, number_spec(request));
      // A direction needs an entry that is not 0.
      std::fill_n(answers, is_vector ? 3 : 1, request.kind == HOLO_PARAMETER_DIRECTION ? 1.0 : stand_in(number_spec(request)));
    } else {
      ParametersBridge::answer(request, answers, tangents);
    }
    if (!is_vector) values.emplace_back(name, answers[0]);
    for (int i = 0; is_vector && i < 3; ++i) values.emplace_back(name + "." + std::to_string(i), answers[i]);
  }

 private:
  const std::vector<std::string>& left_out_;
};

}  // namespace

MaterialValues read_material_values(const MaterialPlugin& plugin, Configuration& parameters,
                                    const std::vector<std::string>& left_out) {
  NamingBridge bridge(parameters, left_out);
  std::vector<double> unused(plugin.abi().coefficient_count, 0.0);
  named(plugin, [&] { run_read(plugin.abi().read, bridge, unused.data(), nullptr); });
  return bridge.values;
}

}  // namespace holo
