// The smallest singular value of a mechanism's equations, its gradient, and the penalty that keeps it up.
#include <gtest/gtest.h>

#include "holo/opt/staged/staged_sqp.h"
#include "holo/sim/mechanism/constraints/redundant_equations.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace singularity {

using Eigen::Vector3d;
using oracle::Oracle;

// Of all unknowns (p, u, s) of one knot, against differences of eighth order of the decomposition's value: rounding of 1e-15
// over steps of 1e-3 leaves 1e-12, and what the order leaves is less.
void expect_gradient(const ConstraintEquations& equations, const Eigen::VectorXd& unknowns) {
  const MechanismLayout& layout = equations.layout();
  const int np = layout.parameter_count(), nu = layout.control_count();
  const SingularityPenalty penalty(layout, {0.1, 1});
  const Eigen::MatrixXd prescribed(0, 1);
  const auto with = [&](const Eigen::VectorXd& x, const auto& body) {
    const Eigen::MatrixXd states = x.tail(layout.state_count()), controls = x.segment(np, nu);
    const Eigen::VectorXd parameters = x.head(np);
    return body(MechanismUnknowns{states, controls, parameters, prescribed});
  };
  const auto smallest = [&](const Eigen::VectorXd& x) {
    return with(x, [&](const MechanismUnknowns& at) { return oracle::decomposed_smallest(equations, at, 0, false); });
  };
  Eigen::VectorXd gradient;
  const double value = with(unknowns, [&](const MechanismUnknowns& at) { return penalty.smallest(at, 0, gradient); });
  EXPECT_NEAR(value, smallest(unknowns), 1e-12);
  const double h = 1e-3, weights[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  for (Eigen::Index i = 0; i < unknowns.size(); ++i) {
    double slope = 0;
    for (int k = 1; k <= 4; ++k) {
      Eigen::VectorXd up = unknowns, down = unknowns;
      up[i] += k * h;
      down[i] -= k * h;
      slope += weights[k - 1] * (smallest(up) - smallest(down)) / h;
    }
    EXPECT_NEAR(gradient[i], slope, 1e-9) << i;
  }
}

// Driven by the slider: where crank and rod are in one line it loses the crank.
MechanismModel slider_drives_crank() { return oracle::slider_crank_with_a_rod_of_any_length(false); }

TEST(Singularity, TheGradientIsThatOfTheSingularValue) {
  MechanismBuilder cam = oracle::on_the_ground();
  cam.body("crank", {0.3, 0.2, 0});
  cam.body("slide", {0.5, -0.4, 0.2});
  oracle::hinge(cam, "shaft", "base", "crank", {0, 0, 0}, {0.2, 0.3, 1}, JointRole::configurable);
  cam.joint("rail", "prismatic", "base", "slide", {0.2, 0.1, 0}, axes_along({1, 0.4, 0.1}), JointRole::actuator);
  cam.couple("rail", "shaft", {0, 0.4, 0.3, -0.1, 0.05});
  for (const MechanismModel& model : {oracle::four_bar(), slider_drives_crank(), cam.build()}) {
    const Oracle mechanism(model);
    const MechanismLayout& layout = *mechanism.layout;
    Eigen::VectorXd unknowns(layout.parameter_count() + layout.control_count() + layout.state_count());
    unknowns << layout.rest_parameters(), layout.rest_controls(), layout.rest_state();
    for (Eigen::Index i = 0; i < unknowns.size(); ++i)
      unknowns[i] += 0.05 * std::sin(1.0 + 3.0 * double(i));  // nothing holds there
    expect_gradient(*mechanism.equations, unknowns);
  }
}

constexpr int knots = 15;

// The slider goes out to 3.5 m; the dead center is at 3.53 m.
struct Reach {
  std::shared_ptr<const MechanismModel> model = std::make_shared<const MechanismModel>(slider_drives_crank());
  Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(knots, 0, 3.5 - model->bodies()[4].origin.x());
  MechanismMotion motion = make_motion(model, controls, Eigen::VectorXd::Zero(1), Eigen::MatrixXd(0, knots));
  oracle::LossContext names{motion.layout, knots};
  std::vector<NamedLoss> losses;

  Reach() {
    add("keep_control", "{control: all, weight: 1}");
    add("smooth_control", "{control: all, weight: 1e-9}");
    add("keep_design_parameter", "{design_parameter: all, weight: 1e-4}");
  }
  void add(const std::string& type, const std::string& yaml) { oracle::add_loss(losses, names, type, yaml); }
  MechanismProblem problem(const SingularityPenaltyOptions& penalty = {}) const {
    return {motion.equations, losses, {names.values(), controls, Eigen::VectorXd::Zero(1), 0.1}, motion.prescribed, {penalty}};
  }
  NearestSingularity nearest(const StagedPoint& at) const {
    return nearest_singularity(*motion.layout, {at.states, at.controls, at.parameters, motion.prescribed});
  }
};

TEST(Singularity, ThePenaltyKeepsADesignAway) {
  const Reach reach;
  constexpr double wanted = 0.06;
  MechanismProblem problem = reach.problem({wanted, 100});
  StagedPoint point = problem.point(reach.motion.states, reach.motion.controls, reach.motion.parameters);
  EXPECT_LT(reach.nearest(point).value, 0.6 * wanted);
  StagedSqpOptions options;
  options.schedule = RegularizerSchedule::off;
  const StagedSqpResult result = StagedSqp(problem, options).solve(point);
  EXPECT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
  EXPECT_GT(reach.nearest(point).value, 0.98 * wanted);
  EXPECT_LT(problem.largest_residual(point, false).value, 1e-9);
}

// Of the unknowns of the last knot, which is nearer than wanted, against differences of second order: 1e-5 is small beside
// the singular value of 0.04, and large beside its error of 1e-12.
TEST(Singularity, ThePenaltysSlopeIsThatOfTheObjective) {
  const Reach reach;
  MechanismProblem problem = reach.problem({0.1, 1e4});
  const StagedPoint point = problem.point(reach.motion.states, reach.motion.controls, reach.motion.parameters);
  constexpr int last = knots - 1;
  constexpr double h = 1e-5;
  const int ns = problem.layout().state_count;
  StagedQuadratic quadratic(problem.layout());
  ASSERT_EQ(quadratic.linearize(problem, point, Eigen::MatrixXd::Zero(ns, knots), false), -1);
  const Eigen::VectorXd gradient = quadratic.blocks[last / stage_lanes].gradient.col(last % stage_lanes);
  EXPECT_GT(gradient.norm(), 100);
  const auto objective = [&](const StagedPoint& at) {
    double value = 0;
    Eigen::MatrixXd residual(ns, 1);
    problem.evaluate(at, last, last + 1, &value, residual);
    return value;
  };
  const auto slope = [&](const auto& unknown) {
    StagedPoint up = point, down = point;
    unknown(up) += h;
    unknown(down) -= h;
    return (objective(up) - objective(down)) / (2 * h);
  };
  EXPECT_NEAR(gradient[0], slope([](StagedPoint& at) -> double& { return at.parameters[0]; }), 1e-6 * gradient.norm());
  EXPECT_NEAR(gradient[1], slope([](StagedPoint& at) -> double& { return at.controls(0, last); }), 1e-6 * gradient.norm());
  for (int i = 0; i < ns; ++i)
    EXPECT_NEAR(gradient.tail(ns)[i], slope([&](StagedPoint& at) -> double& { return at.states(i, last); }),
                1e-6 * gradient.norm())
        << i;
}

TEST(Singularity, TheReportNamesWhoIsConcerned) {
  const Reach reach;
  const MechanismProblem problem = reach.problem();
  const NearestSingularity nearest =
      reach.nearest(problem.point(reach.motion.states, reach.motion.controls, reach.motion.parameters));
  EXPECT_EQ(nearest.knot, knots - 1);
  EXPECT_NEAR(
      nearest.value,
      oracle::decomposed_smallest(
          *reach.motion.equations,
          {reach.motion.states, reach.motion.controls, reach.motion.parameters, reach.motion.prescribed}, knots - 1, false),
      1e-3);
  double bodies = 0;
  for (const auto& [name, part] : nearest.bodies) bodies += part;
  EXPECT_NEAR(bodies, 1, 1e-9);
  const std::string first = nearest.bodies[0].first;
  EXPECT_TRUE(first == "crank" || first == "rod" || first == "rod_end") << first;  // the slider is held
  EXPECT_LT(nearest.bodies.back().second, 1e-2);
}

}  // namespace singularity
}  // namespace holo
