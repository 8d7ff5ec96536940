#include "holo/core/plugins/body_energy_plugin.h"

#include <algorithm>
#include <cmath>

#include "holo/core/name_list.h"
#include "holo/core/plugins/loss_plugin.h"
#include "plugins/plugin_read.h"
#include "plugins/plugin_tables.h"

namespace holo {

namespace {

// Reads numbers, and the names of subsets and targets.
class BodyEnergyBridge : public ParametersBridge {
 public:
  // `names` is null while a schema is recorded.
  BodyEnergyBridge(Configuration& parameters, const BodyEnergyNames* names) : ParametersBridge(parameters), names_(names) {}

 protected:
  void answer(const holo_parameter& request, double* values, double* tangents) override {
    if (request.kind == HOLO_PARAMETER_SUBJECT)
      values[0] = subject(request);
    else
      ParametersBridge::answer(request, values, tangents);
  }

 private:
  // 0 stands in where there is none, so that reading goes on.
  int subject(const holo_parameter& request) {
    const bool is_target = request.subject == HOLO_SUBJECT_TARGET;
    if (!is_target && request.subject != HOLO_SUBJECT_BODY)
      throw Error(Failure::input, "its 'read' asks for a parameter wrongly: '" + std::string(request.name) + "' is a " +
                                      to_string(holo_subject(request.subject)) +
                                      "; a body energy may ask for subsets of the body and for targets");
    TextSpec spec;
    spec.documentation = std::string(request.documentation) + (*request.documentation == 0 ? "" : ". ") +
                         (is_target ? "The name of one of `targets`" : "The name of one of the body's `subsets`");
    const std::string name = parameters_.text(request.name, spec);
    if (parameters_.recording() || names_ == nullptr || name.empty()) return 0;
    const std::vector<std::string>& there = is_target ? names_->targets : names_->subsets;
    const auto found = std::find(there.begin(), there.end(), name);
    if (found != there.end()) return int(found - there.begin());
    parameters_.problem(parameters_.location(request.name), "'" + parameters_.path(request.name) + "': no " +
                                                                (is_target ? "target '" : "subset of the body's vertices '") +
                                                                name + "'." + suggestion(name, there) +
                                                                " There are: " + joined_or_none(there));
    return 0;
  }

