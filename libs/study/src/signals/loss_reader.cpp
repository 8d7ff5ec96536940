#include "signals/loss_reader.h"

#include <algorithm>

#include "holo/core/error.h"
#include "holo/core/plugins/loss_plugin.h"

namespace holo {

namespace {

// Names for the recording of a schema, which looks up no name.
class NoNames final : public SimulationNames, public SignalNames {
 public:
  std::string kind() const override { return "a simulation"; }
  bool has(holo_observable_kind, int) const override { return true; }
  std::vector<std::string> names(holo_subject) const override { return {}; }
  std::vector<Signal> signals() const override { return {}; }
  int add_constant(const std::vector<double>&) override { return 0; }
  void add_bound(SignalBound) override {}
};

void record_loss(Configuration& entry, const PluginHost& host) {
  std::vector<Configuration::Branch> branches;
  for (const std::string& name : host.names<LossPlugin>()) {
    auto plugin = host.get<LossPlugin>(name);
    branches.push_back({name, plugin->summary(), [plugin](Configuration& p) {
                          NoNames nothing;
                          create_losses(plugin, p, nothing, nothing);
                        }});
  }
  entry.branch("type", branches, {}, "the loss plugin's name");
}

// "track_position.hand": the loss and its subject. Further losses of the same subject get a number: "track_position.hand.2".
std::string name_of(const std::string& type, const LossInstance& loss, const SimulationNames& names,
                    const std::vector<NamedLoss>& others) {
  const holo_loss_description& d = loss.description();
  std::string subject = loss.subject();
  if (subject.empty() && d.observable_count > 0)
    subject = names.names(subject_of(holo_observable_kind(d.observables[0].kind))).at(d.observables[0].subject);
  const std::string first = subject.empty() ? type : type + "." + subject;
  std::string name = first;
  const auto is_taken = [&](const NamedLoss& other) { return other.name == name; };
  for (int i = 2; std::any_of(others.begin(), others.end(), is_taken); ++i) name = first + "." + std::to_string(i);
  return name;
}

}  // namespace

void read_loss(Configuration& entry, const LossSources& sources, std::vector<UsedPlugin>& plugins,
               std::vector<NamedLoss>& losses) {
  if (entry.recording()) return record_loss(entry, sources.host);
  const std::size_t problems = entry.problem_count();
  const std::string type = entry.text("type", {.documentation = "the loss plugin's name"});
  const auto skip = [&] {
    for (const std::string& key : entry.keys())  // only the plugin knows which keys are right
      if (nearest_name(key, {"type"}).empty()) entry.raw(key);
  };
  if (type.empty() || entry.problem_count() != problems || sources.names == nullptr) return skip();
  try {
    const auto plugin = sources.host.get<LossPlugin>(type);
    plugins.push_back(plugin);
    for (LossInstance& instance : create_losses(plugin, entry, *sources.names, *sources.signals)) {
      const std::string name = name_of(type, instance, *sources.names, losses);
      losses.push_back({name, std::make_shared<const LossInstance>(std::move(instance)), entry.location()});
    }
  } catch (const Error& error) {
    skip();
    entry.problem(entry.location("type"), error.what());
  }
}

}  // namespace holo
