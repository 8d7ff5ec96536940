// The rounds of trajectory and network, on the walk of a hopper.
#include "holo/sim/articulated/trajectory/markov_alternation.h"

#include "refusal_message.h"
#include "trajectory_samples.h"

namespace holo::articulated::markov_alternation_tests {

using namespace test;
using Eigen::MatrixXd, Eigen::VectorXd;

MarkovOptions few_rounds(MarkovLoss loss) {
  MarkovOptions options;
  options.loss = loss;
  options.hidden = {12, 12};
  options.weight = 0.1;
  options.rounds = 4;
  options.trajectory_iterations = 40;
  options.network_iterations = 60;
  options.tolerance = 0;
  options.solver.metric = options.restoration.metric = TrustRegionMetric::identity;
  options.solver.initial_radius = 1;
  return options;
}

MarkovState run(MarkovAlternation& alternation) {
  MarkovState state = alternation.begin();
  int parts = 0;
  while (alternation.advance(state) && parts < 100) ++parts;
  return state;
}

TEST(MarkovAlternation, NeverEndsARoundWithALargerTotalWhereBothPartsSeeIt) {
  const TrajectoryModel model = walk("hopper6", 60);
  MarkovAlternation alternation(model, few_rounds(MarkovLoss::transitions));
  const MarkovState state = run(alternation);
  ASSERT_EQ(state.rounds.size(), 4u);
  for (std::size_t i = 0; i < state.rounds.size(); ++i) {
    const MarkovRound& round = state.rounds[i];
    EXPECT_LE(round.total(), round.total_before_network) << i;
    EXPECT_LE(round.violation, 1e-5) << i;
    if (i > 0) {
      EXPECT_LE(round.total_before_network, state.rounds[i - 1].total()) << i;
    }
    EXPECT_GT(round.network_iterations, 1) << i;
  }
  const TrajectoryValues values = alternation.problem().values(state.point);
  EXPECT_EQ(values.objective(), state.rounds.back().objective);
  EXPECT_NEAR(values.transitions, state.rounds.back().transitions, 1e-12 * values.transitions);
  EXPECT_LT(values.objective(), 0.5);  // of 1 at the start
}

// One iteration leaves C far from zero, and its restoration costs more than it gained.
TEST(MarkovAlternation, UndoesAPartThatEndsWithALargerTotal) {
  const TrajectoryModel model = walk("hopper6", 60);
  MarkovOptions options = few_rounds(MarkovLoss::transitions);
  options.weight = 1;
  options.solver.initial_radius = 30;
  options.trajectory_iterations = 1;
  options.rounds = 30;
  MarkovAlternation alternation(model, options);
  MarkovState state = alternation.begin();
  int undone = 0;
  for (bool goes_on = true; goes_on;) {
    const VectorXd before = state.point;
    const bool is_of_network = state.network_is_next;
    goes_on = alternation.advance(state);
    if (is_of_network || state.round.is_accepted) continue;
    ++undone;
    EXPECT_EQ(state.point, before);
    EXPECT_EQ(state.round.total_before_network, state.rounds.back().total());
  }
  EXPECT_GT(undone, 0);
  for (std::size_t i = 1; i < state.rounds.size(); ++i) EXPECT_LE(state.rounds[i].total(), state.rounds[i - 1].total()) << i;
}

TEST(MarkovAlternation, FitsTheRepeatedMotionWhereAskedTo) {
  const TrajectoryModel model = walk("hopper6", 60);
  MarkovAlternation single(model, few_rounds(MarkovLoss::transitions)), repeated(model, few_rounds(MarkovLoss::rollout));
  const MarkovRound of_single = run(single).rounds.front(), of_repeated = run(repeated).rounds.front();
  EXPECT_EQ(of_single.objective, of_repeated.objective);  // the first network is the same
  EXPECT_LT(of_repeated.rollout, of_single.rollout);
}

TEST(MarkovAlternation, WithoutANetworkIsTheSplineAlone) {
  const TrajectoryModel model = walk("hopper6", 60);
  MarkovAlternation alternation(model, few_rounds(MarkovLoss::none));
  const MarkovState state = run(alternation);
  TrajectoryProblem problem(model, TrajectoryBasis::spline(60, 10));
  problem.scale_losses(problem.point());
  VectorXd point = problem.point();
  TrustRegionSqpOptions options = few_rounds(MarkovLoss::none).solver;
  options.max_iterations = 160;
  TrustRegionSqp(problem, options).solve(point);
  // Restorations after each round make the difference.
  EXPECT_NEAR(problem.values(point).objective(), state.rounds.back().objective, 0.02);
  EXPECT_EQ(alternation.recurrence(), nullptr);
  EXPECT_EQ(state.rounds.back().transitions, 0);
}

TEST(MarkovAlternation, ContinuesFromAStateWithTheSameBits) {
  const TrajectoryModel model = walk("hopper6", 40);
  for (const MarkovLoss loss : {MarkovLoss::transitions, MarkovLoss::rollout}) {
    MarkovAlternation whole(model, few_rounds(loss));
    const MarkovState expected = run(whole);
    MarkovState state = MarkovAlternation(model, few_rounds(loss)).begin();
    int parts = 0;
    for (bool goes_on = true; goes_on && parts < 100; ++parts)
      goes_on = MarkovAlternation(model, few_rounds(loss)).advance(state);
    EXPECT_EQ(parts, 8);
    EXPECT_EQ(state.point, expected.point);
    EXPECT_EQ(state.network, expected.network);
    EXPECT_EQ(state.rounds.back().rollout, expected.rounds.back().rollout);
  }
}

TEST(MarkovAlternation, RepeatsAMotionFromItsFirstPoint) {
  const TrajectoryModel model = walk("hopper6", 60);
  MarkovAlternation alternation(model, few_rounds(MarkovLoss::rollout));
  const MarkovState state = run(alternation);
  const MatrixXd motion = alternation.states(state.point);
  const MatrixXd repeated = alternation.repeat(state.network, motion.col(0), int(motion.cols()));
  EXPECT_EQ(repeated.col(0), motion.col(0));
  EXPECT_NEAR(0.1 / double(motion.cols() - 1) * (motion - repeated).squaredNorm(), state.rounds.back().rollout,
              1e-10 * state.rounds.back().rollout);
  EXPECT_EQ(distance_from_motion(*alternation.recurrence(), motion, motion), 0);
  // One feature of one of the points moved.
  MatrixXd moved = motion;
  const double small = 1e-6;
  moved(1, 2) += small;
  EXPECT_NEAR(distance_from_motion(*alternation.recurrence(), moved, motion),
              small / std::sqrt(double(alternation.recurrence()->feature_count() * motion.cols())), 1e-12);
  moved(1, 2) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(distance_from_motion(*alternation.recurrence(), moved, motion), std::numeric_limits<double>::infinity());
}

TEST(MarkovAlternation, NeedsTwoPoints) {
  const TrajectoryModel model = walk("hopper6", 10);
  EXPECT_EQ(holo::test::message([&] { MarkovAlternation(model, few_rounds(MarkovLoss::transitions)); }),
            "a Markovian regularization needs two points after the start; give the trajectory more time steps or shorter "
            "segments.");
}

}  // namespace holo::articulated::markov_alternation_tests
