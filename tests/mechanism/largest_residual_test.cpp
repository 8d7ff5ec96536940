// The largest violation of a joint, which acceptance of every design rests on, is looked for among all equations and knots.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace largest_residual {

constexpr int knots = 5;

MechanismProblem four_bar_problem(MechanismMotion& motion) {
  const auto model = std::make_shared<const MechanismModel>(oracle::four_bar());
  const Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(knots, 0, 0.5);
  motion = make_motion(model, controls, Eigen::VectorXd(0), Eigen::MatrixXd(0, knots));
  oracle::LossContext names(motion.layout, knots);
  std::vector<NamedLoss> losses;
  oracle::add_loss(losses, names, "keep_control", "{control: all, weight: 1}");
  return {motion.equations, losses, {names.values(), controls, Eigen::VectorXd(0), 0.1}, motion.prescribed};
}

// Each row by each state that it contains, at each knot; compared with the equations' own values, row after row.
TEST(LargestResidual, IsFoundWhereverItIs) {
  MechanismMotion motion;
  const MechanismProblem problem = four_bar_problem(motion);
  const MechanismLayout& layout = *motion.layout;
  const StagedPoint start = problem.point(motion.states, motion.controls, motion.parameters);
  EXPECT_LT(problem.largest_residual(start, false).value, 1e-11);
  std::set<int> seen, seen_dropped;
  Eigen::MatrixXd all(Eigen::Index(layout.equations().size()), knots);
  for (int i = 0; i < layout.state_count() * knots; ++i) {
    StagedPoint point = start;
    point.states(i % layout.state_count(), i / layout.state_count()) += 1e-3;
    motion.equations->all_equations({point.states, point.controls, point.parameters, motion.prescribed}, all);
    const auto largest = problem.largest_residual(point, false), redundant = problem.largest_residual(point, true);
    EXPECT_EQ(largest.value, all.cwiseAbs().maxCoeff());
    EXPECT_EQ(std::abs(all(largest.equation, largest.knot)), largest.value);
    double expected = 0;
    for (const int row : layout.elimination().redundant) expected = std::max(expected, all.row(row).cwiseAbs().maxCoeff());
    EXPECT_EQ(redundant.value, expected);
    EXPECT_EQ(problem.largest_redundant_residual(point), expected);
    seen.insert(largest.equation);
    seen_dropped.insert(redundant.equation);
  }
  StagedPoint turned = start;
  turned.controls(0, knots - 1) += 0.1;  // which the drive's last row alone contains
  const auto largest = problem.largest_residual(turned, false);
  EXPECT_TRUE(layout.is_actuation(largest.equation));
  EXPECT_EQ(largest.knot, knots - 1);
  EXPECT_NEAR(largest.value, std::sin(0.1), 1e-9);
  EXPECT_GT(*seen.rbegin(), int(layout.equations().size()) * 3 / 4) << "rows near the end are among those that were largest";
  EXPECT_GT(seen.size(), 8u);
}

}  // namespace largest_residual
}  // namespace holo