  const BodyEnergyNames* names_;
};

std::string numbered(std::uint32_t i) { return "number " + std::to_string(i); }

void check_body_observables(const holo_body_energy_description& d) {
  require(d.observable_count == 0 || d.observables != nullptr, "its observables are a null pointer");
  std::uint32_t size = 0;
  for (std::uint32_t i = 0; i < d.observable_count; ++i) {
    const holo_observable& observable = d.observables[i];
    const auto kind = holo_observable_kind(observable.kind);
    require(kind == HOLO_OBSERVABLE_CENTER_OF_MASS || kind == HOLO_OBSERVABLE_POINT,
            "it observes the " + to_string(kind) +
                "; a body energy may observe what is linear in the positions: centers of mass and mean positions of subsets");
    require(observable.step == 0, "it observes step " + std::to_string(observable.step) + "; only this step has an energy");
    for (const double entry : observable.point)
      require(entry == 0,
              "its observable " + numbered(i) + " has a point; a body energy observes the mean of a subset's vertices");
    size += holo_observable_size(observable.kind);
  }
  require(size <= HOLO_BODY_OBSERVABLE_MAXIMUM,
          "it observes " + std::to_string(size) + " numbers; allowed are " + std::to_string(HOLO_BODY_OBSERVABLE_MAXIMUM) +
              ", which is " + std::to_string(HOLO_BODY_OBSERVABLE_MAXIMUM / 3) + " centers of mass or mean positions");
}

void check_body_energy(const holo_body_energy_description& d) {
  require(d.size == sizeof d, "its description has " + std::to_string(d.size) + " bytes, not " + std::to_string(sizeof d));
  check_body_observables(d);
  require(d.quantity_count <= HOLO_BODY_QUANTITY_MAXIMUM, "it has " + std::to_string(d.quantity_count) +
                                                              " quantities that all elements share; allowed are " +
                                                              std::to_string(HOLO_BODY_QUANTITY_MAXIMUM));
  require(d.quantity_count == 0 || d.quantities != nullptr, "its quantities are a null pointer");
  for (std::uint32_t i = 0; i < d.quantity_count; ++i)
    require(d.quantities[i].name != nullptr && d.quantities[i].unit != nullptr,
            "the name or unit of its quantity " + numbered(i) + " is a null pointer");
  require(d.target_count == 0 || d.targets != nullptr, "its targets are a null pointer");
}

// The host's numbers that the plugin gives back must be those of names that it was given.
void check_numbers(const holo_body_energy_description& d, const BodyEnergyNames& names) {
  for (std::uint32_t i = 0; i < d.observable_count; ++i)
    require(d.observables[i].subject < names.subsets.size(), "it observes the subset number " +
                                                                 std::to_string(d.observables[i].subject) + "; the body has " +
                                                                 std::to_string(names.subsets.size()));
  for (std::uint32_t i = 0; i < d.target_count; ++i)
    require(d.targets[i] < names.targets.size(), "it uses the target number " + std::to_string(d.targets[i]) +
                                                     "; the experiment has " + std::to_string(names.targets.size()));
}

// What the plugin's `create` gave: an instance, or null and the plugin's reason.
struct BodyEnergyCreation {
  holo_body_energy_instance* instance = nullptr;
  std::string refusal;
};

BodyEnergyCreation call_body_energy_create(const BodyEnergyPlugin& plugin, BodyEnergyBridge& bridge) {
  const holo_parameter_reader reader = bridge.reader();
  BodyEnergyCreation creation;
  holo_error error{};
  error.size = sizeof error;
  const int status = guarded("'create'", [&] { return plugin.abi().create(&reader, &creation.instance, &error); });
  const auto discard = [&] {
    if (creation.instance != nullptr) plugin.abi().destroy(creation.instance);
    creation.instance = nullptr;
  };
  try {
    bridge.rethrow();
  } catch (...) {
    discard();
    throw;
  }
  if (status == 0) {
    if (creation.instance == nullptr) throw PluginRefusal{"its 'create' gave no instance"};
    return creation;
  }
  discard();
  const std::string text = to_text(error);
  creation.refusal =
      "the body energy '" + plugin.name() + "' refuses its parameters: " + (text.empty() ? "no reason given" : text);
  return creation;
}

// Null, and a problem in the file, when the plugin refuses the parameters; that is no news where they are stand-ins.
holo_body_energy_instance* create_instance(const BodyEnergyPlugin& plugin, Configuration& parameters,
                                           const BodyEnergyNames* names) {
  const std::size_t problems_before = parameters.problem_count();
  BodyEnergyBridge bridge(parameters, names);
  BodyEnergyCreation creation = call_body_energy_create(plugin, bridge);
  if (parameters.recording() || parameters.problem_count() > problems_before) {
    if (creation.instance != nullptr) plugin.abi().destroy(creation.instance);
    return nullptr;
  }
  if (creation.instance == nullptr) parameters.problem(parameters.location(), creation.refusal);
  return creation.instance;
}

}  // namespace

std::vector<ParameterDescription> BodyEnergyPlugin::parameters() const {
  return ParameterRecording(
             [this](Configuration& recorder) { named(*this, [&] { create_instance(*this, recorder, nullptr); }); })
      .descriptions();
}

BodyEnergyInstance::BodyEnergyInstance(std::shared_ptr<const BodyEnergyPlugin> plugin, holo_body_energy_instance* instance)
    : plugin_(std::move(plugin)),
      // The deleter's copy of the plugin keeps the library loaded while the instance is destroyed.
      instance_(instance, [plugin = plugin_](holo_body_energy_instance* made) { plugin->abi().destroy(made); }),
      description_{} {
  try {
    guarded("'describe'", [&] { plugin_->abi().describe(instance, &description_); });
    check_body_energy(description_);
  } catch (const PluginRefusal& refusal) {
    throw Error(Failure::input,
                "the body energy '" + plugin_->name() + "' (" + plugin_->path().string() + "): " + refusal.reason);
  }
  for (std::uint32_t i = 0; i < description_.observable_count; ++i)
    observable_size_ += holo_observable_size(description_.observables[i].kind);
}

std::size_t BodyEnergyInstance::output_size(holo_body_energy_operation operation) const {
  const std::size_t n = quantity_count();
  if (operation == HOLO_BODY_ENERGY_DENSITY) return 1;
  return operation == HOLO_BODY_ENERGY_GRADIENT ? 9 + n : 45 + 9 * n + n * (n + 1) / 2;
}

template <class Call>
void BodyEnergyInstance::call(const char* what, const Call& call) const {
  holo_error error;
  error.size = sizeof error;
  error.message[0] = 0;
  std::string reason;
  try {
    if (guarded(what, [&] { return call(&error); }) == 0) return;
    reason = to_text(error);
  } catch (const PluginRefusal& refusal) {
    reason = refusal.reason;
  }
  throw Error(Failure::environment, "the body energy '" + plugin_->name() + "' (" + plugin_->path().string() +
                                        ") fails: " + (reason.empty() ? "no reason given" : reason));
}

void BodyEnergyInstance::quantities(const double* z, const double* start, const double* w, double* o, double* jacobian,
                                    double* hessian) const {
  call("'quantities'",
       [&](holo_error* error) { return plugin_->abi().quantities(instance_.get(), z, start, w, o, jacobian, hessian, error); });
}

void BodyEnergyInstance::run(holo_body_energy_operation operation, const holo_body_energy_batch& batch) const {
  call("'run'", [&](holo_error* error) { return plugin_->abi().run(instance_.get(), operation, &batch, error); });
}

std::shared_ptr<const BodyEnergyInstance> create_body_energy(const std::shared_ptr<const BodyEnergyPlugin>& plugin,
                                                             Configuration& parameters, const BodyEnergyNames& names) {
  std::shared_ptr<const BodyEnergyInstance> result;
  named(*plugin, [&] {
    if (holo_body_energy_instance* instance = create_instance(*plugin, parameters, &names))
      result = std::make_shared<const BodyEnergyInstance>(plugin, instance);
    if (result) check_numbers(result->description(), names);
  });
  return result;
}

}  // namespace holo
