#include "studies/robot_design/robot_collisions.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/error.h"
#include "signals/signal_sources.h"

namespace holo {

namespace {

BodyCapsule read_capsule(Configuration& entry, const MechanismModel* model) {
  BodyCapsule capsule;
  std::vector<std::string> bodies;
  if (model != nullptr)
    for (const MechanismBody& body : model->bodies()) bodies.push_back(body.name);
  const std::string body = entry.text("body", {.choices = bodies, .documentation = "body to which the capsule is fixed"});
  capsule.body = int(std::find(bodies.begin(), bodies.end(), body) - bodies.begin());
  capsule.name =
      entry.text("name", {.default_value = body, .documentation = "name of the capsule in reports; by default the body's"});
  const auto read_end = [&](const char* key, const char* documentation) {
    return vector_of(entry.vector3(key, {.unit = "m", .documentation = documentation}));
  };
  capsule.from = read_end("from", "start of the capsule's axis, in the body's coordinates");
  capsule.to = read_end("to", "end of the axis; equal to `from` for a sphere");
  capsule.radius = entry.number("radius", {.unit = "m", .minimum = 0, .minimum_excluded = true});
  return capsule;
}

// The loss of a pair, of the parameters that a user would write among the objectives.
NamedLoss keep_apart(const CollisionPlan& plan, const BodyCapsule& one, const BodyCapsule& other) {
  std::vector<std::pair<std::string, double>> values = {{"body", one.body},         {"radius", one.radius},
                                                        {"other_body", other.body}, {"other_radius", other.radius},
                                                        {"margin", plan.margin},    {"weight", plan.weight_signal}};
  const auto add = [&](const std::string& key, const Eigen::Vector3d& point) {
    for (int i = 0; i < 3; ++i) values.emplace_back(key + "." + std::to_string(i), point[i]);
  };
  add("from", one.from);
  add("to", one.to);
  add("other_from", other.from);
  add("other_to", other.to);
  return {fmt::format("keep_apart.{}.{}", one.name, other.name),
          std::make_shared<const LossInstance>(create_loss(plan.plugin, values)), plan.where};
}

void require_different_names(Configuration& section, const std::vector<BodyCapsule>& capsules) {
  for (std::size_t i = 0; i < capsules.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (capsules[i].name == capsules[j].name && !section.recording())
        section.problem(section.location("proxies"),
                        fmt::format("there are two proxies named '{}'; give each a `name`", capsules[i].name));
}

constexpr const char* none_can_meet =
    "no two of the proxies can meet: all pairs belong to one rigid group of bodies, to neighbors, or are always farther apart";

}  // namespace

std::optional<CollisionPlan> read_collisions(Configuration& experiment, const PluginHost& host, const MechanismModel* model,
                                             SignalNames& signals, std::vector<UsedPlugin>& plugins) {
  if (!experiment.has("collisions")) return {};
  const std::size_t problems = experiment.problem_count();
  Configuration section = experiment.section("collisions", "penalty of collisions between bodies", false);
  CollisionPlan plan;
  plan.margin = section.number("margin", {.unit = "m",
                                          .minimum = 0,
                                          .minimum_excluded = true,
                                          .documentation = "clearance below which a pair adds to the objective"});
  const double weight = section.number(
      "weight", {.minimum = 0, .default_value = 1.0, .documentation = "factor of 1/2 x^4 with x = 1 - clearance / margin"});
  section.each(
      "proxies", [&](Configuration& entry) { plan.capsules.push_back(read_capsule(entry, model)); },
      "capsules that represent bodies; pairs of neighbors, and pairs that cannot meet, have no penalty", 2);
  plan.where = section.location("proxies");
  require_different_names(section, plan.capsules);
  if (section.recording() || model == nullptr || experiment.problem_count() != problems) return {};
  plan.plugin = host.get<LossPlugin>("keep_apart");
  plugins.push_back(plan.plugin);
  plan.weight_signal = signals.add_constant({weight});
  // Metrics are known before the pairs are: those of any two capsules of different bodies.
  const auto other = std::find_if(plan.capsules.begin(), plan.capsules.end(),
                                  [&](const BodyCapsule& capsule) { return capsule.body != plan.capsules.front().body; });
  if (other == plan.capsules.end()) {
    section.problem(plan.where, none_can_meet);
    return {};
  }
  plan.example = keep_apart(plan, plan.capsules.front(), *other);
  return plan;
}

std::vector<NamedLoss> losses_of(const CollisionPlan& plan, const MechanismModel& model) {
  std::vector<NamedLoss> losses;
  for (const auto& [i, j] : pairs_that_may_meet(model, plan.capsules, plan.margin))
    losses.push_back(keep_apart(plan, plan.capsules[std::size_t(i)], plan.capsules[std::size_t(j)]));
  if (losses.empty()) throw_input_error(plan.where, none_can_meet);
  return losses;
}

}  // namespace holo
