// Equations that no longer determine the states are seen and chosen anew.
#include <gtest/gtest.h>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/design/mechanism_designer.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace elimination_monitor {

using Eigen::Vector3d;
using oracle::pi;

constexpr int knots = 25;

// One turn of the crank. Three equations are implied by the others, and there is a choice: this one is as good as the best at
// rest, but the independent equations, which turn with the bodies, are singular after a quarter of a turn.
struct Turn {
  std::shared_ptr<const MechanismModel> model =
      std::make_shared<const MechanismModel>(oracle::slider_crank_with_a_rod_of_any_length(true));
  Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(knots, 0, 2 * pi);
  Eigen::MatrixXd prescribed{0, knots};

  MechanismMotion motion(double longer) const {
    MechanismMotion result = make_motion(model, controls, Eigen::VectorXd::Constant(1, longer), prescribed);
    const MechanismLayout all(model);
    const auto row = [&](const char* joint, int number) { return all.first_equation(model->joint(joint)) + number - 1; };
    std::vector<int> redundant = {row("crank_pivot", 4), row("slider_pin", 5), row("rail", 2)};
    std::sort(redundant.begin(), redundant.end());
    result.layout = std::make_shared<const MechanismLayout>(model, Elimination{redundant, {}});
    result.equations = std::make_shared<const ConstraintEquations>(result.layout);
    return result;
  }
};

MechanismUnknowns knots_of(const MechanismMotion& motion) {
  return {motion.states, motion.controls, motion.parameters, motion.prescribed};
}

TEST(EliminationMonitor, EstimatesAreThoseOfADecomposition) {
  const Turn turn;
  const MechanismMotion motion = turn.motion(0),
                        usual = make_motion(turn.model, turn.controls, Eigen::VectorXd::Zero(1), turn.prescribed);
  const EquationQuality quality = equation_quality(*motion.equations, knots_of(motion)),
                        good = equation_quality(*usual.equations, knots_of(usual));
  const auto decomposed = [](const ConstraintEquations& equations, const MechanismMotion& at, bool independent_only) {
    Eigen::VectorXd values(knots);
    for (int k = 0; k < knots; ++k) values[k] = oracle::decomposed_smallest(equations, knots_of(at), k, independent_only);
    return values;
  };
  const Eigen::VectorXd independent = decomposed(*motion.equations, motion, true);
  const double best = decomposed(*usual.equations, usual, true).minCoeff();
  EXPECT_GT(independent[0], 0.9 * best);
  EXPECT_LT(quality.independent, 1e-8);  // 0 to what is told apart
  EXPECT_NEAR(good.independent, best, 0.05 * best);
  const ConstraintEquations all(std::make_shared<const MechanismLayout>(turn.model));
  EXPECT_NEAR(quality.all, decomposed(all, motion, false).minCoeff(), 0.05 * quality.all);
  EXPECT_EQ(quality.knot, knots / 4);
  // And so is what the report says, down to where values are no longer told apart.
  const Eigen::VectorXd all_equations = decomposed(*motion.equations, motion, false);
  const Eigen::VectorXd reported = smallest_singular_values(*motion.equations, knots_of(motion), true),
                        reported_all = smallest_singular_values(*motion.equations, knots_of(motion), false);
  for (int k = 0; k < knots; ++k) {
    EXPECT_NEAR(reported[k], independent[k], 1e-8 * independent[k] + 1e-8) << k;
    EXPECT_NEAR(reported_all[k], all_equations[k], 1e-8 * all_equations[k]) << k;
  }
}

std::vector<NamedLoss> losses(oracle::LossContext& names) {
  std::vector<NamedLoss> result;
  const auto add = [&](const std::string& type, const std::string& yaml) { oracle::add_loss(result, names, type, yaml); };
  add("track_position", "{body: slider, point: [0, 0, 0], target: path, weight: 1}");
  add("keep_control", "{control: all, weight: 1e-2}");
  add("smooth_control", "{control: all, weight: 1e-9}");
  add("keep_design_parameter", "{design_parameter: all, weight: 1e-8}");
  return result;
}

