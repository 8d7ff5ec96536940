// The ways to a step agree on mechanisms, away from the solution: states, controls, rates and multipliers are all off.
#include <gtest/gtest.h>

#include <random>

#include "../opt_staged/random_problem.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/opt/staged/staged_step.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace mechanism_steps {

struct Case {
  const char* name;
  int knots;
  StagedStepKind reference;
  std::function<MechanismModel()> make;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class StepsOfMechanisms : public testing::TestWithParam<Case> {};

std::vector<NamedLoss> losses(oracle::LossContext& names, bool has_design) {
  std::vector<NamedLoss> result;
  const auto add = [&](const std::string& type, const std::string& yaml) { oracle::add_loss(result, names, type, yaml); };
  add("track_position", "{body: all, point: [0.1, 0.2, 0.3], target: [0.1, 0.2, 0.3], weight: 0.1}");
  add("keep_control", "{control: all, weight: 100}");
  add("smooth_control", "{control: all, weight: 0.01}");
  if (has_design) add("keep_design_parameter", "{design_parameter: all, weight: 100}");
  return result;
}

TEST_P(StepsOfMechanisms, AgreeInTheStepAndAllMultipliers) {
  if (!is_available(GetParam().reference)) GTEST_SKIP() << "built without " << to_string(GetParam().reference);
  const int knots = GetParam().knots;
  const auto model = std::make_shared<const MechanismModel>(GetParam().make());
  const auto layout = std::make_shared<const MechanismLayout>(model);
  const Eigen::MatrixXd controls = layout->rest_controls().replicate(1, knots), none(0, knots);
  MechanismMotionOptions options;
  options.redundant_actuation = RedundantActuation::free;
  const MechanismMotion motion = make_motion(model, controls, layout->rest_parameters(), none, options);
  oracle::LossContext names(layout, knots);
  const auto terms = losses(names, layout->parameter_count() > 0);
  const MechanismProblem problem(motion.equations, terms, {names.values(), controls, layout->rest_parameters(), 0.05}, none);
  StagedPoint point = problem.point(motion.states, motion.controls, motion.parameters);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> change(-0.01, 0.01);
  for (Eigen::MatrixXd* matrix : {&point.states, &point.controls, &point.rates})
    for (double& value : matrix->reshaped()) value += change(random);
  for (double& value : point.parameters) value += change(random);
  Eigen::MatrixXd multipliers = Eigen::MatrixXd::Zero(problem.layout().state_count, knots);
  for (double& value : multipliers.reshaped()) value = 0.1 * change(random);  // larger ones leave no minimum
  StagedQuadratic quadratic(problem.layout());
  ASSERT_EQ(quadratic.linearize(problem, point, multipliers, false), -1);

  const auto step_of = [&](StagedStepKind kind) {
    const auto solver = make_staged_step(kind, problem.layout());
    StagedDirection direction(problem.layout());
    EXPECT_TRUE(solver->prepare(quadratic).solved());
    EXPECT_TRUE(solver->solve(quadratic, direction).solved()) << to_string(kind);
    return direction;
  };
  const StagedDirection reference = step_of(GetParam().reference);
  EXPECT_GT(reference.step.states.norm(), 1e-3);
  EXPECT_LT(test::relative_difference(step_of(StagedStepKind::arrow), reference), 1e-9);
  EXPECT_LT(test::relative_difference(step_of(StagedStepKind::dense_riccati), reference), 1e-9);
}

// A cam on the crank's shaft moves a slide that carries a configurable one.
MechanismModel cam_on_a_slider_crank() {
  const MechanismModel base = oracle::slider_crank_with_a_rod_of_any_length(true);
  std::vector<MechanismBody> bodies = base.bodies();
  std::vector<MechanismJoint> joints = base.joints();
  bodies.push_back({"follower", {0, 0, 1}});
  MechanismJoint rail = joints[std::size_t(base.joint("rail"))];
  rail.name = "follower_rail";
  rail.body_b = int(bodies.size()) - 1;
  joints.push_back(rail);
  return {bodies, joints, {}, {{int(joints.size()) - 1, base.joint("crank_pivot"), {0, 0.4, 0.3, -0.1, 0.05}}}};
}

// Both references solve the same conditions. Without METIS' ordering the larger robots fill gigabytes.
INSTANTIATE_TEST_SUITE_P(
    All, StepsOfMechanisms,
    testing::Values(Case{"four_bar", 20, StagedStepKind::sparse_lu, [] { return oracle::four_bar(); }},
                    Case{"geared", 20, StagedStepKind::sparse_lu, [] { return cam_on_a_slider_crank(); }},
                    Case{"legs", 20, StagedStepKind::sparse_lu, [] { return oracle::paper_robot("legs"); }},
                    Case{"biker", 20, StagedStepKind::umfpack_metis, [] { return oracle::paper_robot("biker"); }},
                    Case{"kickbot", 10, StagedStepKind::umfpack_metis, [] { return oracle::paper_robot("kickbot"); }}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace mechanism_steps
}  // namespace holo
