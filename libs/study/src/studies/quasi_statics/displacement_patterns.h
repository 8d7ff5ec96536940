#pragma once
// Patterns with which displacements of the scene's first body are compared, and the quantities of its body energies:
//
//   patterns:
//     - {name: smile, subset: top, direction: [0, 0, 1], formula: 0.01*exp(-(x/0.1)^2)}
//
// gives the metrics smile_correlation and smile_displacement, the mean along the direction.

#include <memory>
#include <string>
#include <vector>

#include "holo/sim/motion/formula.h"
#include "holo/study/quantity_table.h"
#include "holo/study/scene.h"
#include "studies/quasi_statics/static_state.h"

namespace holo {

struct DisplacementPattern {
  std::string name;
  std::size_t subset = 0;                  // among those of the first body
  Eigen::Vector3d direction;               // unit
  std::shared_ptr<const Formula> formula;  // of the position at the start [m]
  Location location;

  // The formula's values at the subset's vertices. Throws Error(input) with its place where one is not finite.
  Eigen::VectorXd values(const ElasticModel& model) const;
  // Along the direction from the start, at the subset's vertices [m].
  Eigen::VectorXd displacements(const ElasticModel& model, const Eigen::VectorXd& positions) const;
  // Pearson's correlation, over the subset's vertices, of the displacement from the start along the direction with the
  // formula's values; NaN where one of them is the same at all.
  double correlation(const ElasticModel& model, const Eigen::VectorXd& positions) const;
};

// Reads the list `patterns`. Problems are reported through the configuration file.
std::vector<DisplacementPattern> read_displacement_patterns(Configuration& experiment, const ElasticSceneDefinition& scene);

// The displacement along each direction that patterns have, as a field of the drawn vertices.
struct PatternDirection {
  Eigen::Vector3d direction;
  ScalarField field;
};
std::vector<PatternDirection> pattern_directions(const std::vector<DisplacementPattern>& patterns, const ElasticModel& model);
// Appends the field at the drawn vertices.
void append_displacement(const ElasticModel& model, const Eigen::VectorXd& positions, const Eigen::Vector3d& direction,
                         std::vector<float>& field);

// Of a run: the correlation of each pattern, and each quantity of the scene's body energies, at the last equilibrium.
QuantityTable<StaticMotion> pattern_metrics(const std::vector<DisplacementPattern>& patterns);
QuantityTable<StaticMotion> body_energy_metrics(const ElasticSceneDefinition& scene);

}  // namespace holo
