#pragma once
// The stages in which a trajectory is optimized: a spline whose tested equations of motion hold, restoration of all equations
// of motion of the single states, their optimization, and a last restoration. docs/trajectory-optimization.md#stages tells why.
//
//   TrajectoryStages stages(model, options);
//   TrajectoryStagesState state = stages.begin();
//   while (stages.advance(state, 10)) log(state);

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/opt/trajectory/constraint_restoration.h"
#include "holo/opt/trajectory/trust_region_sqp.h"
#include "holo/sim/articulated/trajectory/trajectory_problem.h"

namespace holo::articulated {

enum class TrajectoryStage { spline, spline_restoration, restoration, polish, final_restoration };
std::string to_string(TrajectoryStage stage);

struct TrajectoryStagesOptions {
  int segment_length = 10;  // L, of the spline; 1: there is no spline, and the single states are optimized alone
  TrajectoryEnd end = TrajectoryEnd::free;
  bool polish = true;  // the three stages after those of the spline
  TrustRegionSqpOptions spline_solver = {}, polish_solver = {};
  RestorationOptions restoration = {};
  BlockTridiagonalOptions linear_algebra = {};
  double recentering = 3;  // length of a rotation vector [rad] above which its chart is moved, every 10 iterations
};

// What a stage ended with.
struct TrajectoryStageResult {
  TrajectoryStage stage = TrajectoryStage::spline;
  std::string status, diagnosis;  // those of the solver; no diagnosis if it converged
  bool is_converged = false;
  int iterations = 0;
  TrajectoryValues values;
  double stationarity = 0;  // largest entry of the gradient of the Lagrangian, the KKT residual; NaN: it could not be found
};

// Between two iterations: plain numbers for a checkpoint.
struct TrajectoryStagesState {
  int stage = 0;                            // number in TrajectoryStages::stages()
  Eigen::VectorXd point;                    // unknowns of the stage's problem
  Eigen::MatrixXd coefficients;             // of it, given ones too
  std::vector<Matrix3<double>> references;  // of the states -1 ... N: [state][chart]
  double loss_scale = 1;
  TrustRegionSqpState solver;
  std::vector<TrajectoryStageResult> results;       // of the stages that ended
  std::vector<TrustRegionSqpIteration> iterations;  // of the last call of `advance`; of a restoration none
  int recenterings = 0;
};

class TrajectoryStages {
 public:
  // The model must outlive it. Throws as its parts do.
  TrajectoryStages(const TrajectoryModel& model, const TrajectoryStagesOptions& options);
  ~TrajectoryStages();

  static std::vector<TrajectoryStage> stages_of(const TrajectoryStagesOptions& options);
  const std::vector<TrajectoryStage>& stages() const { return stages_; }
  // The character stays in the start pose, or moves to the given end. Losses are scaled so that their sum is 1 there. Throws
  // Error(input) where that is not finite, and where E does not depend on the trajectory.
  TrajectoryStagesState begin();
  // At most `iterations` of the present stage, a restoration at once. False after the last stage.
  bool advance(TrajectoryStagesState& state, int iterations);
  // The problem at the state's point.
  TrajectoryProblem& problem(const TrajectoryStagesState& state);

 private:
  void load(const TrajectoryStagesState& state);
  void advance_solver(TrajectoryStagesState& state, int iterations);
  void recenter(TrajectoryStagesState& state);
  void restore(TrajectoryStagesState& state);
  void end_stage(TrajectoryStagesState& state, TrajectoryStageResult result);
  double stationarity(const TrajectoryStagesState& state);
  const TrustRegionSqpOptions& solver_options(const TrajectoryStagesState& state) const;

  const TrajectoryModel& model_;
  TrajectoryStagesOptions options_;
  std::vector<TrajectoryStage> stages_;
  std::unique_ptr<TrajectoryProblem> problem_;
  std::unique_ptr<TrustRegionSqp> solver_;
  int loaded_stage_ = -1;
};

}  // namespace holo::articulated
