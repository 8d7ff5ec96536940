// A mechanism that is cut at a joint moves as the assembly did.
#include "holo/sim/mechanism/model/mechanism_cut.h"

#include <gtest/gtest.h>

#include <functional>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace mechanism_cut {

using oracle::Oracle;

constexpr int knots = 21;

MechanismMotion move(std::shared_ptr<const MechanismModel> model, const Eigen::MatrixXd& controls,
                     const Eigen::MatrixXd& played) {
  return make_motion(model, controls, MechanismLayout(model).rest_parameters(), played);
}

// The assembly moves by `controls`; its subassembly, cut at the joint and without some bodies, plays back. The largest
// difference of poses of bodies that stay [m].
double largest_difference(MechanismModel assembly_model, const Eigen::MatrixXd& controls, const std::string& joint,
                          const std::vector<std::string>& removed = {}) {
  std::vector<int> bodies;
  for (const std::string& name : removed) bodies.push_back(assembly_model.body(name));
  const Oracle assembly(assembly_model), subassembly(assembly_model.prescribed({assembly_model.joint(joint)}).without(bodies));
  const MechanismMotion before = move(assembly.model, controls, assembly.nothing_prescribed(knots));
  const Eigen::MatrixXd played = recorded_coordinates(*subassembly.layout, *assembly.layout, before.states);
  EXPECT_EQ(subassembly.layout->prescribed_count(), played.rows());
  const MechanismMotion after =
      move(subassembly.model, controls_of_subassembly(*subassembly.layout, *assembly.layout, controls), played);
  double largest = 0;
  for (const MechanismBody& body : subassembly.model->bodies())
    for (int k = 0; k < knots; ++k) {
      largest = std::max(
          largest, (subassembly.origin(after.states, body.name, k) - assembly.origin(before.states, body.name, k)).norm());
      largest = std::max(largest, subassembly.orientation(after.states, body.name, k)
                                      .angularDistance(assembly.orientation(before.states, body.name, k)));
    }
  return largest;
}

// At two turns the angle of the coupler against the crank has to be unwrapped.
TEST(MechanismCut, AFourBarFollowsWhatItsJointsDid) {
  const Eigen::MatrixXd turns = Oracle(oracle::four_bar()).first_control(4 * oracle::pi, knots);
  for (const char* joint : {"crank_pin", "rocker_pin", "rocker_pivot"})
    EXPECT_LT(largest_difference(oracle::four_bar(), turns, joint), 1e-9) << joint;
}

TEST(MechanismCut, WhatOnlyDroveTheJointMayGo) {
  const Eigen::MatrixXd turn = Oracle(oracle::four_bar()).first_control(2 * oracle::pi, knots);
  EXPECT_LT(largest_difference(oracle::four_bar(), turn, "rocker_pivot", {"crank", "coupler"}), 1e-9);
}

// Universal joints and balls have more than one coordinate, and the latter a quaternion.
TEST(MechanismCut, APlatformFollowsWhatItsLegsJointsDid) {
  Eigen::MatrixXd lengths(6, knots);
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < knots; ++k) lengths(i, k) = 0.1 * std::sin(0.3 * k + i) - 0.1 * std::sin(double(i));
  EXPECT_LT(largest_difference(oracle::stewart(), lengths, "foot2"), 1e-9);
  EXPECT_LT(largest_difference(oracle::stewart(), lengths, "head2"), 1e-9);
}

std::string refusal(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MechanismCutBadInput, OnlyPassiveJointsWithCoordinatesArePrescribed) {
  const MechanismModel model = oracle::four_bar();
  const auto holds = [](const std::string& text, const std::string& fragment) {
    return text.find(fragment) != std::string::npos;
  };
  const auto prescribe = [&](const MechanismModel& of, std::vector<int> joints) {
    return refusal([&] { of.prescribed(joints); });
  };
  const int pin = model.joint("rocker_pin");
  EXPECT_TRUE(holds(prescribe(model, {model.joint("crank_pivot")}), "'crank_pivot' cannot be prescribed: it is actuator"));
  EXPECT_TRUE(holds(prescribe(model, {pin, pin}), "it is prescribed"));
  const MechanismModel frozen = model.frozen({pin}, oracle::plugins().get<JointPlugin>("fixed"));
  EXPECT_TRUE(holds(prescribe(frozen, {pin}), "has no motion"));
  const MechanismModel cut = model.prescribed({pin});
  EXPECT_TRUE(holds(refusal([&] { cut.without({cut.body("rocker")}); }), "rocker_pin"));
  EXPECT_TRUE(holds(refusal([&] { model.without({model.body("base")}).body("rocker"); }), "world"));
}

}  // namespace mechanism_cut
}  // namespace holo
