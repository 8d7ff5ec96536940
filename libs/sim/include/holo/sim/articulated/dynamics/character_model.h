#pragma once
// A character: degrees of freedom, masses and contact points of an articulated body, which its dynamics takes. Made by
// CharacterBuilder, by procedural_characters.h, or from a robot's file by character_from_robot.h. Immutable.
//
//   CharacterBuilder builder("pendulum");
//   const int hinge = builder.add_hinge("hinge", -1, Eigen::Isometry3d::Identity(), Eigen::Vector3d::UnitY());
//   builder.add_mass(hinge, sphere_mass(0.1, 1000), Eigen::Isometry3d(Eigen::Translation3d(0, 0, -1)));
//   const CharacterModel pendulum = builder.build();

#include <Eigen/Geometry>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/articulated/articulated_model.h"
#include "holo/sim/articulated/dynamics/character_data.h"
#include "holo/sim/articulated/dynamics/plugin_joint.h"
#include "holo/sim/articulated/mass_properties.h"

namespace holo {
struct SurfaceMesh;
}

namespace holo::articulated {

// A pose: coordinates [m or rad] and the reference rotations of the charts, to which rotation vectors refer.
struct CharacterPose {
  std::vector<double> coordinates;
  std::vector<Matrix3<double>> references;
};

// A named frame that stands in that of a degree of freedom, such as a body of a robot's file.
struct BodyFrame {
  std::string name;
  int dof = -1;                                             // -1: the world
  RigidFrame<double> placement = identity_frame<double>();  // in the degree of freedom's frame
};

// A solid that a character is drawn as; it has neither mass nor contact.
struct CharacterShape {
  CollisionShape::Kind kind = CollisionShape::Kind::sphere;
  std::string owner;                                       // name of the body or degree of freedom that it belongs to
  int dof = -1;                                            // whose frame carries it
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  // in the frame
  Eigen::Vector3d size = Eigen::Vector3d::Zero();          // as of CollisionShape [m]; of a mesh unused
  std::shared_ptr<const SurfaceMesh> mesh = {};            // of a mesh
};

// How the base's rotation is described.
enum class BaseChart {
  fixed,            // no base
  planar,           // moves along x and z, turns about y
  euler,            // moves along x, y, z, turns about three axes in a declared order
  rotation_vector,  // moves along x, y, z, turns by R_ref exp([w])
};

struct BaseOptions {
  BaseChart chart = BaseChart::rotation_vector;
  // Of `euler`: three different axes, outermost first. zyx, yaw, pitch, roll, is singular at a pitch of 90 degrees.
  std::string order = "zyx";
};

class CharacterModel {
 public:
  const std::string& name() const { return name_; }
  int dof_count() const { return int(dofs_.size()); }
  CharacterData data() const;  // pointers into this model

  const std::vector<DegreeOfFreedom>& dofs() const { return dofs_; }
  const std::vector<ContactPoint>& contact_points() const { return contact_points_; }
  const std::vector<SpherePair>& sphere_pairs() const { return sphere_pairs_; }
  const std::vector<PluginJoint>& plugin_joints() const { return plugin_joints_; }
  const std::string& dof_name(int dof) const { return names_[std::size_t(dof)]; }
  int dof(const std::string& name) const;                         // throws Error(input) with the nearest name
  const std::vector<int>& actuated() const { return actuated_; }  // degrees of freedom with a control, ascending
  std::vector<int> unactuated() const;                            // the others
  double total_mass() const;                                      // [kg]
  // Pose at rest: coordinates as the builder has them, reference rotations the identity.
  const CharacterPose& rest() const { return rest_; }
  const std::vector<BodyFrame>& bodies() const { return bodies_; }
  const std::vector<CharacterShape>& shapes() const { return shapes_; }
  const std::vector<std::string>& notes() const { return notes_; }  // on what a source has and the character does not
  const std::vector<std::string>& dof_names() const { return names_; }

 private:
  friend class CharacterBuilder;
  std::string name_;
  std::vector<DegreeOfFreedom> dofs_;
  std::vector<std::string> names_;
  std::vector<SecondMoments> moments_;
  std::vector<RotationChart> charts_;
  std::vector<PluginJoint> plugin_joints_;
  std::vector<PluginJointData> plugin_joint_data_;
  std::vector<ContactPoint> contact_points_;
  std::vector<SpherePair> sphere_pairs_;
  std::vector<int> actuated_;
  CharacterPose rest_;
  std::vector<BodyFrame> bodies_;
  std::vector<CharacterShape> shapes_;
  std::vector<std::string> notes_;
};

class CharacterBuilder {
 public:
  explicit CharacterBuilder(const std::string& name);

