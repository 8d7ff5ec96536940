// Contact-invariant optimization: the energy of contacts, what both solvers make of it, and what it refuses.
#include "../refusal_message.h"
#include "holo/opt/trajectory/lbfgs.h"
#include "holo/opt/trajectory/levenberg_marquardt.h"
#include "holo/sim/articulated/trajectory/contact_invariant_problem.h"
#include "trajectory_samples.h"

namespace holo::articulated::contact_invariant_solution_tests {

using namespace test;
using Eigen::MatrixXd, Eigen::VectorXd;

// A hopper that stands still with its soles `height` above the floor, for four steps.
struct StillHopper {
  TrajectoryModel model;
  ContactInvariantProblem problem;

  explicit StillHopper(double height) : model(at(height)), problem(model, TrajectoryBasis::nodal(4)) {}
  static TrajectoryModel at(double height) {
    TrajectoryModel::Definition definition = above_a_floor(shared_character("hopper6", BaseChart::planar), 4);
    const CharacterModel& character = *definition.character;
    TrajectoryStates states(character, 1, definition.start);
    double lowest = 1e9;
    for (const ContactPoint& sphere : character.contact_points())
      lowest = std::min(lowest, (states.view(0).kinematics.frames[sphere.dof] * sphere.center)[2] - sphere.radius);
    definition.start.coordinates[std::size_t(character.dof("base_z"))] += height - lowest;
    definition.before = definition.start;
    return TrajectoryModel(std::move(definition));
  }
  // With the same normal force over the weight at all contact points.
  double energy(double normal_force) {
    VectorXd point = problem.point_of(problem.motion().point());
    const int n = model.character().dof_count(), size = problem.unknown_count() / 4;
    for (int step = 0; step < 4; ++step) {
      point.segment(step * size + n, size - n).setZero();
      for (int k = step * size + n + 2; k < (step + 1) * size; k += 3) point[k] = normal_force;
    }
    return problem.interactions(point);
  }
};

double share(double normal_force) { return std::tanh(20 * std::sqrt(normal_force * normal_force + 1e-8) - 2) / 2 + 0.5; }

TEST(ContactInvariantEnergy, VanishesForContactsThatRestAtTheSurface) {
  StillHopper resting(0);
  for (const double force : {0.0, 0.1, 1.0}) {
    EXPECT_GE(resting.energy(force), 0);
    EXPECT_LT(resting.energy(force), 1e-30);  // the squared rounding of a height
  }
}

TEST(ContactInvariantEnergy, IsTheSquaredDistanceOfForcesAndTheSquaredDepth) {
  StillHopper above(0.03), below(-0.02);
  const double contacts = 4.0 * double(above.model.character().contact_points().size());
  for (const double force : {0.0, 0.05, 0.1, 1.0, -0.1}) {
    EXPECT_NEAR(above.energy(force), contacts * share(force) * 9e-4, 1e-15);
    EXPECT_NEAR(below.energy(force), contacts * (1 + share(force)) * 4e-4, 1e-15);
  }
}

// F and the largest violation at the start and at the end.
struct Decrease {
  double before = 0, after = 0, violation_before = 0, violation = 0;
};

template <class Minimize>
Decrease decrease(double weight, const Minimize& minimize) {
  const TrajectoryModel model = walk("hopper6", 20, 0.5, BaseChart::planar);
  ContactInvariantProblem problem(model, TrajectoryBasis::spline(20, 10));
  problem.motion().scale_losses(problem.motion().point());
  VectorXd point = problem.point_of(problem.motion().point());
  PenalizedProblem soft(problem, weight);
  Decrease result{soft.value(point), 0, problem.values(point).full_violation, 0};
  // The standing hopper has its own forces; then it is pushed.
  EXPECT_LT(result.violation_before, 1e-6);
  point += random_vector(point.size(), 3, 0.02);
  result.before = soft.value(point);
  result.violation_before = problem.values(point).full_violation;
  minimize(soft, point);
  result.after = soft.value(point);
  result.violation = problem.values(point).full_violation;
  return result;
}

void expect_decrease(const Decrease& found) {
  EXPECT_LT(found.after, 0.3);  // the losses alone are 1 at rest
  EXPECT_LT(found.after, 0.1 * found.before);
  EXPECT_LT(found.violation, 0.1 * found.violation_before);
}

TEST(ContactInvariantSolvers, LevenbergMarquardtDecreasesTheEnergy) {
  expect_decrease(decrease(1e-3, [](PenalizedProblem& soft, VectorXd& point) {
    LevenbergMarquardtOptions options;
    options.max_iterations = 60;
    LevenbergMarquardt(soft, options).solve(point);
  }));
}

TEST(ContactInvariantSolvers, LbfgsDecreasesTheEnergy) {
  expect_decrease(decrease(1e-3, [](PenalizedProblem& soft, VectorXd& point) {
    LbfgsOptions options;
    options.max_iterations = 400;
    Lbfgs(soft, options).solve(point);
  }));
}

template <class Change>
std::string refusal(Change change) {
  TrajectoryModel::Definition definition = above_a_floor(shared_character("hopper6", BaseChart::planar), 4);
  change(definition);
  const TrajectoryModel model(std::move(definition));
  return holo::test::message([&] { ContactInvariantProblem(model, TrajectoryBasis::nodal(4)); });
}

TEST(ContactInvariantBadInput, StatesWhatIsMissing) {
  using Definition = TrajectoryModel::Definition;
  EXPECT_EQ(refusal([](Definition&) {}), "nothing was thrown");
  EXPECT_EQ(
      refusal([](Definition& d) { d.obstacles.clear(); }),
      "contact-invariant optimization seeks the forces of contact points on obstacles, and there are 2 contact points and 0 "
      "obstacles; it needs at least one of each.");
  EXPECT_EQ(
      refusal([](Definition& d) {
        d.character = shared_character("pendulum2", BaseChart::fixed);
        d.start = d.before = d.character->rest();
      }),
      "contact-invariant optimization seeks the forces of contact points on obstacles, and there are 0 contact points and 1 "
      "obstacles; it needs at least one of each.");
  EXPECT_EQ(refusal([](Definition& d) {
              d.step.gravity = {0, 0, 0};
            }),
            "contact-invariant optimization measures forces in the character's weight, which is 0; give it gravity.");
}

}  // namespace holo::articulated::contact_invariant_solution_tests
