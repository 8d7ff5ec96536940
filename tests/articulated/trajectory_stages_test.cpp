// The stages of a trajectory's optimization, on the walk of a hopper.
#include "holo/sim/articulated/trajectory/trajectory_stages.h"

#include "holo/core/numerics/parallel.h"
#include "trajectory_samples.h"

namespace holo::articulated::trajectory_stages_tests {

using namespace test;
using Eigen::MatrixXd, Eigen::VectorXd;

TrajectoryStagesOptions options_with(int iterations) {
  TrajectoryStagesOptions options;
  for (TrustRegionSqpOptions* solver : {&options.spline_solver, &options.polish_solver}) {
    solver->max_iterations = iterations;
    solver->metric = TrustRegionMetric::identity;
  }
  return options;
}

TEST(TrajectoryStages, EndInAWalkThatSatisfiesTheEquationsOfMotion) {
  const TrajectoryModel model = walk("hopper6", 40);
  TrajectoryStages stages(model, options_with(300));
  EXPECT_EQ(stages.stages(), (std::vector<TrajectoryStage>{TrajectoryStage::spline, TrajectoryStage::spline_restoration,
                                                           TrajectoryStage::restoration, TrajectoryStage::polish,
                                                           TrajectoryStage::final_restoration}));
  TrajectoryStagesState state = stages.begin();
  EXPECT_NEAR(stages.problem(state).values(state.point).losses, 1, 1e-12);  // at the start
  int calls = 0;
  while (stages.advance(state, 50)) ASSERT_LT(++calls, 100);
  ASSERT_EQ(state.results.size(), 5u);
  for (const TrajectoryStageResult& result : state.results)
    RecordProperty(to_string(result.stage), result.status + " after " + std::to_string(result.iterations));
  RecordProperty("C_full of the spline [N]", std::to_string(state.results[0].values.full_violation));
  const TrajectoryStageResult &spline = state.results[0], &restored = state.results[2], &polished = state.results[3],
                              &last = state.results[4];
  EXPECT_TRUE(spline.is_converged) << spline.status << ": " << spline.diagnosis;
  EXPECT_LT(spline.values.reduced_violation, 1e-5);
  EXPECT_LT(spline.stationarity, 1e-4);
  EXPECT_GT(spline.values.full_violation, 1);  // tested equations of motion are weaker
  EXPECT_LT(spline.values.objective(), 0.2);   // of 1 at the start
  EXPECT_TRUE(restored.is_converged) << restored.diagnosis;
  EXPECT_LT(restored.values.full_violation, 1e-9);
  EXPECT_LT(polished.values.objective(), spline.values.objective());
  EXPECT_TRUE(last.is_converged) << last.diagnosis;
  EXPECT_LT(last.values.full_violation, 1e-5);
  EXPECT_LE(last.values.objective(), spline.values.objective());
  EXPECT_EQ(last.values.reduced_violation, last.values.full_violation);
  const TrajectoryStates& states = stages.problem(state).states(state.point);
  EXPECT_GT(states.coordinates(40)[0] - states.coordinates(0)[0], 0.4);  // 1 s at 0.5 m/s
}

void expect_equal(const TrajectoryStagesState& a, const TrajectoryStagesState& b) {
  EXPECT_EQ(a.stage, b.stage);
  EXPECT_EQ(a.point, b.point);
  EXPECT_EQ(a.coefficients, b.coefficients);
  EXPECT_EQ(a.solver.radius, b.solver.radius);
  EXPECT_EQ(a.solver.penalty, b.solver.penalty);
  ASSERT_EQ(a.results.size(), b.results.size());
  for (std::size_t i = 0; i < a.results.size(); ++i)
    EXPECT_EQ(a.results[i].values.objective(), b.results[i].values.objective());
}

// A copy of the state in new stages goes on with the same bits, from the middle of a stage and between two; charts are moved on
// the way.
TEST(TrajectoryStages, ContinueFromAStoredStateWithTheSameBits) {
  const TrajectoryModel model = walk("mammal18", 10, 0.3);
  TrajectoryStagesOptions options = options_with(14);
  options.segment_length = 5;
  options.recentering = 1e-3;
  TrajectoryStages stages(model, options);
  TrajectoryStagesState state = stages.begin();
  std::vector<TrajectoryStagesState> stored{state};
  while (stages.advance(state, 3)) stored.push_back(state);
  EXPECT_GT(state.recenterings, 2);
  for (std::size_t i = 0; i + 1 < stored.size(); ++i) {
    TrajectoryStages others(model, options);
    TrajectoryStagesState resumed = stored[i];
    EXPECT_TRUE(others.advance(resumed, 3));
    expect_equal(resumed, stored[i + 1]);
  }
  TrajectoryStagesState at_once = stages.begin();
  while (stages.advance(at_once, 100)) {
  }
  expect_equal(at_once, state);
  EXPECT_EQ(at_once.recenterings, state.recenterings);
  EXPECT_EQ(state.results.back().values.objective(), stages.problem(state).values(state.point).objective());
  EXPECT_FALSE(stages.advance(state, 3));
}

// Recentering changes the tested equations of motion, so that it does not come between the last iteration and the result.
TEST(TrajectoryStages, AreConvergedWhereChartsAreMoved) {
  const TrajectoryModel model = walk("mammal18", 10, 0.3);
  TrajectoryStagesOptions options = options_with(500);
  options.segment_length = 5;
  options.recentering = 1e-3;
  options.polish = false;
  TrajectoryStages stages(model, options);
  TrajectoryStagesState state = stages.begin();
  while (stages.advance(state, 100)) {
  }
  EXPECT_GT(state.recenterings, 0);
  EXPECT_TRUE(state.results[0].is_converged) << state.results[0].diagnosis;
  EXPECT_LT(state.results[0].values.reduced_violation, 1e-5);
  EXPECT_GT(state.results[0].values.full_violation, 1e-2);
}

TEST(TrajectoryStages, AreThoseOfTheOptions) {
  const TrajectoryModel model = walk("hopper6", 6);
  using Stage = TrajectoryStage;
  TrajectoryStagesOptions options;
  options.polish = false;
  EXPECT_EQ(TrajectoryStages(model, options).stages(), (std::vector<Stage>{Stage::spline, Stage::spline_restoration}));
  options.segment_length = 1;
  EXPECT_EQ(TrajectoryStages(model, options).stages(), std::vector<Stage>{Stage::polish});
  options.polish = true;
  EXPECT_EQ(TrajectoryStages(model, options).stages(), (std::vector<Stage>{Stage::polish, Stage::final_restoration}));
}

// A batch of copies that share a model and run on several threads: each has the bits of one that runs alone.
TEST(TrajectoryStages, OfABatchOfCopiesEqualOne) {
  const TrajectoryModel model = walk("hopper6", 20);
  const auto run = [&] {
    TrajectoryStages stages(model, options_with(15));
    TrajectoryStagesState state = stages.begin();
    while (stages.advance(state, 50)) {
    }
    return state;
  };
  const TrajectoryStagesState alone = run();
  ASSERT_EQ(alone.results.size(), 5u);
  std::vector<TrajectoryStagesState> batch(4);
  parallel_for(batch.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t copy = begin; copy < end; ++copy) batch[copy] = run();
  });
  for (const TrajectoryStagesState& each : batch) expect_equal(each, alone);
}

