#include "holo/sim/articulated/dynamics/character_from_robot.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/sim/articulated/dynamics/mesh_link.h"

namespace holo::articulated {

using Eigen::Isometry3d;

namespace {

// A frame of the file: the degree of freedom that moves it, and its place in that one's frame.
struct Attachment {
  int dof = -1;
  Isometry3d place = Isometry3d::Identity();
};

class RobotConverter {
 public:
  RobotConverter(const ArticulatedModel& robot, const ArticulatedPose& pose, const RobotCharacterOptions& options)
      : robot_(robot), pose_(pose), options_(options), builder_(robot.file) {}

  CharacterModel convert() {
    for (const auto& [name, joint] : options_.joints) builder_.replace_joint(name, joint);
    refuse_loops_and_couplings();
    for (std::size_t i = 0; i < robot_.bodies.size(); ++i) add_body(i);
    for (const CollisionShape& shape : robot_.shapes) {
      draw_shape(shape);
      if (shape.collides) add_shape(shape);
    }
    add_actuators();
    if (options_.adjust) options_.adjust(builder_);
    return builder_.build(options_.self_collision);
  }

 private:
  void refuse_loops_and_couplings() const {
    for (const ArticulatedLoop& loop : robot_.loops)
      if (loop.body_a != ArticulatedModel::world || loop.body_b != ArticulatedModel::world)
        loop.source.fail("it closes a loop, and a character is a tree; leave the loop out");
    for (const JointCoupling& coupling : robot_.couplings)
      coupling.source.fail("it couples joints, and the joints of a character are independent; remove it");
  }

  void add_body(std::size_t number) {
    const ArticulatedBody& body = robot_.bodies[number];
    first_dof_.push_back(builder_.dof_count());
    const Attachment parent = body.parent == ArticulatedModel::world ? Attachment{} : attachments_[std::size_t(body.parent)];
    const Attachment at = attach(body, {parent.dof, parent.place * body.joint.frame_a}, pose_[number]);
    attachments_.push_back(at);
    builder_.add_mass(at.dof, body.mass, at.place);
    builder_.add_body(body.name, at.dof, at.place);
  }

  // The body's frame behind its joint, of which `a` is the frame A.
  Attachment attach(const ArticulatedBody& body, const Attachment& a, const JointMotion& motion) {
    const ArticulatedJoint& joint = body.joint;
    const std::string& name = joint.name.empty() ? body.name : joint.name;
    if (joint.friction > 0) note(joint, "its dry friction is not modeled");
    if (joint.type == "free") return attach_root(body, a, motion);
    if (const PluginJoint* plugin = builder_.take_replacement(name)) return attach_plugin(joint, name, a, motion, *plugin);
    int dof = a.dof;
    if (joint.type == "revolute") dof = builder_.add_hinge(name, a.dof, a.place, Eigen::Vector3d::UnitX());
    if (joint.type == "prismatic") dof = builder_.add_slide(name, a.dof, a.place, Eigen::Vector3d::UnitX());
    if (joint.type == "universal") {
      dof = builder_.add_hinge(name + "_x", a.dof, a.place, Eigen::Vector3d::UnitX());
      builder_.set_rest(dof, motion.coordinates[0]);
      dof = builder_.add_hinge(name + "_y", dof, Isometry3d::Identity(), Eigen::Vector3d::UnitY());
      builder_.set_rest(dof, motion.coordinates[1]);
    }
    if (joint.type == "spherical") dof = add_spherical(joint, name, a, motion);
    if (joint.has_position()) set_joint(joint, dof, motion);
    if (!joint.has_position() && joint.damping + joint.stiffness + joint.armature > 0)
      note(joint, "the spring, damping and armature of a joint with several axes are not modeled");
    return {dof, dof == a.dof ? a.place * joint.body_in_b : joint.body_in_b};
  }

  // Numbers of the file are kept where the coordinate has their unit; else the joint is at rest where its coordinates are 0.
  Attachment attach_plugin(const ArticulatedJoint& joint, const std::string& name, const Attachment& a,
                           const JointMotion& motion, const PluginJoint& plugin) {
    const int first = builder_.dof_count(), last = builder_.add_plugin_joint(name, a.dof, a.place, plugin);
    const bool is_length = joint.type == "prismatic";
    if (joint.has_position() && first == last && builder_.dof(last).is_length == is_length)
      set_joint(joint, last, motion);
    else if (joint.has_position() || joint.damping + joint.stiffness + joint.armature > 0)
      note(joint, "its limits, spring, damping and armature do not fit the joint that replaces it, and are left out");
    return {last, joint.body_in_b};
  }

  // The base has the axes of the world, and its rotation is 0 in the pose.
  Attachment attach_root(const ArticulatedBody& body, const Attachment& a, const JointMotion& motion) {
    if (body.parent != ArticulatedModel::world || builder_.dof_count() > 0)
      body.joint.source.fail("only the first body, on the world, may have a free joint in a character");
    Isometry3d pose = a.place * motion.transform * body.joint.body_in_b;
    const int base = builder_.add_base(options_.base);
    if (base < 0) return {base, pose};
    for (int k = 0; k < 3; ++k) {
      if (options_.base.chart == BaseChart::planar && k == 1) continue;
      builder_.set_rest(std::string("base_") + "xyz"[k], pose.translation()[k]);
      pose.translation()[k] = 0;
    }
    return {base, pose};
  }

