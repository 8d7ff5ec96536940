#pragma once
// A mechanism: rigid bodies without masses, tied to each other and to the world by joints, in loops or not. What is said of it
// here does not change: the bodies, the joints and who drives them. Which numbers are unknowns, and which equations are
// independent, is the layout's matter (mechanism_layout.h).
//
// The pose that the equations are made of turns every body by the identity at rest, and a joint's two frames coincide there, so
// that its coordinates are those of no motion. The world is body -1.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/abi/joint.h"
#include "holo/sim/articulated/coupling_polynomial.h"

namespace holo {

class JointPlugin;

inline constexpr int world = -1;

// Who decides over a joint's coordinates.
enum class JointRole {
  passive,       // the mechanism: they follow
  actuator,      // a control each, that may vary in time
  configurable,  // a design parameter each, constant in time
  prescribed     // a recorded motion, played back
};

std::string to_string(JointRole role);

// Its own frame is what losses, targets and capsules mean by the body's coordinates; its pose is counted from rest all the
// same.
struct MechanismBody {
  std::string name;
  Eigen::Vector3d origin;                              // of its frame, at rest [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  // columns: the frame's axes at rest; a robot's file says which
};

// What was a body before bodies were merged: its coordinates, fixed in those of a body. Losses and targets may name parts as
// they name bodies.
struct MergedBody {
  std::string name;
  int body = 0;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();    // in the body's coordinates [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  // columns: its axes, in the body's coordinates
};

struct MechanismJoint {
  std::string name;
  std::shared_ptr<const JointPlugin> type;
  JointRole role = JointRole::passive;
  int body_a = world, body_b = world;
  Eigen::Vector3d point;          // at rest [m]
  Eigen::Matrix3d axes;           // columns: the first, second and third axis at rest; orthonormal, right-handed
  std::vector<double> constants;  // of its type
  // Whether couplings contain its coordinate, which then is a state: set by the model. All six equations contain it.
  bool is_coupled = false;

  int coordinate_count() const;  // numbers; a quaternion has four
  bool is_driven() const { return role != JointRole::passive; }
  // Equations between the poses of its bodies: all six, or those without coordinates of a passive joint that has such and is
  // not coupled.
  int row_count() const;
  // Whether its own coordinates are states: because all equations contain them, or because couplings do.
  bool has_free_coordinates() const;
};

// A gear, a belt or a cam: the coordinate of one joint is a polynomial of the coordinate of another one. Both count from rest,
// so that the polynomial has no constant term.
struct MechanismCoupling {
  int joint = 0, leader = 0;  // numbers of joints with one coordinate each
  CouplingPolynomial polynomial = {0, 1, 0, 0, 0};
};

class MechanismModel {
 public:
  // Throws Error(input), with the names: no body; a body called "world"; two bodies or two joints of one name; a joint that
  // names no body, or one body twice; axes that are not orthonormal or not right-handed; a number that is not finite; a body
  // that no chain of joints ties to the world; a part called like a body or another part, or of a body that is not there; a
  // coupling of a joint that is not there or has not one coordinate, of a joint to itself, in a cycle, or with a constant term;
  // two couplings by which one joint follows others.
  MechanismModel(std::vector<MechanismBody> bodies, std::vector<MechanismJoint> joints, std::vector<MergedBody> parts = {},
                 std::vector<MechanismCoupling> couplings = {});

  const std::vector<MechanismBody>& bodies() const { return bodies_; }
  const std::vector<MechanismJoint>& joints() const { return joints_; }
  const std::vector<MergedBody>& merged_bodies() const { return merged_bodies_; }
  const std::vector<MechanismCoupling>& couplings() const { return couplings_; }
  // Bodies, then parts, as observers number them; and what such a number stands for: a body is a part of itself, with the axes
  // of its own frame.
  std::vector<std::string> observable_names() const;
  MergedBody observable(int number) const;
  int body(const std::string& name) const;   // throws Error(input) with the nearest name
  int joint(const std::string& name) const;  // throws Error(input) with the nearest name
  double length() const { return length_; }  // half the diagonal of the box around all points at rest [m]: the solver's unit
  int loop_count() const { return int(joints_.size()) - int(bodies_.size()); }

  // The joint's two frames as its operations take them.
  std::vector<double> frames(int joint) const;  // [2 HOLO_FRAME_SIZE], [m]

  // Another mechanism with some joints frozen: they lock what they hold at rest, whatever drove them. `fixed` is the joint type
  // that does. Throws Error(input) for one of two coupled joints whose other is not frozen.
  MechanismModel frozen(const std::vector<int>& joints, const std::shared_ptr<const JointPlugin>& fixed) const;
  // Another mechanism in which passive joints' motions are prescribed. Throws Error(input) for a joint that is not passive, or
  // has no coordinates.
  MechanismModel prescribed(const std::vector<int>& joints) const;
  // Another mechanism without some bodies and the joints at them. Throws Error(input) where a body that stays hangs by these,
  // or a prescribed joint goes with them, or one of two coupled joints whose other stays and is not prescribed.
  MechanismModel without(const std::vector<int>& bodies) const;

 private:
  std::vector<MechanismBody> bodies_;
  std::vector<MechanismJoint> joints_;
  std::vector<MergedBody> merged_bodies_;
  std::vector<MechanismCoupling> couplings_;
  double length_ = 1;
};

}  // namespace holo
