#include "studies/trajectory_optimization/trajectory_quantities.h"

#include <algorithm>
#include <limits>

namespace holo {

using articulated::TrajectoryStage, articulated::TrajectoryStageResult;

const QuantityTable<TrajectoryRow>& trajectory_columns() {
  using R = const TrajectoryRow&;
  static const QuantityTable<TrajectoryRow> columns = {
      {{"iteration", "1", "of all stages"}, [](R r) { return double(r.total); }},
      {{"stage", "1", "number of the stage, from 0"}, [](R r) { return double(r.stage); }},
      {{"objective", "1", "before the step"}, [](R r) { return r.iteration.objective; }},
      {{"violation", "N or N m", "largest violated constraint before the step"},
       [](R r) { return r.iteration.constraint_largest; }},
      {{"stationarity", "1", "largest entry of the gradient of the Lagrangian"}, [](R r) { return r.iteration.stationarity; }},
      {{"penalty", "1", "of the merit function"}, [](R r) { return r.iteration.penalty; }},
      {{"radius", "1", "of the trust region"}, [](R r) { return r.iteration.radius; }},
      {{"step_norm", "1", "in the metric of the trust region"}, [](R r) { return r.iteration.step_norm; }},
      {{"taken", "1", "1 if the step was taken"}, [](R r) { return r.iteration.step_length; }},
      {{"factorizations", "1", "of saddle-point matrices"}, [](R r) { return double(r.iteration.factorizations); }}};
  return columns;
}

namespace {

// NaN for a stage that did not end.
template <class Value>
auto of_stage(TrajectoryStage stage, const Value& value) {
  return [stage, value](const TrajectoryOutcome& o) {
    for (const TrajectoryStageResult& result : o.results)
      if (result.stage == stage) return double(value(result));
    return std::numeric_limits<double>::quiet_NaN();
  };
}

void add_stage(TrajectoryStage stage, QuantityTable<TrajectoryOutcome>& metrics) {
  using R = const TrajectoryStageResult&;
  const std::string name = to_string(stage);
  const auto add = [&](const std::string& suffix, const std::string& unit, const std::string& documentation,
                       const auto& value) {
    metrics.push_back({{name + "_" + suffix, unit, documentation}, of_stage(stage, value)});
  };
  add("objective", "1", "E at the end of the stage", [](R r) { return r.values.objective(); });
  add("reduced_violation", "N or N m", "largest constraint of the stage's problem",
      [](R r) { return r.values.reduced_violation; });
  add("full_violation", "N or N m", "largest violated equation of motion of a step",
      [](R r) { return r.values.full_violation; });
  add("stationarity", "1", "largest entry of the gradient of the Lagrangian", [](R r) { return r.stationarity; });
  add("iterations", "1", "of the stage", [](R r) { return r.iterations; });
  add("converged", "1", "1 if the stage's solver converged", [](R r) { return r.is_converged; });
}

}  // namespace

QuantityTable<TrajectoryOutcome> trajectory_metrics(const std::vector<TrajectoryStage>& stages) {
  using O = const TrajectoryOutcome&;
  QuantityTable<TrajectoryOutcome> metrics = {
      {{"objective", "1", "E of the motion"}, [](O o) { return o.results.back().values.objective(); }},
      {{"losses", "1", "their part of E; 1 at the start"}, [](O o) { return o.results.back().values.losses; }},
      {{"effort", "1", "its part of E"}, [](O o) { return o.results.back().values.effort; }},
      {{"full_violation", "N or N m", "largest violated equation of motion of a step"},
       [](O o) { return o.results.back().values.full_violation; }},
      {{"full_violation_over_weight", "1", "the same over the character's weight"},
       [](O o) { return o.results.back().values.full_violation / o.model.weight(); }},
      {{"iterations", "1", "of all stages"},
       [](O o) {
         int sum = 0;
         for (const TrajectoryStageResult& result : o.results) sum += result.iterations;
         return double(sum);
       }},
      {{"recenterings", "1", "of rotation vectors"}, [](O o) { return double(o.recenterings); }},
      {{"displacement_x", "m", "of the center of mass"}, [](O o) { return o.motion.displacement.x(); }},
      {{"displacement_y", "m", "of the center of mass"}, [](O o) { return o.motion.displacement.y(); }},
      {{"displacement_z", "m", "of the center of mass"}, [](O o) { return o.motion.displacement.z(); }},
      {{"mean_speed_x", "m/s", "of the center of mass"},
       [](O o) { return o.motion.displacement.x() / (o.model.steps() * o.model.step().time_step); }},
      {{"path_length", "m", "of the center of mass in the horizontal plane"}, [](O o) { return o.motion.path_length; }},
      {{"final_speed", "m/s", "of the center of mass in the last step"}, [](O o) { return o.motion.final_speed; }},
      {{"largest_height", "m", "of the center of mass above its start"}, [](O o) { return o.motion.largest_height; }},
      {{"largest_penetration", "m", "of a contact point"}, [](O o) { return o.motion.largest_penetration; }},
      {{"largest_control", "N or N m", "of an actuated joint"}, [](O o) { return o.motion.largest_control; }},
      {{"largest_friction_ratio", "1", "tangential over normal force of a contact with at least a hundredth of the weight"},
       [](O o) { return o.motion.largest_friction_ratio; }},
      {{"airborne_steps", "1", "steps without contact"}, [](O o) { return double(o.motion.airborne_steps); }},
      {{"ballistic_error", "m", "largest distance of the center of mass in a flight from its parabola"},
       [](O o) { return o.motion.ballistic_error; }},
      {{"fewest_footfalls", "1", "touchdowns of the part with the fewest, of those that stand at the start"},
       [](O o) { return double(o.motion.footfalls); }}};
  for (const TrajectoryStage stage : stages) add_stage(stage, metrics);
  if (stages.front() == TrajectoryStage::spline && stages.size() > 2)
    metrics.push_back({{"polish_objective_ratio", "1", "E of the motion over that of the spline"},
                       [](O o) { return o.results.back().values.objective() / o.results[1].values.objective(); }});
  return metrics;
}

}  // namespace holo