MechanismProblem design_of(const Turn& turn, const MechanismMotion& start) {
  const MechanismMotion wanted = turn.motion(0.3);
  Eigen::Matrix3Xd path(3, knots);
  for (int k = 0; k < knots; ++k)
    path.col(k) = point_of(*turn.model, wanted.states.col(k), turn.model->body("slider"), Vector3d::Zero());
  oracle::LossContext names(start.layout, knots);
  names.add_signal("path", path);
  return {start.equations, losses(names), {names.values(), turn.controls, Eigen::VectorXd::Zero(1), 0.1}, start.prescribed};
}

StagedSqpResult finish(MechanismDesigner& designer, int* reselections) {
  StagedSqpResult result;
  *reselections = 0;
  do {
    result = designer.advance();
    *reselections += designer.new_elimination() ? 1 : 0;
  } while (result.status == StagedSqpStatus::unfinished);
  return result;
}

TEST(EliminationMonitor, ADesignIsFoundWithRowsChosenAnew) {
  const Turn turn;
  const MechanismMotion start = turn.motion(0);
  const MechanismProblem problem = design_of(turn, start);
  const StagedPoint point = problem.point(start.states, start.controls, start.parameters);
  EliminationMonitorOptions never;
  never.every = 0;
  int reselections = 0;
  MechanismDesigner unwatched(problem, point, {}, never), watched(problem, point, {}, {});
  EXPECT_NE(finish(unwatched, &reselections).status, StagedSqpStatus::converged);
  const StagedSqpResult result = finish(watched, &reselections);
  EXPECT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
  EXPECT_EQ(reselections, 1);
  EXPECT_NEAR(watched.point().parameters[0] * turn.model->length(), 0.3, 1e-5);
  EXPECT_LT(watched.problem().largest_residual(watched.point(), false).value, 1e-9);
}

// The gradient of the Lagrangian in the states is the same with either multipliers.
TEST(EliminationMonitor, MappedMultipliersPullAtTheStatesAsBefore) {
  const Turn turn;
  const MechanismMotion start = turn.motion(0);
  const MechanismProblem problem = design_of(turn, start);
  const StagedPoint point = problem.point(start.states, start.controls, start.parameters);
  const auto better = eliminate_anew(problem, point, {});
  ASSERT_TRUE(better);
  EXPECT_GT(better->after.independent, 0.05);
  const MechanismProblem after = problem.with_equations(better->equations);
  StagedMultipliers old;
  old.states.resize(problem.layout().state_count, knots);
  for (Eigen::Index i = 0; i < old.states.size(); ++i) old.states(i) = std::sin(double(i));
  const StagedMultipliers mapped = mapped_multipliers(old, point, problem, after);
  const auto pull = [&](const MechanismProblem& of, const StagedMultipliers& multipliers, int k) {
    const MechanismUnknowns at = {point.states, point.controls, point.parameters, turn.prescribed};
    const Eigen::MatrixXd jacobian =
        of.equations().dense_jacobian(at, k)(of.equations().layout().independent_equations(), Eigen::all);
    return (jacobian.leftCols(of.layout().state_count).transpose() * multipliers.states.col(k)).eval();
  };
  for (int k = 0; k < knots; ++k)
    EXPECT_LT((pull(problem, old, k) - pull(after, mapped, k)).norm(), 1e-10 * pull(problem, old, k).norm()) << k;
}

// Where it stands after any part, another designer goes on to the same bits.
TEST(EliminationMonitor, ADesignerGoesOnFromItsState) {
  const Turn turn;
  const MechanismMotion start = turn.motion(0);
  const MechanismProblem problem = design_of(turn, start);
  const StagedPoint point = problem.point(start.states, start.controls, start.parameters);
  EliminationMonitorOptions often;
  often.every = 1;
  MechanismDesigner whole(problem, point, {}, often), first(problem, point, {}, often), second(problem, point, {}, often);
  int reselections = 0;
  for (int i = 0; i < 3; ++i) first.advance();
  second.restore(first.state());
  finish(whole, &reselections);
  finish(second, &reselections);
  EXPECT_EQ(reselections, 0);  // that was before
  EXPECT_EQ(whole.point().parameters, second.point().parameters);
  EXPECT_EQ(whole.point().states, second.point().states);
}

}  // namespace elimination_monitor
}  // namespace holo
