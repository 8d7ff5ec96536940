#include "holo/sim/mechanism/model/mechanism_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "articulated/loop_closing.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/articulated/robot_reader.h"
#include "holo/sim/mechanism/model/mechanism_builder.h"
#include "mechanism/model/file_couplings.h"

namespace holo {

namespace {

using Eigen::Isometry3d;

[[noreturn]] void refuse_robot_name(const Location& location, const std::string& kind, const std::string& name,
                                    const std::vector<std::string>& candidates) {
  throw_input_error(location, fmt::format("there is no {} '{}'.{}", kind, name, suggestion(name, candidates)));
}

// Applies the reader's options to an articulated model, and builds the mechanism.
class MechanismReader {
 public:
  MechanismReader(ArticulatedFile file, const PluginHost& plugins, const MechanismFileOptions& options)
      : model_(std::move(file.model)), pose_(std::move(file.pose)), options_(options), builder_(plugins), here_{model_.file} {}

  MechanismFile read() {
    leave_out();
    find_roles();
    const std::vector<bool> fixed = set_positions();
    settle_couplings(model_, fixed, pose_);
    const std::vector<LoopGap> in_file = loop_gaps(model_, pose_);
    if (options_.close_loops) close_loops(model_, fixed, pose_);
    const std::vector<LoopGap> at_rest = loop_gaps(model_, pose_);
    require_closed(in_file, at_rest);
    require_couplings(model_, pose_, extent(model_, pose_), options_.tolerance);

    frames_ = world_frames(model_, pose_);
    for (std::size_t i = 0; i < model_.bodies.size(); ++i)
      builder_.body(model_.bodies[i].name, frames_[i].translation(), orthonormal(frames_[i].linear()));
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) add_joint(i);
    for (const ArticulatedLoop& loop : model_.loops) add_loop(loop);
    if (!options_.ground.empty()) add_ground();
    couple();
    MechanismFile file{build(), {}, frames_, {}, {}};
    for (std::size_t i = 0; i < model_.loops.size(); ++i)
      file.loops.push_back(
          {model_.loops[i].name, in_file[i].distance, at_rest[i].distance, in_file[i].angle, at_rest[i].angle});
    for (std::size_t i = 0; i < model_.bodies.size(); ++i)
      if (const ArticulatedJoint& joint = model_.bodies[i].joint; joint.has_position())
        file.positions[joint.name] = pose_[i].coordinates[0] + joint.reference;
    file.notes = model_.notes;
    return file;
  }

 private:
  // Loops and couplings.
  void leave_out() {
    for (const std::string& name : options_.left_out) {
      const auto is_named = [&](const auto& each) { return each.name == name; };
      if (std::erase_if(model_.loops, is_named) + std::erase_if(model_.couplings, is_named) > 0) continue;
      std::vector<std::string> names;
      for (const ArticulatedLoop& loop : model_.loops) names.push_back(loop.name);
      for (const JointCoupling& coupling : model_.couplings) names.push_back(coupling.name);
      refuse_robot_name(here_, "loop to be left out", name, names);
    }
  }

  // `what` says whose name it is.
  std::size_t joint(const Location& location, const std::string& what, const std::string& name) const {
    const int number = model_.joint(name);
    if (number == no_body) refuse_robot_name(location, what, name, model_.joint_names());
    return std::size_t(number);
  }

  void find_roles() {
    roles_.assign(model_.bodies.size(), JointRole::passive);
    if (options_.actuators) {
      for (const std::string& name : *options_.actuators)
        set_role(here_, joint(here_, "driven joint", name), JointRole::actuator);
    } else {
      require_full_drives();
      for (const ArticulatedActuator& actuator : model_.actuators)
        set_role(actuator.source.location, std::size_t(actuator.joint), JointRole::actuator);
    }
    for (const std::string& name : options_.configurable)
      set_role(here_, joint(here_, "configurable joint", name), JointRole::configurable);
    for (const std::string& name : options_.lengths)
      if (const ArticulatedBody& body = model_.bodies[joint(here_, "joint with a length", name)]; body.parent == world)
        body.joint.source.fail(fmt::format("the joint '{}' connects its body with the world: no joint is before it", name));
  }