  // Degrees of freedom; each returns its number, a ball and a base the number of the last one. `parent` is a number, or -1 for
  // the world; `placement` is X in its frame; axes need not have length 1. Throw Error(input) for an axis of length 0, an order
  // that is not three different letters of xyz.
  int add_hinge(const std::string& name, int parent, const Eigen::Isometry3d& placement, const Eigen::Vector3d& axis);
  int add_slide(const std::string& name, int parent, const Eigen::Isometry3d& placement, const Eigen::Vector3d& axis);
  // Turns freely for rotations of up to `cone` [rad], beyond with the energy weight (|w| - cone)^3, weight in J/rad^3.
  int add_ball(const std::string& name, int parent, const Eigen::Isometry3d& placement, double cone, double weight);
  int add_base(const BaseOptions& options);  // fixed: -1
  // A joint with the motion X_AB(q) of a plugin: `placement` is frame A in the parent's, `behind` the frame of the degrees of
  // freedom in frame B. A joint of one coordinate has its name, one of several `name_coordinate`. Throws Error(input) for a
  // joint without coordinates or with a quaternion.
  int add_plugin_joint(const std::string& name, int parent, const Eigen::Isometry3d& placement, const PluginJoint& joint,
                       const Eigen::Isometry3d& behind = Eigen::Isometry3d::Identity());
  // The hinge or slide that is added by this name becomes a plugin joint of one coordinate of the same unit, whose first axis
  // is the joint's; frames stay at the coordinate 0. Throw Error(input), later: add_hinge and add_slide for a joint of other
  // coordinates, build() for a name that nothing was added by.
  void replace_joint(const std::string& name, const PluginJoint& joint);
  // Of a joint that the caller is about to add by this name with add_plugin_joint; null: the joint is not replaced.
  const PluginJoint* take_replacement(const std::string& name);

  int dof_count() const { return int(model_.dofs_.size()); }
  const CharacterModel& so_far() const { return model_; }  // names, actuated degrees of freedom and rest until now, no masses
  DegreeOfFreedom& dof(int number) { return model_.dofs_[std::size_t(number)]; }  // limits, springs, dampers, armature
  void limit(int number, double lower, double upper, double weight);              // [rad or m], [J/rad^3 or J/m^3]
  void actuate(int number);
  void add_springs(double stiffness, double damping);  // about the rest pose and dampers, in all actuated hinges and slides
  void set_rest(int number, double coordinate);
  void set_rest(const std::string& name, double coordinate);  // of the degree of freedom of that name, if there is one

  // Mass and contact points of a degree of freedom's frame, in which `pose` places them. Those of the world (-1) count for
  // nothing.
  void add_mass(int dof, const MassProperties& mass, const Eigen::Isometry3d& pose = Eigen::Isometry3d::Identity());
  // A sphere, or a vertex of radius 0. `rolls`: friction acts at the surface, else at the center.
  void add_contact_point(int dof, const Eigen::Vector3d& center, double radius, bool rolls = true);
  void add_body(const std::string& name, int dof, const Eigen::Isometry3d& pose);
  void add_shape(CharacterShape shape);  // of the world (-1): counts for nothing
  void add_note(const std::string& note) { model_.notes_.push_back(note); }

  // The character, with the pairs of spheres that may collide with each other: all but those of one body, of neighbors in the
  // tree, and those that overlap at rest. Throws Error(input), naming the degree of freedom: a mass that no real body has; a
  // degree of freedom that moves no mass and has no armature; limits in the wrong order; a spring, damper, armature or limit of
  // a rotation vector's coordinate.
  CharacterModel build(bool self_collision = false) const;

 private:
  int add(const std::string& name, int parent, DofKind kind, const Eigen::Isometry3d& placement, const Eigen::Vector3d& axis);
  int add_hinge_or_slide(const std::string& name, int parent, DofKind kind, const Eigen::Isometry3d& placement,
                         const Eigen::Vector3d& axis);

  void check_replacements() const;

  struct Replacement {
    PluginJoint joint;
    bool is_taken = false;
  };
  CharacterModel model_;
  std::vector<std::vector<MassProperties>> masses_;
  std::map<std::string, Replacement> replacements_;
};

// Moves the reference rotations of charts whose rotation vector is longer than `limit` [rad] to where the charts point, and
// sets these vectors to 0. The pose of all bodies stays. Charts with a cone stay. Returns whether one moved.
bool recenter(const CharacterModel& model, CharacterPose& pose, double limit);

// Last changes of a character by the caller, such as springs of its joints, before it is built.
using CharacterAdjustment = std::function<void(CharacterBuilder&)>;

RigidFrame<double> rigid_frame(const Eigen::Isometry3d& pose);
SecondMoments second_moments(const MassProperties& mass);  // about the frame's origin

}  // namespace holo::articulated