// In each stage, elsewhere than at the start, too.
TEST(TrajectoryStages, KeepAGivenEnd) {
  for (const double distance : {0.0, 0.1}) {
    TrajectoryModel::Definition definition = standing(shared_character("hopper6", BaseChart::planar), 20);
    add_loss(definition, "center_of_mass_velocity", "{body: hopper6, target: [0.2, 0, 0]}");
    if (distance > 0) {
      definition.end = definition.start;
      definition.end.coordinates[0] += distance;
    }
    const TrajectoryModel model(std::move(definition));
    TrajectoryStagesOptions options = options_with(15);
    options.segment_length = 5;
    options.end = TrajectoryEnd::state;
    TrajectoryStages stages(model, options);
    TrajectoryStagesState state = stages.begin();
    const int n = model.character().dof_count();
    const auto state_at = [&](int step) {
      return VectorXd(Eigen::Map<const VectorXd>(stages.problem(state).states(state.point).coordinates(step), n));
    };
    const VectorXd end = Eigen::Map<const VectorXd>(model.end().coordinates.data(), n);
    EXPECT_EQ(end[0] - model.definition().start.coordinates[0], distance);
    for (bool goes_on = true; goes_on;) {
      EXPECT_EQ(state_at(20), end);
      goes_on = stages.advance(state, 50);
    }
    EXPECT_EQ(state_at(20), end);
    EXPECT_NE(state_at(19), end);
    EXPECT_LT(state.results.back().values.full_violation, 1e-5);
  }
}

// Coefficients of a spline with two steps in a segment, tau = 0 at its start, from all states: with s = 1/2 the Hermite
// polynomials give x_2z+1 = (x_2z + x_2z+2) / 2 + (tau_z - tau_z+1) / 8.
MatrixXd pairs_of(const MatrixXd& states) {
  MatrixXd result = MatrixXd::Zero(states.rows(), states.cols() + 1);
  for (Eigen::Index z = 0; 2 * z < states.cols(); ++z) {
    result.col(2 * z) = states.col(2 * z);
    if (z == 0) continue;
    const VectorXd mean = (states.col(2 * z - 2) + states.col(2 * z)) / 2;
    result.col(2 * z + 1) = result.col(2 * z - 1) + 8 * (mean - states.col(2 * z - 1));
  }
  return result;
}

// The reduction of the constraints is exact where the spline has as many coefficients as single steps: the same motions satisfy
// the equations of motion, and a minimum of one problem is one of the other.
TEST(TrajectoryStages, OfSegmentsOfTwoStepsHaveTheMinimumOfSingleSteps) {
  const TrajectoryModel model = walk("hopper6", 20);
  TrajectoryStagesOptions options = options_with(1000);
  options.segment_length = 1;
  options.polish = false;
  TrajectoryStages stages(model, options);
  TrajectoryStagesState state = stages.begin();
  while (stages.advance(state, 1000)) {
  }
  EXPECT_TRUE(state.results[0].is_converged) << state.results[0].diagnosis;
  const double minimum = state.results[0].values.objective();

  TrajectoryProblem pairs(model, TrajectoryBasis::spline(20, 2));
  pairs.set_loss_scale(state.loss_scale);
  pairs.set_coefficients(pairs_of(state.coefficients));
  VectorXd point = pairs.point();
  ASSERT_EQ(pairs.unknown_count(), stages.problem(state).unknown_count());
  ASSERT_EQ(pairs.constraint_count(), stages.problem(state).constraint_count());
  const TrajectoryValues start = pairs.values(point);
  EXPECT_NEAR(start.objective(), minimum, 1e-9 * minimum);
  TrustRegionSqpOptions solver_options = options.spline_solver;
  solver_options.max_iterations = 200;
  const TrustRegionSqpResult result = TrustRegionSqp(pairs, solver_options).solve(point);
  const TrajectoryValues end = pairs.values(point);
  EXPECT_LT(end.full_violation, 1e-5) << to_string(result.status);
  EXPECT_NEAR(end.objective(), minimum, 1e-6 * minimum) << to_string(result.status) << " " << result.iterations.size();
}

}  // namespace holo::articulated::trajectory_stages_tests