  // Every actuator drives a joint, and all degrees of freedom of its joint are driven.
  void require_full_drives() const {
    std::map<int, std::pair<int, const ArticulatedActuator*>> counts;
    for (const ArticulatedActuator& actuator : model_.actuators) {
      if (actuator.joint == no_body)
        actuator.source.fail(
            "it drives something other than a joint (such as a tendon or a site), which a mechanism cannot express; name the "
            "driven joints in the reader's option 'actuators'");
      ++counts.emplace(actuator.joint, std::pair(0, &actuator)).first->second.first;
    }
    for (const auto& [number, count] : counts) {
      const ArticulatedJoint& driven = model_.bodies[std::size_t(number)].joint;
      const int needed = driven.type == "spherical" ? 3 : driven.type == "free" ? 6 : 1;
      if (count.first < needed && !count.second->source.element.empty())  // a loop file drives joints in all
        count.second->source.fail(fmt::format(
            "the joint '{}' has {} actuators for its {} degrees of freedom; in a mechanism all of a driven joint's are "
            "driven. Name the driven joints in the reader's option 'actuators'",
            driven.name, count.first, needed));
    }
  }

  void set_role(const Location& location, std::size_t number, JointRole role) {
    const ArticulatedJoint& driven = model_.bodies[number].joint;
    if (is_locked(model_, number))
      throw_input_error(
          location, fmt::format("the joint '{}' is locked by a coupling to a constant: it has nothing to drive", driven.name));
    if (is_left_free(model_.bodies[number]) || driven.type == "fixed")
      throw_input_error(location, fmt::format("the joint '{}' is {}: it has nothing to drive", driven.name,
                                              driven.type == "fixed" ? "fixed" : "a root that is fixed to the world"));
    if (roles_[number] != JointRole::passive && roles_[number] != role)
      throw_input_error(location, fmt::format("the joint '{}' is {} and {}; a joint has one role", driven.name,
                                              to_string(roles_[number]), to_string(role)));
    roles_[number] = role;
  }

  // A root whose free joint does not become one of the model.
  bool is_left_free(const ArticulatedBody& body) const {
    return body.joint.type == "free" && body.parent == world &&
           (!options_.ground.empty() || options_.root == MechanismFileOptions::Root::grounded);
  }

  // Whether the options fix a joint.
  std::vector<bool> set_positions() {
    std::vector<bool> fixed(model_.bodies.size(), false);
    for (const auto& [name, position] : options_.positions) {
      const std::size_t number = joint(here_, "joint with a position", name);
      const ArticulatedJoint& moved = model_.bodies[number].joint;
      if (!moved.has_position())
        throw_input_error(moved.source.location,
                          fmt::format("the joint '{}' is {}; only hinges and slides take a position", name, moved.type));
      if (!std::isfinite(position))
        throw_input_error(moved.source.location, fmt::format("the position of '{}' is not finite", name));
      pose_[number].coordinates[0] = position - moved.reference;
      fixed[number] = true;
    }
    return fixed;
  }

  void require_closed(const std::vector<LoopGap>& in_file, const std::vector<LoopGap>& at_rest) const {
    const double allowed = options_.tolerance * extent(model_, pose_);
    std::string open;
    const Location* first = nullptr;
    for (std::size_t i = 0; i < at_rest.size(); ++i) {
      if (at_rest[i].distance <= allowed && at_rest[i].angle <= options_.tolerance) continue;
      if (first == nullptr) first = &model_.loops[i].source.location;
      open += fmt::format("\n  '{}': {:.3g} m and {:.3g} rad", model_.loops[i].name, at_rest[i].distance, at_rest[i].angle);
      if (options_.close_loops)
        open += fmt::format(" (in the file {:.3g} m and {:.3g} rad)", in_file[i].distance, in_file[i].angle);
    }
    if (first == nullptr) return;
    throw_input_error(
        *first,
        fmt::format("loops are open at rest, allowed are {:.3g} m and {:.3g} rad:{}\n{}", allowed, options_.tolerance, open,
                    options_.close_loops
                        ? "The joints were moved from there and stopped at these gaps: start nearer to a closed "
                          "pose (the reader's options 'positions' and 'keyframe'), or fix fewer joints."
                        : "Let the reader close them (its option 'close_loops'), or give it a closed pose "
                          "('positions', 'keyframe')."));
  }

