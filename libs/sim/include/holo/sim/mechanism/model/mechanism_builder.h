#pragma once
// Puts a mechanism together piece by piece, by names: bodies, joints between them, and chains of joints at one place.
//
//   MechanismBuilder robot(plugins);
//   robot.body("pelvis", {0, 0, 1});
//   robot.ground("pelvis");
//   robot.body("thigh", {0, 0.1, 0.7});
//   robot.joint("hip", "revolute", "pelvis", "thigh", {0, 0.1, 0.9}, axes_along({0, 1, 0}), JointRole::actuator);
//   MechanismModel model = robot.build();

#include <Eigen/Core>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/articulated/joint_axes.h"
#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

class JointPlugin;
class PluginHost;

// One joint of a chain.
struct ChainJoint {
  std::string name;  // of the joint
  std::string type;
  Eigen::Vector3d point;
  Eigen::Matrix3d axes;
  JointRole role = JointRole::passive;
};

class MechanismBuilder {
 public:
  explicit MechanismBuilder(const PluginHost& plugins) : plugins_(plugins) {}

  // `axes`: columns, of the body's own frame at rest.
  void body(const std::string& name, const Eigen::Vector3d& origin, const Eigen::Matrix3d& axes = Eigen::Matrix3d::Identity());
  // "" or "world" as a body is the world.
  void joint(const std::string& name, const std::string& type, const std::string& body_a, const std::string& body_b,
             const Eigen::Vector3d& point, const Eigen::Matrix3d& axes, JointRole role = JointRole::passive,
             std::vector<double> constants = {});
  // Fixes a body to the world.
  void ground(const std::string& body);
  // The joint's coordinate is the polynomial of the leader's. Throws Error(input) with the nearest name.
  void couple(const std::string& joint, const std::string& leader, const CouplingPolynomial& polynomial);
  // Joints in a row from body_a to body_b, with a new body between each two of them, in the middle of their points;
  // called as the first of the two joints with "_link" behind it.
  void chain(const std::string& body_a, const std::string& body_b, const std::vector<ChainJoint>& joints);

  int joint_number(const std::string& name) const;  // throws Error(input) with the nearest name
  int body_number(const std::string& name) const;   // world for "" and "world"; throws Error(input) with the nearest name
  const std::vector<MechanismBody>& bodies() const { return bodies_; }
  std::shared_ptr<const JointPlugin> type(const std::string& name);

  MechanismModel build() const { return {bodies_, joints_, {}, couplings_}; }

 private:
  const PluginHost& plugins_;
  std::map<std::string, std::shared_ptr<const JointPlugin>> types_;
  std::vector<MechanismBody> bodies_;
  std::vector<MechanismJoint> joints_;
  std::vector<MechanismCoupling> couplings_;
};

}  // namespace holo
