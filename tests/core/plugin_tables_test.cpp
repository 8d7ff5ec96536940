// The tables of joints and losses, each spoiled in one thing.

#include "plugins/plugin_tables.h"

#include <gtest/gtest.h>

#include "bad_plugins/joint_table.h"
#include "bad_plugins/loss_table.h"

namespace holo {
namespace {

// Why the table is refused; "" where it is taken.
template <class Table>
std::string refusal(const Table& table) {
  try {
    check(table, "right");
  } catch (const PluginRefusal& refusal) {
    return refusal.reason;
  }
  return "";
}

template <class Spoil>
std::string joint_refusal(const Spoil& spoil) {
  holo_joint joint = right_joint("right");
  spoil(joint);
  return refusal(joint);
}

template <class Spoil>
std::string loss_refusal(const Spoil& spoil) {
  holo_loss loss = right_loss("right");
  spoil(loss);
  return refusal(loss);
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

TEST(PluginTables, RightOnesAreTaken) {
  EXPECT_EQ("", refusal(right_joint("right")));
  EXPECT_EQ("", refusal(right_loss("right")));
}

TEST(PluginTablesBadInput, JointOfAnotherInterface) {
  expect_part(joint_refusal([](holo_joint& j) { j.stamp.joint_size += 8; }), "another interface");
  expect_part(joint_refusal([](holo_joint& j) { j.stamp.size = 12; }), "12 bytes");
}
TEST(PluginTablesBadInput, JointNamesAndTexts) {
  expect_part(joint_refusal([](holo_joint& j) { j.name = nullptr; }), "no name");
  expect_part(joint_refusal([](holo_joint& j) { j.name = "left"; }), "'left'");
  expect_part(joint_refusal([](holo_joint& j) { j.summary = nullptr; }), "summary");
}
TEST(PluginTablesBadInput, JointCoordinates) {
  expect_part(joint_refusal([](holo_joint& j) { j.coordinate_count = 8; }), "8 coordinates; at most 7");
  expect_part(joint_refusal([](holo_joint& j) { j.coordinates = nullptr; }), "coordinates are a null pointer");
  static const holo_joint_coordinate nameless[] = {{nullptr, HOLO_COORDINATE_LENGTH}};
  expect_part(joint_refusal([](holo_joint& j) { j.coordinates = nameless; }), "name of its coordinate 0");
  static const holo_joint_coordinate strange[] = {{"x", 9}};
  expect_part(joint_refusal([](holo_joint& j) { j.coordinates = strange; }), "unknown kind 9");
  static const holo_joint_coordinate half[] = {{"q", 2}, {"q", 2}, {"r", 2}, {"q", 2}};
  expect_part(joint_refusal([](holo_joint& j) { j.coordinates = half, j.coordinate_count = 4; }), "four times in a row");
}
TEST(PluginTablesBadInput, JointEquationsThatDoNotFitItsCoordinates) {
  expect_part(joint_refusal([](holo_joint& j) { j.passive_equation_count = 7; }), "7 passive equations");
  expect_part(joint_refusal([](holo_joint& j) { j.passive_equation_count = 4; }),
              "leave 2 degrees of freedom, but its coordinates are 1");
  expect_part(joint_refusal([](holo_joint& j) { j.passive_axes = 8; }), "passive axes are 8");
  expect_part(joint_refusal([](holo_joint& j) { j.constant_count = 1001; }), "1001 constants");
}
TEST(PluginTablesBadInput, JointPatterns) {
  expect_part(joint_refusal([](holo_joint& j) { j.jacobian_pattern = nullptr; }), "null pointer");
  expect_part(joint_refusal([](holo_joint& j) { j.hessian_pattern = nullptr; }), "null pointer");
  static const unsigned everywhere[] = {32767, 1, 1, 1, 1, 1}, wide[] = {1, 1, 1, 1, 1, 1u << 15};
  expect_part(joint_refusal([](holo_joint& j) { j.jacobian_pattern = everywhere; }),
              "constraint equation 0 contains the joint's coordinates");
  expect_part(joint_refusal([](holo_joint& j) { j.jacobian_pattern = wide; }), "more than 15 entries");
  static const unsigned crooked[15] = {2};
  expect_part(joint_refusal([](holo_joint& j) { j.hessian_pattern = crooked; }), "not symmetric");
}
TEST(PluginTablesBadInput, JointFunctions) {
  expect_part(joint_refusal([](holo_joint& j) { j.read = nullptr; }), "required function 'read'");
  expect_part(joint_refusal([](holo_joint& j) { j.operations[HOLO_JOINT_EQUATIONS] = nullptr; }),
              "required operation 'constraint_equations'");
  expect_part(joint_refusal([](holo_joint& j) { j.kernels[HOLO_JOINT_MOTION] = nullptr; }), "'motion' does not say what runs");
  EXPECT_EQ("", joint_refusal([](holo_joint& j) { j.operations[HOLO_JOINT_COORDINATES] = nullptr; }));
}

TEST(PluginTablesBadInput, LossFunctions) {
  expect_part(loss_refusal([](holo_loss& l) { l.stamp.loss_size += 8; }), "another interface");
  expect_part(loss_refusal([](holo_loss& l) { l.name = nullptr; }), "no name");
  expect_part(loss_refusal([](holo_loss& l) { l.documentation = nullptr; }), "documentation");
  expect_part(loss_refusal([](holo_loss& l) { l.create = nullptr; }), "'create'");
  expect_part(loss_refusal([](holo_loss& l) { l.destroy = nullptr; }), "'destroy'");
  expect_part(loss_refusal([](holo_loss& l) { l.describe = nullptr; }), "'describe'");
  expect_part(loss_refusal([](holo_loss& l) { l.run = nullptr; }), "'run'");
}

TEST(PluginTablesBadInput, ReferencesThatLackAFunction) {
  holo_joint_reference joint = {};
  joint.stamp = HOLO_STAMP;
  joint.name = "right";
  expect_part(refusal(joint), "required function of its reference table");
  holo_loss_reference loss = {};
  loss.stamp = HOLO_STAMP;
  loss.name = "right";
  expect_part(refusal(loss), "required function of its reference table");
}

}  // namespace
}  // namespace holo