  void add_joint(std::size_t number) {
    const ArticulatedBody& body = model_.bodies[number];
    const std::string parent = body.parent == world ? "" : model_.bodies[std::size_t(body.parent)].name;
    if (is_left_free(body)) {
      if (options_.ground.empty()) builder_.ground(body.name);
      return;
    }
    const ArticulatedJoint& tie = body.joint;
    const Isometry3d a = (body.parent == world ? Isometry3d::Identity() : frames_[std::size_t(body.parent)]) * tie.frame_a;
    const Isometry3d b = a * motion_of(tie, pose_[number]);
    Eigen::Matrix3d axes = b.linear();
    if (tie.type == "universal") {  // its first axis is A's, its second one B's
      axes.col(0) = a.linear().col(0);
      axes.col(2) = axes.col(0).cross(axes.col(1));
    }
    const bool has_length = std::find(options_.lengths.begin(), options_.lengths.end(), tie.name) != options_.lengths.end();
    builder_.joint(tie.name, is_locked(model_, number) ? "fixed" : tie.type,
                   has_length ? add_length(number, b.translation()) : parent, body.name, b.translation(), orthonormal(axes),
                   roles_[number]);
  }

  // A slide from the parent's own joint toward this one. Returns the body behind it.
  std::string add_length(std::size_t number, const Eigen::Vector3d& point) {
    const ArticulatedBody& body = model_.bodies[number];
    const ArticulatedBody& parent = model_.bodies[std::size_t(body.parent)];
    const Isometry3d before =
        (parent.parent == world ? Isometry3d::Identity() : frames_[std::size_t(parent.parent)]) * parent.joint.frame_a;
    const Eigen::Vector3d along = point - before.translation();
    if (!(along.norm() > 1e-9 * extent(model_, pose_)))
      body.joint.source.fail(fmt::format("the joint '{}' is where the joint '{}' before it is: there is no length to change",
                                         body.joint.name, parent.joint.name));
    const std::string mount = body.joint.name + "_mount";
    Isometry3d frame = frames_[std::size_t(body.parent)];
    frame.translation() = point;
    builder_.body(mount, point, orthonormal(frame.linear()));
    frames_.push_back(frame);
    builder_.joint(body.joint.name + "_length", "prismatic", parent.name, mount, point, axes_along(along),
                   JointRole::configurable);
    return mount;
  }

  void add_loop(const ArticulatedLoop& loop) {
    const auto point = [&](int body, const Isometry3d& frame) -> Eigen::Vector3d {
      return ((body == world ? Isometry3d::Identity() : frames_[std::size_t(body)]) * frame).translation();
    };
    const auto name = [&](int body) { return body == world ? std::string() : model_.bodies[std::size_t(body)].name; };
    builder_.joint(loop.name, loop.locks_rotation ? "fixed" : "spherical", name(loop.body_a), name(loop.body_b),
                   0.5 * (point(loop.body_a, loop.frame_a) + point(loop.body_b, loop.frame_b)), Eigen::Matrix3d::Identity());
  }

  void add_ground() {
    if (model_.body(options_.ground) < 0)
      refuse_robot_name(here_, "body to be the ground", options_.ground, model_.body_names());
    builder_.ground(options_.ground);
  }

  void couple() {
    try {
      add_couplings(model_, pose_, builder_);
    } catch (const Error& error) {
      throw_input_error(here_, error.what());
    }
  }

  // Adds the file's name to errors of the model.
  MechanismModel build() const {
    try {
      return builder_.build();
    } catch (const Error& error) {
      throw_input_error(here_, error.what());
    }
  }

  ArticulatedModel model_;
  ArticulatedPose pose_;
  const MechanismFileOptions& options_;
  MechanismBuilder builder_;
  Location here_;
  std::vector<JointRole> roles_;
  std::vector<Isometry3d> frames_;
};

}  // namespace

MechanismFile read_mechanism(const std::filesystem::path& path, const PluginHost& plugins,
                             const MechanismFileOptions& options) {
  ArticulatedFile file = read_articulated(path, {options.loop_file, options.keyframe, options.left_out, options.aliases});
  return MechanismReader(std::move(file), plugins, options).read();
}

}  // namespace holo
