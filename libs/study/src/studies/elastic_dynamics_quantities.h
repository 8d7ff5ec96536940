#pragma once
// The columns and the metrics of the study `elastic_dynamics`.

#include "holo/study/quantity_table.h"
#include "studies/elastic_dynamics_steps.h"

namespace holo {

// Source of a row of metrics.csv: the state after a step, and the step's result.
struct ElasticRow {
  const ElasticState& state;
  const ElasticStepResult& result;
  Vector3d center_of_mass;     // of all bodies [m]
  std::int64_t intersections;  // elastic_intersections.h
};

// Source of the metrics: the last state, and the sums and extremes over all steps.
struct ElasticOutcome {
  const ElasticModel& model;
  const ElasticState& state;
  const ElasticTotals& totals;
};

const QuantityTable<ElasticRow>& elastic_columns();
const QuantityTable<ElasticOutcome>& elastic_metrics();

// The largest speed of a vertex [m/s].
double maximum_speed(const Eigen::VectorXd& velocities);

}  // namespace holo
