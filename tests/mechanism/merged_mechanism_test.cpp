// A mechanism whose configurable joints are merged moves as the one that has them.
#include "holo/sim/mechanism/model/merged_mechanism.h"

#include <gtest/gtest.h>

#include <random>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "holo/sim/mechanism/losses/mechanism_losses.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace merged_mechanism {

using Eigen::Vector3d;
constexpr int knots = 3;

// Quaternions and numbers near rest.
Eigen::VectorXd random_design(const MechanismLayout& layout, double size) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> change(-size, size);
  Eigen::VectorXd design = layout.rest_parameters();
  for (double& number : design) number += change(random);
  for (const int first : layout.parameter_quaternions()) design.segment<4>(first).normalize();
  return design;
}

struct Pair {
  std::shared_ptr<const MechanismModel> whole, merged;
  MechanismMotion of_whole, of_merged;

  Pair(MechanismModel model, double change, double largest_control)
      : whole(std::make_shared<const MechanismModel>(std::move(model))) {
    const MechanismLayout layout(whole);
    const Eigen::VectorXd design = random_design(layout, change);
    merged = std::make_shared<const MechanismModel>(holo::merged(whole, design));
    Eigen::MatrixXd controls(layout.control_count(), knots);
    for (int k = 0; k < knots; ++k)
      for (int i = 0; i < layout.control_count(); ++i) controls(i, k) = largest_control * std::sin(i + 1.0 + 0.3 * k);
    const Eigen::MatrixXd prescribed(0, knots);
    of_whole = make_motion(whole, controls, design, prescribed);
    of_merged = make_motion(merged, controls, Eigen::VectorXd(0), prescribed);
  }

  void expect_same_poses() const {
    const int first = int(merged->bodies().size());
    ASSERT_EQ(merged->merged_bodies().size(), whole->bodies().size());
    for (int k = 0; k < knots; ++k)
      for (int i = 0; i < int(whole->bodies().size()); ++i) {
        EXPECT_EQ(merged->observable(first + i).name, whole->bodies()[std::size_t(i)].name);
        const Vector3d point(.1, -.2, .3);
        const Vector3d a = point_of(*whole, of_whole.states.col(k), i, point),
                       b = point_of(*merged, of_merged.states.col(k), first + i, point);
        EXPECT_LT((a - b).norm(), 1e-9) << whole->bodies()[std::size_t(i)].name;
        EXPECT_NEAR(std::abs(orientation_of(*whole, of_whole.states.col(k), i)
                                 .dot(orientation_of(*merged, of_merged.states.col(k), first + i))),
                    1, 1e-12);
      }
  }
};

// 15 bodies and 105 states are Kickbot (2) of [Maloisel2023] Tables 5 and 7.
TEST(MergedMechanism, ATreeMovesAsBefore) {
  const Pair pair(oracle::paper_robot("kickbot"), .25, .4);
  EXPECT_EQ(pair.merged->bodies().size(), 15u);
  EXPECT_EQ(pair.of_merged.layout->state_count(), 105);
  EXPECT_EQ(pair.of_merged.elimination.mobility, 14);
  pair.expect_same_poses();
}

// Where the design differs from rest, passive joints of its loops have turned.
TEST(MergedMechanism, LoopsMoveAsBefore) {
  const Pair pair(oracle::paper_robot("biker"), .05, .2);
  EXPECT_EQ(pair.merged->bodies().size(), 40u - 23u);
  EXPECT_EQ(pair.of_merged.elimination.mobility, 2);
  pair.expect_same_poses();
}

