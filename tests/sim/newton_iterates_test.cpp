// No Newton iterate of a time step has an intersection, by exact predicates that share no code with contact: the line search
// keeps to paths without collisions, so that not only the step's result is free of them.
#include <gtest/gtest.h>

#include "holo/sim/dynamics/implicit_euler.h"
#include "holo/sim/elastic/elastic_intersections.h"
#include "scenes.h"

namespace holo::test {
namespace {

// The potential of a step, and the test of each point at which its derivatives are asked for: of the start and of the iterates.
class TestedIterates final : public NewtonProblem {
 public:
  TestedIterates(IncrementalPotential& potential, const ElasticIntersections& test, double time)
      : potential_(potential), test_(test), time_(time) {}
  int dimension() const override { return potential_.dimension(); }
  double energy(const Eigen::VectorXd& x) override { return potential_.energy(x); }
  PatternChange derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                            SparseMatrix& hessian) override {
    if (points_ == 0 || x != last_) {
      ++points_;
      intersections_ += test_.find(x, time_).count();
      last_ = x;
    }
    return potential_.derivatives(x, curvature, gradient, hessian);
  }
  bool has_exact_hessian() const override { return potential_.has_exact_hessian(); }
  double feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) override {
    return potential_.feasible_step(x, direction);
  }
  double step_size(const Eigen::VectorXd& direction) const override { return potential_.step_size(direction); }
  std::vector<Term> terms(const Eigen::VectorXd& x) override { return potential_.terms(x); }
  double energy_resolution(double energy) const override { return potential_.energy_resolution(energy); }
  std::string advice(NewtonStatus status, const Eigen::VectorXd& x) const override { return potential_.advice(status, x); }

  int points() const { return points_; }
  std::int64_t intersections() const { return intersections_; }

 private:
  IncrementalPotential& potential_;
  const ElasticIntersections& test_;
  double time_;
  Eigen::VectorXd last_;
  int points_ = 0;
  std::int64_t intersections_ = 0;
};

// A block falls with an edge first on another one, which lies on a plane and beside a bar that is an obstacle.
ElasticSceneDefinition falling_edge_scene() {
  ElasticSceneDefinition definition;
  definition.time_step = 0.01;
  definition.bodies = {hand_body(HandEnergy::stable, box_source({0.5, 0.4, 0.2}, 48)),
                       hand_body(HandEnergy::stable, box_source({0.3, 0.3, 0.2}, 48))};
  definition.bodies[0].name = "lower";
  definition.bodies[0].translation = {0, 0, 0.004};
  definition.bodies[1].name = "upper";
  definition.bodies[1].translation = {0.1, 0.05, 0.35};
  definition.bodies[1].rotation_axis = {0.8, 0.6, 0};
  definition.bodies[1].rotation_angle = 0.5;
  definition.bodies[0].self_contact = definition.bodies[1].self_contact = true;
  ContactDefinition& contact = definition.contact;
  contact.between_bodies = true;
  contact.activation_distance = 0.002;
  contact.planes = {{.name = "ground", .friction = 0.5, .location = {}}};
  MeshObstacleDefinition bar;
  bar.name = "bar";
  bar.mesh = box_source({0.05, 1, 0.3}, 24);
  bar.translation = {0.55, -0.3, 0.05};
  contact.meshes = {bar};
  return definition;
}

TEST(NewtonIterates, OfStepsWithImpactsHaveNoIntersection) {
  const ElasticScene scene(falling_edge_scene());
  const ElasticIntersections test(scene.model, scene.contact);
  ElasticState state = initial_state(*scene.model);
  const ElasticBody& upper = scene.model->bodies()[1];
  for (int v = upper.first_vertex; v < upper.first_vertex + upper.vertex_count; ++v)
    state.velocities.segment<3>(3 * v) = Eigen::Vector3d(3, 0, -8);
  ImplicitEuler integrator(scene);
  Eigen::VectorXd x;
  int points = 0, most = 0;
  for (int step = 1; step <= 8; ++step) {
    ASSERT_TRUE(integrator.begin(state, x)) << step;
    TestedIterates problem(integrator.potential(), test, scene.integration.time_at(step));
    ASSERT_EQ(minimize(problem, x, {.tolerance = 1e-8}, integrator.workspace()).status, NewtonStatus::converged) << step;
    EXPECT_EQ(problem.intersections(), 0) << step;
    integrator.advance(state, x);
    points += problem.points();
    most = std::max(most, problem.points());
  }
  EXPECT_LT(summarize_contact(scene.contact, state.positions, state.time).smallest_gap, 0.002);
  EXPECT_GT(most, 10) << "too few iterates to say anything";
  EXPECT_GT(points, 80);
}

}  // namespace
}  // namespace holo::test
