#include "holo/core/plugins/loss_plugin.h"

#include <cmath>
#include <optional>

#include "plugins/loss_parameters.h"
#include "plugins/plugin_read.h"

namespace holo {

namespace {

// What the plugin's `create` gave: an instance, or null and the plugin's reason.
struct Creation {
  holo_loss_instance* instance = nullptr;
  std::string refusal;
};

void destroy(const LossPlugin& plugin, Creation& creation) {
  if (creation.instance != nullptr) plugin.abi().destroy(creation.instance);
  creation.instance = nullptr;
}

Creation call_create(const LossPlugin& plugin, ParameterBridge& bridge) {
  const holo_parameter_reader reader = bridge.reader();
  Creation creation;
  holo_error error{};
  error.size = sizeof error;
  const int status = guarded("'create'", [&] { return plugin.abi().create(&reader, &creation.instance, &error); });
  try {
    bridge.rethrow();
  } catch (...) {
    destroy(plugin, creation);
    throw;
  }
  if (status == 0) {
    if (creation.instance == nullptr) throw PluginRefusal{"its 'create' gave no instance"};
    return creation;
  }
  destroy(plugin, creation);
  const std::string text = to_text(error);
  creation.refusal = "the loss '" + plugin.name() + "' refuses its parameters: " + (text.empty() ? "no reason given" : text);
  return creation;
}

// Null, and a problem in the file, when the plugin refuses the parameters; that is no news where they are stand-ins.
holo_loss_instance* create(const LossPlugin& plugin, Configuration& parameters, LossBridge& bridge,
                           std::size_t problems_before) {
  Creation creation = call_create(plugin, bridge);
  const bool stand_ins = parameters.recording() || parameters.problem_count() > problems_before;
  if (stand_ins) destroy(plugin, creation);
  if (creation.instance == nullptr && !stand_ins) parameters.problem(parameters.location(), creation.refusal);
  return creation.instance;
}

// Whether the simulation has all observables of the loss; a missing one is reported through the configuration file.
bool is_observable(const LossInstance& loss, const SimulationNames& names, Configuration& parameters) {
  const holo_loss_description& description = loss.description();
  for (std::uint32_t i = 0; i < description.observable_count; ++i) {
    const holo_observable& observable = description.observables[i];
    const auto kind = holo_observable_kind(observable.kind);
    if (names.has(kind, observable.step)) continue;
    std::string there;
    for (std::uint32_t k = 0; k < HOLO_OBSERVABLE_KIND_COUNT; ++k)
      if (names.has(holo_observable_kind(k), observable.step))
        there += (there.empty() ? "" : ", ") + to_string(holo_observable_kind(k));
    const std::string when = observable.step == 0 ? "" : " of step " + std::to_string(observable.step);
    parameters.problem(parameters.location(),
                       "the loss '" + loss.plugin().name() + "' observes the " + to_string(kind) + when + ", which " +
                           names.kind() + " does not have. It has: " + (there.empty() ? "nothing of that step" : there));
    return false;
  }
  return true;
}

}  // namespace

std::vector<ParameterDescription> LossPlugin::parameters() const {
  return ParameterRecording([this](Configuration& recorder) {
           named(*this, [&] {
             LossReading reading;
             LossBridge bridge(recorder, nullptr, nullptr, reading, 0);
             create(*this, recorder, bridge, 0);
           });
         })
      .descriptions();
}

std::vector<LossInstance> create_losses(const std::shared_ptr<const LossPlugin>& plugin, Configuration& parameters,
                                        const SimulationNames& names, SignalNames& signals) {
  std::vector<LossInstance> losses;
  const std::size_t problems_before = parameters.problem_count();
  LossReading reading;
  named(*plugin, [&] {
    for (std::size_t i = 0; i < reading.instance_count(); ++i) {
      LossBridge bridge(parameters, &names, &signals, reading, i);
      holo_loss_instance* instance = create(*plugin, parameters, bridge, problems_before);
      if (instance == nullptr) return;
      losses.emplace_back(plugin, instance, reading.list_key.empty() ? "" : reading.listed[i]);
      if (!is_observable(losses.back(), names, parameters)) return;
    }
  });
  if (parameters.problem_count() > problems_before) losses.clear();
  return losses;
}

LossInstance create_loss(const std::shared_ptr<const LossPlugin>& plugin,
                         const std::vector<std::pair<std::string, double>>& values) {
  std::optional<LossInstance> loss;
  named(*plugin, [&] {
    LossValuesBridge bridge(values);
    const Creation creation = call_create(*plugin, bridge);
    if (creation.instance == nullptr) throw Error(Failure::input, creation.refusal);
    loss.emplace(plugin, creation.instance, "");
    bridge.require_all_used();
  });
  return std::move(*loss);
}

}  // namespace holo
