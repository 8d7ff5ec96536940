// The state of an optimization of a trajectory between two steps as bytes, and back.
#include "studies/trajectory_optimization/solver_checkpoint.h"
#include "studies/trajectory_optimization/trajectory_study.h"

namespace holo {

namespace {

constexpr std::string_view trajectory_kind = "trajectory_optimization";
constexpr int trajectory_version = 2;
constexpr double most_of_trajectory = 1e12;

void visit(Archive& archive, articulated::TrajectoryStageResult& result) {
  int stage = int(result.stage);
  archive.visit(stage, 4);
  result.stage = articulated::TrajectoryStage(stage);
  archive.visit(result.status, 1000);
  archive.visit(result.diagnosis, 1e5);
  archive.visit(result.is_converged, 1);
  archive.visit(result.iterations, 1e9);
  articulated::TrajectoryValues& values = result.values;
  for (double* value :
       {&values.losses, &values.effort, &values.reduced_violation, &values.full_violation, &result.stationarity})
    archive.visit(*value);
  archive.visit(values.worst_step, 1e9);
  archive.visit(values.worst_dof, 1e9, -1);
}

void visit(Archive& archive, articulated::TrajectoryStagesState& state) {
  archive.visit(state.stage, 5);
  archive.visit_sized(state.point);
  archive.visit_sized(state.coefficients);
  for (Matrix3<double>& reference : state.references)
    for (int i = 0; i < 9; ++i) archive.visit(reference[i]);
  archive.visit(state.loss_scale);
  visit_solver(archive, state.solver);
  std::size_t results = state.results.size();
  archive.visit(results, 5);
  state.results.resize(results);
  for (articulated::TrajectoryStageResult& result : state.results) visit(archive, result);
  archive.visit(state.recenterings, 1e9);
}

}  // namespace

std::string TrajectoryOptimization::serialize() const {
  Archive archive(trajectory_kind, trajectory_version);
  std::int64_t steps = steps_, iterations = iterations_;
  archive.visit(steps, most_of_trajectory);
  archive.visit(iterations, most_of_trajectory);
  articulated::TrajectoryStagesState state = state_;
  visit(archive, state);
  return archive.take_bytes();
}

void TrajectoryOptimization::deserialize(std::string_view bytes) {
  Archive archive(trajectory_kind, trajectory_version, bytes);
  archive.visit(steps_, most_of_trajectory);
  archive.visit(iterations_, most_of_trajectory);
  visit(archive, state_);
  archive.require_end();
}

}  // namespace holo
