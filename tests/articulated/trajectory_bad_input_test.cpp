// Trajectories of wrong sizes, and of numbers that are none, are refused or reported.
#include <limits>

#include "../refusal_message.h"
#include "holo/sim/articulated/trajectory/trajectory_stages.h"
#include "trajectory_samples.h"

namespace holo::articulated::trajectory_bad_input_tests {

using namespace test;
using Eigen::MatrixXd, Eigen::VectorXd;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class Call>
std::string internal_error(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::internal);
    return error.what();
  }
  return "nothing was thrown";
}

template <class Change>
std::string refused_model(Change change) {
  TrajectoryModel::Definition definition = above_a_floor(shared_character("mammal18", BaseChart::rotation_vector), 4);
  change(definition);
  return internal_error([&] { TrajectoryModel(std::move(definition)); });
}

TEST(TrajectoryModelBadInput, StatesWhatDoesNotFit) {
  using Definition = TrajectoryModel::Definition;
  EXPECT_EQ(refused_model([](Definition&) {}), "nothing was thrown");
  EXPECT_EQ(refused_model([](Definition& d) { d.steps = 0; }),
            "a trajectory has 0 steps of 0.025 s; it needs at least one, of more than 0 s.");
  EXPECT_EQ(refused_model([](Definition& d) { d.step.time_step = 0; }),
            "a trajectory has 4 steps of 0 s; it needs at least one, of more than 0 s.");
  EXPECT_EQ(refused_model([](Definition& d) { d.start.coordinates.pop_back(); }),
            "a trajectory starts at a pose of 17 coordinates and 1 reference rotations; the character has 18 and 1.");
  EXPECT_EQ(refused_model([](Definition& d) { d.before.references.clear(); }),
            "a trajectory starts at a pose of 18 coordinates and 0 reference rotations; the character has 18 and 1.");
  EXPECT_EQ(refused_model([](Definition& d) { d.data.signals.push_back(MatrixXd::Zero(3, 4)); }),
            "a signal of a trajectory has 4 values; it needs 1, or those of the 5 states from 0 on.");
  EXPECT_EQ(refused_model([](Definition& d) {
              d.data.signals = {MatrixXd::Zero(3, 5), MatrixXd::Zero(3, 1)};
            }),
            "nothing was thrown");
  EXPECT_EQ(refused_model([](Definition& d) { d.effort_weight = -1; }),
            "the effort has the weight -1 and the unit 1; allowed are >= 0 and > 0.");
  EXPECT_EQ(refused_model([](Definition& d) { d.effort_unit = not_a_number; }),
            "the effort has the weight 0.0001 and the unit nan; allowed are >= 0 and > 0.");
}

TEST(TrajectoryBasisBadInput, NeedsAStepAndSegmentsOfTwo) {
  EXPECT_EQ(internal_error([] { TrajectoryBasis::nodal(0); }), "a trajectory has 0 steps; it needs at least 1.");
  EXPECT_EQ(internal_error([] { TrajectoryBasis::spline(10, 1); }), "a spline's segments have 1 steps; they need at least 2.");
  EXPECT_EQ(TrajectoryBasis::spline(10, std::numeric_limits<int>::max()).point_count(), 2);  // longer than all steps
}

TEST(TrajectoryProblemBadInput, RefusesOtherSizes) {
  const TrajectoryModel model(above_a_floor(shared_character("hopper6", BaseChart::planar), 8));
  EXPECT_EQ(internal_error([&] { TrajectoryProblem(model, TrajectoryBasis::nodal(7)); }),
            "the basis has 7 steps; the model has 8.");
  TrajectoryProblem problem(model, TrajectoryBasis::spline(8, 4));
  EXPECT_EQ(internal_error([&] { problem.set_coefficients(MatrixXd::Zero(6, 5)); }),
            "a trajectory gets coefficients 6 x 5; it has 6 x 6.");
  const auto other = shared_character("hopper6", BaseChart::planar);
  EXPECT_EQ(internal_error([&] { problem.set_references(TrajectoryStates(*other, 8, other->rest())); }),
            "the reference rotations of a trajectory come from one of another character or length.");
}

TEST(TrajectoryProblemBadInput, RefusesLossesThatAreNotFinite) {
  TrajectoryModel::Definition definition = above_a_floor(shared_character("hopper6", BaseChart::planar), 4);
  add_loss(definition, "track_center_of_mass", "{body: hopper6, target: [1, 0, 0]}");
  definition.start.coordinates[4] = not_a_number;
  const TrajectoryModel model(std::move(definition));
  TrajectoryProblem problem(model, TrajectoryBasis::nodal(4));
  EXPECT_EQ(holo::test::message([&] { problem.scale_losses(problem.point()); }),
            "the losses of the initial trajectory are not finite.");
}

// The violation of a step whose numbers are none is not that of the others.
TEST(TrajectoryProblemBadInput, ReportsTheStepThatIsNotANumber) {
  const TrajectoryModel model(above_a_floor(shared_character("hopper6", BaseChart::planar), 8));
  TrajectoryProblem problem(model, TrajectoryBasis::nodal(8));
  VectorXd point = problem.point();
  point[3 * 6 + 4] = not_a_number;  // of x_4
  const TrajectoryValues values = problem.values(point);
  EXPECT_TRUE(std::isnan(values.full_violation));
  EXPECT_TRUE(std::isnan(values.reduced_violation));
  EXPECT_TRUE(std::isnan(values.objective()));
  EXPECT_EQ(values.worst_step, 4);
}

TEST(TrajectoryStagesBadInput, WithoutObjectiveAreRefused) {
  TrajectoryModel::Definition definition = standing(shared_character("hopper6", BaseChart::planar), 6);
  definition.effort_weight = 0;
  const TrajectoryModel model(std::move(definition));
  TrajectoryStages stages(model, {});
  const std::string message = holo::test::message([&] { stages.begin(); });
  EXPECT_EQ(message.find("the objective does not depend on the trajectory at its start"), 0u) << message;
}

TEST(TrajectoryStagesBadInput, OfAGivenEndWithoutAnotherPointAreRefused) {
  const TrajectoryModel model = walk("hopper6", 6);
  TrajectoryStagesOptions options;
  options.end = TrajectoryEnd::state;
  TrajectoryStages stages(model, options);
  const std::string message = holo::test::message([&] { stages.begin(); });
  EXPECT_EQ(message.find("a trajectory with one point after its start has a given end"), 0u) << message;
}

TEST(TrajectoryStagesBadInput, RefuseAStateOfAnotherTrajectory) {
  const TrajectoryModel model = walk("mammal18", 6), longer = walk("mammal18", 12);
  TrajectoryStages stages(model, {}), others(longer, {});
  TrajectoryStagesState state = stages.begin();
  EXPECT_THROW(others.advance(state, 1), Error);
  state = stages.begin();
  state.references.pop_back();
  EXPECT_THROW(stages.advance(state, 1), Error);
}

}  // namespace holo::articulated::trajectory_bad_input_tests
