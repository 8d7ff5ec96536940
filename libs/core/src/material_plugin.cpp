#include <algorithm>
#include <cmath>

#include "holo/core/plugin_host.h"
#include "holo/core/run_folder.h"
#include "parameter_bridge.h"
#include "plugin_registration.h"
#include "shared_library.h"

namespace holo {

namespace {

std::string coefficient_name(const holo_material& material, std::size_t i) {
  return material.coefficient_names == nullptr ? "number " + std::to_string(i)
                                               : "'" + std::string(material.coefficient_names[i]) + "'";
}

// Runs the plugin's `read`. Throws PluginRefusal with its reason, or what the bridge kept.
void run_read(const holo_material& material, ParameterBridge& bridge, double* coefficients, double* tangents) {
  const holo_parameter_reader reader = bridge.reader();
  holo_error error{};
  error.size = sizeof error;
  const int status = guarded("'read'", [&] { return material.read(&reader, coefficients, tangents, &error); });
  bridge.rethrow();
  if (status == 0) return;
  const std::string text = to_text(error);
  throw PluginRefusal{"its 'read' failed: " + (text.empty() ? "no reason given" : text)};
}

void require_finite(const holo_material& material, const std::vector<double>& values, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw PluginRefusal{"its 'read' makes " + std::string(what) + " of the coefficient " + coefficient_name(material, i) +
                          " that is not finite (" + std::to_string(values[i]) + ")"};
}

// Any failure of `read` as one Error, with the plugin's name and the place in the user's file.
template <class Call>
void named(const MaterialPlugin& plugin, const std::string& place, const Call& call) {
  const std::string head =
      (place.empty() ? "" : place + ": ") + "the plugin '" + plugin.name() + "' (" + plugin.path().string() + "): ";
  try {
    call();
  } catch (const PluginRefusal& refusal) {
    throw Error(Failure::input, head + refusal.reason);
  } catch (const Error& error) {
    throw Error(error.failure(), head + error.what());
  }
}

// Collects text on this side of the border; out of memory is told afterwards.
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

MaterialPlugin::MaterialPlugin(std::shared_ptr<SharedLibrary> library, const holo_material* material,
                               std::filesystem::path path)
    : library_(std::move(library)), material_(material), path_(std::move(path)) {}

std::string MaterialPlugin::content_hash() const { return holo::content_hash(read_whole_file(path_)); }

std::string MaterialPlugin::formula() const {
  TextSink sink;
  named(*this, "", [&] { guarded("'write_formula'", [&] { material_->write_formula(&sink, TextSink::write); }); });
  if (sink.failed) throw Error(Failure::environment, "the formula of '" + name() + "' does not fit into memory");
  return sink.text;
}

std::vector<double> MaterialPlugin::read_coefficients(Parameters& parameters) const {
  std::vector<double> coefficients(material_->coefficient_count, 0.0);
  named(*this, parameters.recording() ? "" : to_string(parameters.location()), [&] {
    ParametersBridge bridge(parameters);
    run_read(*material_, bridge, coefficients.data(), nullptr);
    // Stand-ins for wrong or missing values need not make sense together.
    if (!parameters.recording() && !parameters.has_problems()) require_finite(*material_, coefficients, "a value");
  });
  return coefficients;
}

std::vector<double> MaterialPlugin::coefficients(const std::vector<std::pair<std::string, double>>& values) const {
  std::vector<double> coefficients(material_->coefficient_count, 0.0);
  named(*this, "", [&] {
    ValuesBridge bridge(values);
    run_read(*material_, bridge, coefficients.data(), nullptr);
    bridge.require_all_used();
    require_finite(*material_, coefficients, "a value");
  });
  return coefficients;
}

std::vector<double> MaterialPlugin::coefficient_jacobian(const std::vector<std::pair<std::string, double>>& values) const {
  const std::size_t count = material_->coefficient_count;
  std::vector<double> jacobian(count * values.size()), coefficients(count), tangents(count);
  for (std::size_t j = 0; j < values.size(); ++j) {
    named(*this, "", [&] {
      std::fill(tangents.begin(), tangents.end(), 0.0);
      ValuesBridge bridge(values, j);
      run_read(*material_, bridge, coefficients.data(), tangents.data());
      bridge.require_all_used();
      require_finite(*material_, tangents, "a derivative");
    });
    for (std::size_t i = 0; i < count; ++i) jacobian[i * values.size() + j] = tangents[i];
  }
  return jacobian;
}

std::vector<ParameterDescription> MaterialPlugin::parameters() const {
  return ParameterRecording([this](Parameters& recorder) { read_coefficients(recorder); }).descriptions();
}

MaterialReference::MaterialReference(std::shared_ptr<SharedLibrary> library, const holo_material_reference* reference)
    : library_(std::move(library)), reference_(reference) {}

}  // namespace holo
