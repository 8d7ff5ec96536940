#include "holo/core/plugins/material_plugin.h"

#include <algorithm>

#include "plugins/plugin_read.h"

namespace holo {

namespace {

auto coefficient_name(const holo_material& material) {
  return [&material](std::size_t i) {
    return "coefficient " + (material.coefficient_names == nullptr ? "number " + std::to_string(i)
                                                                   : "'" + std::string(material.coefficient_names[i]) + "'");
  };
}

// Collects text on the host's side of the plugin ABI; lack of memory is reported afterwards.
struct TextSink {
  std::string text;
  bool failed = false;
  static void write(void* self, const char* text, size_t length) noexcept {
    TextSink& sink = *static_cast<TextSink*>(self);
    try {
      sink.text.append(text, length);
    } catch (...) {
      sink.failed = true;
    }
  }
};

}  // namespace

std::string MaterialPlugin::formula() const {
  TextSink sink;
  named(*this, [&] { guarded("'write_formula'", [&] { abi().write_formula(&sink, TextSink::write); }); });
  if (sink.failed) throw Error(Failure::environment, "the formula of '" + name() + "' does not fit into memory");
  return sink.text;
}

std::vector<double> MaterialPlugin::read_coefficients(Configuration& parameters) const {
  return read_values(*this, abi().coefficient_count, parameters, coefficient_name(abi()));
}

std::vector<double> MaterialPlugin::coefficients(const std::vector<std::pair<std::string, double>>& values) const {
  return values_at(*this, abi().coefficient_count, values, coefficient_name(abi()));
}

std::vector<double> MaterialPlugin::coefficient_jacobian(const std::vector<std::pair<std::string, double>>& values) const {
  const std::size_t count = abi().coefficient_count;
  std::vector<double> jacobian(count * values.size()), coefficients(count), tangents(count);
  for (std::size_t j = 0; j < values.size(); ++j) {
    named(*this, [&] {
      std::fill(tangents.begin(), tangents.end(), 0.0);
      ValuesBridge bridge(values, j);
      run_read(abi().read, bridge, coefficients.data(), tangents.data());
      bridge.require_all_used();
      require_finite(tangents, "a derivative", coefficient_name(abi()));
    });
    for (std::size_t i = 0; i < count; ++i) jacobian[i * values.size() + j] = tangents[i];
  }
  return jacobian;
}

std::vector<ParameterDescription> MaterialPlugin::parameters() const {
  return ParameterRecording([this](Configuration& recorder) { read_coefficients(recorder); }).descriptions();
}

}  // namespace holo
