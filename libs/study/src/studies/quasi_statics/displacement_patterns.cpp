#include "studies/quasi_statics/displacement_patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "holo/core/name_list.h"
#include "holo/sim/dynamics/body_energy_term.h"
#include "studies/elastic_drawing/body_drawing.h"

namespace holo {

namespace {

DisplacementPattern read_pattern(Configuration& entry, const std::vector<std::string>& subsets) {
  DisplacementPattern pattern;
  pattern.location = entry.location();
  pattern.name = entry.text("name", {.documentation = "of the pattern, in names of metrics"});
  const std::string subset = entry.text("subset", {.documentation = "one of the first body's `subsets`, of whose vertices"});
  const std::array<double, 3> direction =
      entry.vector3("direction", {.documentation = "along which displacements count; any length but 0"});
  const std::string formula = entry.text("formula", {.documentation = "of the position x, y, z at the start [m]"});
  if (entry.recording()) return pattern;
  const auto found = std::find(subsets.begin(), subsets.end(), subset);
  if (found != subsets.end())
    pattern.subset = std::size_t(found - subsets.begin());
  else if (!subset.empty())
    entry.problem(entry.location("subset"), fmt::format("the first body has no subset '{}'.{} There are: {}", subset,
                                                        suggestion(subset, subsets), joined_or_none(subsets)));
  pattern.direction = Eigen::Vector3d(direction.data());
  if (pattern.direction.isZero(0)) entry.problem(entry.location("direction"), "direction is [0, 0, 0]; a direction is needed.");
  pattern.direction.normalize();
  try {
    pattern.formula =
        std::make_shared<const Formula>(formula, std::vector<std::string>{"x", "y", "z"}, entry.location("formula"));
  } catch (const Error& error) {
    entry.problem(entry.location("formula"), error.what());
  }
  return pattern;
}

}  // namespace

Eigen::VectorXd DisplacementPattern::values(const ElasticModel& model) const {
  const std::vector<int>& vertices = model.bodies().front().subsets.at(subset).vertices;
  Eigen::VectorXd result(Eigen::Index(vertices.size()));
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Eigen::Vector3d start = model.start_positions().segment<3>(3 * vertices[i]);
    result[Eigen::Index(i)] = (*formula)(std::array<double, 3>{start[0], start[1], start[2]});
  }
  return result;
}

Eigen::VectorXd DisplacementPattern::displacements(const ElasticModel& model, const Eigen::VectorXd& positions) const {
  const std::vector<int>& vertices = model.bodies().front().subsets.at(subset).vertices;
  Eigen::VectorXd result(Eigen::Index(vertices.size()));
  for (std::size_t i = 0; i < vertices.size(); ++i)
    result[Eigen::Index(i)] =
        direction.dot(positions.segment<3>(3 * vertices[i]) - model.start_positions().segment<3>(3 * vertices[i]));
  return result;
}

double DisplacementPattern::correlation(const ElasticModel& model, const Eigen::VectorXd& positions) const {
  Eigen::VectorXd displacement = displacements(model, positions), wanted = values(model);
  displacement.array() -= displacement.mean();
  wanted.array() -= wanted.mean();
  const double sizes = displacement.norm() * wanted.norm();
  return sizes > 0 ? displacement.dot(wanted) / sizes : std::numeric_limits<double>::quiet_NaN();
}

std::vector<DisplacementPattern> read_displacement_patterns(Configuration& experiment, const ElasticSceneDefinition& scene) {
  std::vector<std::string> subsets, names;
  if (!scene.bodies.empty())
    for (const NamedSubset& subset : scene.bodies.front().subsets) subsets.push_back(subset.name);
  std::vector<DisplacementPattern> patterns;
  experiment.each(
      "patterns",
      [&](Configuration& entry) {
        patterns.push_back(read_pattern(entry, subsets));
        const std::string& name = patterns.back().name;
        if (!entry.recording() && contains(names, name))
          entry.problem(entry.location("name"), fmt::format("two patterns are named '{}'; names must differ.", name));
        names.push_back(name);
      },
      "functions of the position with which displacements are compared");
  return patterns;
}

std::vector<PatternDirection> pattern_directions(const std::vector<DisplacementPattern>& patterns, const ElasticModel& model) {
  std::vector<PatternDirection> result;
  for (const DisplacementPattern& pattern : patterns) {
    const Eigen::Vector3d& d = pattern.direction;
    const auto known = std::find_if(result.begin(), result.end(), [&](const auto& other) { return other.direction == d; });
    if (known != result.end()) continue;
    const std::string number = result.empty() ? "" : fmt::format("_{}", result.size() + 1);
    result.push_back({d,
                      {"pattern_displacement" + number,
                       "m",
                       fmt::format("from the start, along [{:.3g}, {:.3g}, {:.3g}]", d[0], d[1], d[2]),
                       {},
                       1e-12 * model.length()}});
  }
  return result;
}

void append_displacement(const ElasticModel& model, const Eigen::VectorXd& positions, const Eigen::Vector3d& direction,
                         std::vector<float>& field) {
  std::vector<float> of_vertices(std::size_t(model.vertex_count()));
  for (std::size_t v = 0; v < of_vertices.size(); ++v) {
    const Eigen::Index i = 3 * Eigen::Index(v);
    of_vertices[v] = float(direction.dot(positions.segment<3>(i) - model.start_positions().segment<3>(i)));
  }
  spread_over_drawn(model, of_vertices);
  field.insert(field.end(), of_vertices.begin(), of_vertices.end());
}

QuantityTable<StaticMotion> pattern_metrics(const std::vector<DisplacementPattern>& patterns) {
  QuantityTable<StaticMotion> table;
  for (const DisplacementPattern& pattern : patterns)
    table.push_back(
        {{pattern.name + "_correlation", "1",
          "of the displacement along the pattern's direction with its formula, at the last equilibrium"},
         [pattern](const StaticMotion& motion) { return pattern.correlation(motion.model(), motion.state().positions); }});
  for (const DisplacementPattern& pattern : patterns)
    table.push_back({{pattern.name + "_displacement", "m",
                      "along the pattern's direction, the mean of its vertices at the last equilibrium"},
                     [pattern](const StaticMotion& motion) {
                       return pattern.displacements(motion.model(), motion.state().positions).mean();
                     }});
  return table;
}

// One number for the energies of all bodies, in the order of body_energy_terms().
QuantityTable<StaticMotion> body_energy_metrics(const ElasticSceneDefinition& scene) {
  QuantityTable<StaticMotion> table;
  std::size_t number = 0;
  for (const ElasticBodyDefinition& body : scene.bodies)
    for (std::size_t i = 0; i < body.energies.size(); ++i, ++number) {
      if (!body.energies[i].instance) continue;  // a problem that has been reported
      const holo_body_energy_description& description = body.energies[i].instance->description();
      for (std::uint32_t k = 0; k < description.quantity_count; ++k) {
        const std::string of_several = body.energies.size() > 1 ? fmt::format("{}_", i) : "";
        table.push_back({{fmt::format("{}_{}{}", body.name, of_several, description.quantities[k].name),
                          description.quantities[k].unit, "of a body energy, at the last equilibrium"},
                         [number, k](const StaticMotion& motion) {
                           const auto terms = body_energy_terms(motion.scene().model);
                           const auto& term = dynamic_cast<const BodyEnergyTerm&>(*terms.at(number));
                           return term.quantities(motion.state().positions)[Eigen::Index(k)];
                         }});
      }
    }
  return table;
}

}  // namespace holo
