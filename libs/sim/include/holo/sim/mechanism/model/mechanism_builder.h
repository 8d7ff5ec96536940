#pragma once
// Builder of a mechanism from named bodies, joints and chains of joints. Lengths are in meters, frames are those at rest.
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

// One joint of a chain: its name, the name of its type, its point [m] and axes (columns) in the world at rest, its role.
struct ChainJoint {
  std::string name;
  std::string type;
  Eigen::Vector3d point;
  Eigen::Matrix3d axes;
  JointRole role = JointRole::passive;
};

class MechanismBuilder {
 public:
  explicit MechanismBuilder(const PluginHost& plugins) : plugins_(plugins) {}

  // Adds a body whose frame B has the origin `origin` = p_WB [m] and the axes `axes` = R_WB at rest.
  void body(const std::string& name, const Eigen::Vector3d& origin, const Eigen::Matrix3d& axes = Eigen::Matrix3d::Identity());
  // Adds a joint of the type `type` at the point `point` = p_WJ [m] with the axes `axes` = R_WJ at rest. The body "" or "world"
  // is the world. Throws Error(input) for a body or type that does not exist, with the nearest name.
  void joint(const std::string& name, const std::string& type, const std::string& body_a, const std::string& body_b,
             const Eigen::Vector3d& point, const Eigen::Matrix3d& axes, JointRole role = JointRole::passive,
             std::vector<double> constants = {});
  // Adds a fixed joint BODY_ground between the world and the body.
  void ground(const std::string& body);
  // Adds a coupling: the joint's coordinate is the polynomial of the leader's, without a constant term [SI]. Throws
  // Error(input) for an unknown name, with the nearest one.
  void couple(const std::string& joint, const std::string& leader, const CouplingPolynomial& polynomial);
  // Adds successive joints from body_a to body_b with a new body between each two, at the midpoint of their points. The new
  // body has the name of the first of the two joints with the suffix "_link".
  void chain(const std::string& body_a, const std::string& body_b, const std::vector<ChainJoint>& joints);

  int joint_number(const std::string& name) const;  // throws Error(input) with the nearest name
  int body_number(const std::string& name) const;   // `world` for "" and "world"; throws Error(input) with the nearest name
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
