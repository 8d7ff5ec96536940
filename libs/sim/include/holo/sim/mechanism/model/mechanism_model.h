#pragma once
// Model of a mechanism: rigid bodies without masses, and joints between them and the world, possibly in closed loops. The model
// is immutable. MechanismLayout (mechanism_layout.h) numbers its unknowns and equations.
//
// W is the world, B the frame of a body, J that of a joint. Lengths are in meters. `origin` is p_WB and `axes` R_WB, at rest.
// The poses of states are displacements from rest: at rest the rotation of every body is the identity, the two frames of each
// joint coincide, and its coordinates are those of no motion. The world is body -1.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/abi/joint.h"
#include "holo/sim/articulated/coupling_polynomial.h"

namespace holo {

class JointPlugin;

inline constexpr int world = -1;

// What determines a joint's coordinates.
enum class JointRole {
  passive,       // the other coordinates of the mechanism
  actuator,      // controls, which vary in time
  configurable,  // design parameters, which are constant in time
  prescribed     // a recorded motion
};

std::string to_string(JointRole role);

// A rigid body. Losses, targets and capsules use coordinates in its frame B; states use displacements from rest.
struct MechanismBody {
  std::string name;
  Eigen::Vector3d origin;                              // p_WB at rest [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  // R_WB at rest; identity unless a robot's file defines it
};

// A former body M that is merged into a body B. Losses and targets may refer to it like to a body.
struct MergedBody {
  std::string name;
  int body = 0;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();    // p_BM [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  // R_BM
};

struct MechanismJoint {
  std::string name;
  std::shared_ptr<const JointPlugin> type;
  JointRole role = JointRole::passive;
  int body_a = world, body_b = world;
  Eigen::Vector3d point;          // p_WJ at rest [m]
  Eigen::Matrix3d axes;           // R_WJ at rest: columns are the first, second and third axis; orthonormal, right-handed
  std::vector<double> constants;  // of the joint's type
  // Whether couplings contain its coordinate, which then is a state that all six equations contain: set by the model.
  bool is_coupled = false;

  int coordinate_count() const;  // a quaternion counts as four
  bool is_driven() const { return role != JointRole::passive; }
  // Number of constraint equations: six, or those without coordinates of a passive joint that is not coupled and whose type has
  // such equations.
  int equation_count() const;
  // Whether its coordinates are states: couplings contain them, or it is passive and all its equations contain them.
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
  // without a chain of joints to the world; a merged body named like another body, or of a body that does not exist; a coupling
  // of a joint that does not exist or has not one coordinate, of a joint to itself, in a cycle, or with a constant term; two
  // couplings by which one joint follows others.
  MechanismModel(std::vector<MechanismBody> bodies, std::vector<MechanismJoint> joints, std::vector<MergedBody> parts = {},
                 std::vector<MechanismCoupling> couplings = {});

  const std::vector<MechanismBody>& bodies() const { return bodies_; }
  const std::vector<MechanismJoint>& joints() const { return joints_; }
  const std::vector<MergedBody>& merged_bodies() const { return merged_bodies_; }
  const std::vector<MechanismCoupling>& couplings() const { return couplings_; }
  // Names of the bodies, then of the merged bodies, as losses number them; and the entry of such a number. A body B counts as
  // merged into itself, with the origin 0 and the axes R_WB, since states rotate from rest.
  std::vector<std::string> observable_names() const;
  MergedBody observable(int number) const;
  int body(const std::string& name) const;   // throws Error(input) with the nearest name
  int joint(const std::string& name) const;  // throws Error(input) with the nearest name
  double length() const { return length_; }  // unit of length: half the diagonal of the box of all points at rest [m]
  int loop_count() const { return int(joints_.size()) - int(bodies_.size()); }

  // The joint's frames in bodies A and B at rest, as its plugin's operations take them.
  std::vector<double> frames(int joint) const;  // [2 HOLO_FRAME_SIZE], [m]

  // The mechanism with some joints fixed at rest, driven joints too. `fixed` is the plugin of fixed joints. Throws
  // Error(input) if one of two coupled joints is fixed and the other is not.
  MechanismModel frozen(const std::vector<int>& joints, const std::shared_ptr<const JointPlugin>& fixed) const;
  // The mechanism with the motions of some passive joints prescribed. Throws Error(input) for a joint that is not passive, or
  // has no coordinates.
  MechanismModel prescribed(const std::vector<int>& joints) const;
  // The mechanism without some bodies and their joints. Throws Error(input) if a remaining body loses its connection to the
  // world, if a removed joint is prescribed, or if a removed joint is coupled to a remaining one that is not prescribed.
  MechanismModel without(const std::vector<int>& bodies) const;

 private:
  std::vector<MechanismBody> bodies_;
  std::vector<MechanismJoint> joints_;
  std::vector<MergedBody> merged_bodies_;
  std::vector<MechanismCoupling> couplings_;
  double length_ = 1;
};

}  // namespace holo