// Losses on parts have the values of losses on bodies, and the derivatives that differences of these show.
TEST(MergedMechanism, LossesOfPartsAreThoseOfBodies) {
  const Pair pair(oracle::paper_robot("kickbot"), .25, .4);
  const auto losses_of = [](const MechanismMotion& motion, oracle::LossContext& names) {
    std::vector<NamedLoss> losses;
    const auto add = [&](const std::string& type, const std::string& yaml) { oracle::add_loss(losses, names, type, yaml); };
    add("track_position", "{body: forearm_left, point: [0.1, 0.2, 0.3], target: [0.3, 0.2, 0.1], weight: 2}");
    add("track_orientation", "{body: torso, target: [0.8, 0, 0.6, 0], weight: 3}");
    return MechanismLosses(motion.layout, losses);
  };
  const LossData nothing{};
  std::vector<double> values[2];
  for (const MechanismMotion* motion : {&pair.of_whole, &pair.of_merged}) {
    oracle::LossContext names(motion->layout, knots);
    MechanismLosses losses = losses_of(*motion, names);
    LossData data = nothing;
    data.signals = names.values();
    Eigen::MatrixXd states = motion->states;
    const MechanismKnots at{states, motion->controls, motion->controls, motion->parameters};
    std::vector<double>& value = values[motion == &pair.of_merged];
    value.resize(knots);
    losses.evaluate(at, data, 0, knots, value.data());
    if (motion == &pair.of_whole) continue;

    const MechanismLayout& layout = *motion->layout;
    const int first = 2 * layout.control_count(), count = first + layout.state_count(), lanes = int(HOLO_LANE_WIDTH);
    const auto entries = losses.hessian_entries();
    std::vector<int> hessian_values(entries.size());
    for (std::size_t i = 0; i < hessian_values.size(); ++i) hessian_values[i] = int(i);
    losses.set_hessian_values(hessian_values);
    const Eigen::VectorXd way = Eigen::VectorXd::Random(layout.state_count());
    const auto derivatives = [&](Eigen::VectorXd& gradient, Eigen::VectorXd& along) {
      std::vector<double> g(std::size_t(count * lanes), 0), h(entries.size() * std::size_t(lanes), 0);
      losses.differentiate(at, data, false, 0, 1, g.data(), h.data());
      gradient.resize(layout.state_count());
      for (int i = 0; i < layout.state_count(); ++i) gradient[i] = g[std::size_t((first + i) * lanes)];
      along.setZero(layout.state_count());
      for (std::size_t i = 0; i < entries.size(); ++i) {
        const int a = entries[i].first - first, b = entries[i].second - first;
        along[a] += h[i * std::size_t(lanes)] * way[b];
        if (a != b) along[b] += h[i * std::size_t(lanes)] * way[a];
      }
    };
    Eigen::VectorXd gradient, along, before, after, unused;
    derivatives(gradient, along);
    const double step = 1e-6;
    double low = 0, high = 0;
    states.col(0) += step * way;
    losses.evaluate(at, data, 0, 1, &high);
    derivatives(after, unused);
    states.col(0) -= 2 * step * way;
    losses.evaluate(at, data, 0, 1, &low);
    derivatives(before, unused);
    EXPECT_NEAR(gradient.dot(way), (high - low) / (2 * step), 1e-7 * (1 + std::abs(gradient.dot(way))));
    EXPECT_LT((along - (after - before) / (2 * step)).norm(), 1e-7 * (1 + along.norm()));
  }
  for (int k = 0; k < knots; ++k) EXPECT_NEAR(values[0][std::size_t(k)], values[1][std::size_t(k)], 1e-9);
}

TEST(MergedMechanismBadInput, DesignsThatCannotBeAreRefused) {
  const auto refusal = [](MechanismModel model, const Eigen::VectorXd& design) -> std::string {
    try {
      merged(std::make_shared<const MechanismModel>(std::move(model)), design);
    } catch (const Error& error) {
      return error.what();
    }
    return "not refused";
  };
  MechanismBuilder builder(oracle::plugins());
  builder.body("arm", {.1, 0, 0});
  builder.joint("mount", "revolute", "", "arm", {0, 0, 0}, axes_along({0, 0, 1}), JointRole::configurable);
  EXPECT_NE(refusal(builder.build(), Eigen::VectorXd::Zero(1)).find("'mount' connects a body with the world"),
            std::string::npos);
  EXPECT_NE(refusal(builder.build(), Eigen::VectorXd::Zero(2)).find("2 design parameters are given"), std::string::npos);
  // A slider of 2 m cannot be built into a loop of two bars.
  MechanismBuilder loop = oracle::on_the_ground();
  loop.body("a", {0, .5, 0});
  loop.body("b", {.5, 1, 0});
  loop.body("c", {1, .5, 0});
  oracle::hinge(loop, "first", "base", "a", {0, 0, 0}, {0, 0, 1}, JointRole::actuator);
  loop.joint("length", "prismatic", "a", "b", {0, 1, 0}, axes_along({1, 0, 0}), JointRole::configurable);
  oracle::hinge(loop, "pin", "b", "c", {1, 1, 0}, {0, 0, 1});
  oracle::hinge(loop, "last", "c", "base", {1, 0, 0}, {0, 0, 1});
  const std::string told = refusal(loop.build(), Eigen::VectorXd::Constant(1, 9.0));
  EXPECT_NE(told.find("cannot be assembled with this design"), std::string::npos) << told;
}

}  // namespace merged_mechanism
}  // namespace holo