  int add_spherical(const ArticulatedJoint& joint, const std::string& name, const Attachment& a, const JointMotion& motion) {
    const int last = builder_.add_ball(name, a.dof, a.place, joint.position.maximum,
                                       joint.position.maximum < unlimited ? options_.limit_weight : 0);
    const Eigen::AngleAxisd rotation(motion.transform.linear());
    for (int k = 0; k < 3; ++k) builder_.set_rest(last - 2 + k, rotation.angle() * rotation.axis()[k]);
    return last;
  }

  void set_joint(const ArticulatedJoint& joint, int number, const JointMotion& motion) {
    builder_.set_rest(number, motion.coordinates[0]);
    DegreeOfFreedom& dof = builder_.dof(number);
    dof.lower = joint.position.minimum - joint.reference;
    dof.upper = joint.position.maximum - joint.reference;
    if (dof.lower > -unlimited || dof.upper < unlimited) dof.limit_weight = options_.limit_weight;
    dof.armature = joint.armature;
    dof.damping = joint.damping;
    dof.stiffness = joint.stiffness;
    dof.spring_reference = joint.spring_reference - joint.reference;
  }

  void draw_shape(const CollisionShape& shape) {
    using Kind = CollisionShape::Kind;
    if (shape.body == ArticulatedModel::world || shape.kind == Kind::plane || shape.kind == Kind::mesh) return;
    const Attachment& at = attachments_[std::size_t(shape.body)];
    builder_.add_shape({shape.kind, robot_.bodies[std::size_t(shape.body)].name, at.dof, at.place * shape.pose, shape.size});
  }

  void add_shape(const CollisionShape& shape) {
    const Attachment at = shape.body == ArticulatedModel::world ? Attachment{} : attachments_[std::size_t(shape.body)];
    if (at.dof < 0) {
      builder_.add_note(
          fmt::format("the shape '{}' does not move: it is no part of the character, give it as an obstacle", shape.name));
      return;
    }
    const Isometry3d pose = at.place * shape.pose;
    using Kind = CollisionShape::Kind;
    if (shape.kind == Kind::sphere) {
      builder_.add_contact_point(at.dof, pose.translation(), shape.size[0]);
    } else if (shape.kind == Kind::capsule || shape.kind == Kind::cylinder) {
      const double reach = shape.kind == Kind::capsule ? shape.size[1] : std::max(shape.size[1] - shape.size[0], 0.0);
      for (const double end : {-reach, reach})
        builder_.add_contact_point(at.dof, pose * Eigen::Vector3d(0, 0, end), shape.size[0]);
    } else if (shape.kind == Kind::box) {
      for (int corner = 0; corner < 8; ++corner) {
        const Eigen::Vector3d signs(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
        builder_.add_contact_point(at.dof, pose * signs.cwiseProduct(shape.size), 0);
      }
    } else if (shape.kind == Kind::mesh) {
      add_mesh(shape, at.dof, pose);
    } else {
      builder_.add_note(fmt::format("the shape '{}' is an ellipsoid or a plane and does not touch obstacles", shape.name));
    }
  }

  void add_mesh(const CollisionShape& shape, int dof, const Isometry3d& pose) {
    const std::string scheme = "package://", name = shape.mesh.string();
    const std::filesystem::path folder =
        options_.mesh_folder.empty() ? std::filesystem::path(robot_.file).parent_path() : options_.mesh_folder;
    const std::filesystem::path file = folder / (name.starts_with(scheme) ? name.substr(scheme.size()) : name);
    if (file.extension() != ".obj" || !std::filesystem::exists(file)) {
      builder_.add_note(fmt::format("the shape '{}' does not touch obstacles: its mesh {} {}", shape.name, file.string(),
                                    file.extension() != ".obj" ? "is no OBJ file; convert it" : "does not exist"));
      return;
    }
    SurfaceMesh mesh = read_surface_mesh(file);
    for (std::array<double, 3>& place : mesh.vertices)
      for (std::size_t i = 0; i < 3; ++i) place[i] *= shape.size[Eigen::Index(i)];
    for (const int vertex : extreme_vertices(mesh))
      builder_.add_contact_point(dof, pose * Eigen::Map<const Eigen::Vector3d>(mesh.vertices[std::size_t(vertex)].data()), 0);
  }

  void add_actuators() {
    if (robot_.actuators.empty())
      for (std::size_t i = 0; i < robot_.bodies.size(); ++i)
        if (robot_.bodies[i].joint.type != "free") actuate(i);
    for (const ArticulatedActuator& actuator : robot_.actuators)
      if (actuator.joint != no_body)
        actuate(std::size_t(actuator.joint));
      else
        builder_.add_note(fmt::format("the actuator '{}' drives no joint and is left out", actuator.name));
  }

  void actuate(std::size_t body) {
    const int end = body + 1 < first_dof_.size() ? first_dof_[body + 1] : builder_.dof_count();
    for (int j = first_dof_[body]; j < end; ++j) builder_.actuate(j);
  }

  void note(const ArticulatedJoint& joint, const std::string& text) {
    builder_.add_note(fmt::format("joint '{}': {}", joint.name, text));
  }

  const ArticulatedModel& robot_;
  const ArticulatedPose& pose_;
  const RobotCharacterOptions& options_;
  CharacterBuilder builder_;
  std::vector<Attachment> attachments_;  // of bodies
  std::vector<int> first_dof_;           // of bodies' joints
};

}  // namespace

CharacterModel character_from_robot(const ArticulatedModel& robot, const ArticulatedPose& pose,
                                    const RobotCharacterOptions& options) {
  return RobotConverter(robot, pose, options).convert();
}

}  // namespace holo::articulated
