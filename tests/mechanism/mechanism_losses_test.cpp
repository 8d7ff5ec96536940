// What losses say of a mechanism's own unknowns: gradients and Hessians against differences, far from any minimum.
#include "holo/sim/mechanism/losses/mechanism_losses.h"

#include <gtest/gtest.h>

#include <random>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace mechanism_losses_tests {

constexpr int lanes = int(HOLO_LANE_WIDTH);

// An arm 3 m long, so that the layout's unit is none of the world's: with a hinge, a slide and a length to choose.
struct Arm {
  std::shared_ptr<const MechanismLayout> layout;
  std::unique_ptr<oracle::LossContext> names;
  std::vector<NamedLoss> all;
  std::unique_ptr<MechanismLosses> losses;
  std::vector<int> hessian_values;
  Eigen::MatrixXd states, controls, rates;
  Eigen::VectorXd parameters;
  LossData data;
  static constexpr int knots = 3;

  Arm() {
    MechanismBuilder builder(oracle::plugins());
    builder.body("upper", {0.5, 0, 0});
    builder.body("fore", {1.5, 0, 0});
    builder.body("hand", {3, 0, 0});
    builder.joint("shoulder", "revolute", "world", "upper", {0, 0, 0}, axes_along(oracle::along_z), JointRole::actuator);
    builder.joint("slide", "prismatic", "upper", "fore", {1, 0, 0}, axes_along(oracle::along_x), JointRole::actuator);
    builder.joint("reach", "prismatic", "fore", "hand", {2, 0, 0}, axes_along(oracle::along_y), JointRole::configurable);
    layout = std::make_shared<const MechanismLayout>(std::make_shared<const MechanismModel>(builder.build()));
    names = std::make_unique<oracle::LossContext>(layout, knots);
    add("track_position", "{body: hand, point: [0.3, -0.2, 0.5], target: [1, 2, 3], weight: [2, 3, 4]}");
    add("track_orientation", "{body: fore, target: [1, 0, 0, 0], weight: 2}");
    add("smooth_control", "{control: all, weight: 1}");
    add("keep_control", "{control: slide, weight: 5}");
    add("keep_design_parameter", "{design_parameter: reach, weight: 7}");
    losses = std::make_unique<MechanismLosses>(layout, all);
    for (std::size_t i = 0; i < losses->hessian_entries().size(); ++i) hessian_values.push_back(int(i));
    losses->set_hessian_values(hessian_values);
    std::mt19937 random(4);
    std::uniform_real_distribution<double> anywhere(-1, 1);
    const auto fill = [&](auto& matrix, Eigen::Index equations, Eigen::Index columns) {
      matrix.resize(equations, columns);
      for (double& value : matrix.reshaped()) value = anywhere(random);
    };
    fill(states, layout->state_count(), knots);
    fill(controls, layout->control_count(), knots);
    fill(rates, layout->control_count(), knots - 1);
    fill(parameters, layout->parameter_count(), 1);
    data = {names->values(), Eigen::MatrixXd::Zero(layout->control_count(), knots), Eigen::VectorXd::Zero(1), 0.1};
  }
  void add(const std::string& type, const std::string& yaml) { oracle::add_loss(all, *names, type, yaml); }
  MechanismKnots at() const { return {states, controls, rates, parameters}; }
  double objective(int knot) const {
    double value = 0;
    losses->evaluate(at(), data, knot, knot + 1, &value);
    return value;
  }
  int stage_size() const { return layout->parameter_count() + 2 * layout->control_count() + layout->state_count(); }
  // Of a knot: gradient, and the Hessian in full.
  std::pair<Eigen::VectorXd, Eigen::MatrixXd> derivatives(int knot) const {
    std::vector<double> gradient(std::size_t(stage_size() * lanes)), hessian(hessian_values.size() * lanes);
    losses->differentiate(at(), data, false, 0, knots, gradient.data(), hessian.data());
    Eigen::VectorXd g(stage_size());
    for (int i = 0; i < stage_size(); ++i) g[i] = gradient[std::size_t(i * lanes + knot)];
    Eigen::MatrixXd h = Eigen::MatrixXd::Zero(stage_size(), stage_size());
    const auto entries = losses->hessian_entries();
    for (std::size_t i = 0; i < entries.size(); ++i)
      h(entries[i].first, entries[i].second) += hessian[i * lanes + std::size_t(knot)];
    return {g, h.selfadjointView<Eigen::Upper>()};
  }
  double& unknown(int number, int knot) {
    const int p = layout->parameter_count(), u = layout->control_count();
    return number < p           ? parameters[number]
           : number < p + u     ? controls(number - p, knot)
           : number < p + 2 * u ? rates(number - p - u, knot)
                                : states(number - p - 2 * u, knot);
  }
};

TEST(MechanismLosses, DerivativesAreThoseOfDifferences) {
  Arm arm;
  constexpr double step = 1e-5;
  const auto first_rate = arm.layout->parameter_count() + arm.layout->control_count();
  for (int k = 0; k < Arm::knots; ++k) {
    const auto [gradient, hessian] = arm.derivatives(k);
    for (int i = 0; i < arm.stage_size(); ++i) {
      if (k + 1 == Arm::knots && i >= first_rate && i < first_rate + arm.layout->control_count()) {
        EXPECT_EQ(gradient[i], 0);  // there is no rate
        continue;
      }
      double& x = arm.unknown(i, k);
      const double here = x;
      x = here + step;
      const double up = arm.objective(k);
      const Eigen::VectorXd slope_up = arm.derivatives(k).first;
      x = here - step;
      EXPECT_NEAR(gradient[i], (up - arm.objective(k)) / (2 * step), 1e-5 * (1 + std::abs(gradient[i]))) << i << " at " << k;
      const Eigen::VectorXd slope = (slope_up - arm.derivatives(k).first) / (2 * step);
      EXPECT_LT((hessian.col(i) - slope).cwiseAbs().maxCoeff(), 1e-6 * (1 + hessian.cwiseAbs().maxCoeff())) << i << " at " << k;
      x = here;
    }
  }
}

TEST(MechanismLosses, ARegularizersCenterIsMovedInMeters) {
  Arm arm;
  const auto equations = std::make_shared<const ConstraintEquations>(arm.layout);
  MechanismProblem problem(equations, arm.all, arm.data, Eigen::MatrixXd(0, Arm::knots));
  ASSERT_TRUE(problem.recenter({arm.parameters, arm.controls, arm.rates, arm.states}));
  EXPECT_GT(std::abs(arm.layout->model().length() - 1), 0.1);
  EXPECT_DOUBLE_EQ(problem.data().initial_parameters[0], arm.layout->model().length() * arm.parameters[0]);
}

}  // namespace mechanism_losses_tests
}  // namespace holo
