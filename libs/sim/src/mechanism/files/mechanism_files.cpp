#include "holo/sim/mechanism/model/mechanism_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mechanism/model/mechanism_builder.h"
#include "mechanism/files/loop_closing.h"
#include "mechanism/files/robot_readers.h"

namespace holo {

void refuse_name(const Location& location, const std::string& kind, const std::string& name,
                 const std::vector<std::string>& candidates) {
  throw_input_error(location, fmt::format("there is no {} '{}'.{}", kind, name, suggestion(name, candidates)));
}

namespace {

using Eigen::Isometry3d, Eigen::Vector3d;

KinematicTree read_tree(const std::filesystem::path& path, const MechanismFileOptions& options) {
  const std::string extension = path.extension().string();
  if (extension != ".xml" && extension != ".mjcf" && extension != ".urdf")
    throw_input_error(
        {path.string()},
        fmt::format("robots are read from *.xml, *.mjcf (MuJoCo) and *.urdf, not from '*{}'; convert it", extension));
  XmlFiles files(path);
  const XmlElement root = files.root();
  if (root.is("robot")) {
    if (!options.keyframe.empty())
      root.fail(fmt::format("a URDF has no keyframes; the reader's option 'keyframe' is '{}'", options.keyframe));
    return read_urdf(files);
  }
  if (!root.is("mujoco")) root.fail("the root element is neither 'mujoco' (MJCF) nor 'robot' (URDF)");
  return read_mjcf(files, options);
}

// What the options change in a tree, and the model that comes of it.
class MechanismReader {
 public:
  MechanismReader(KinematicTree tree, const PluginHost& plugins, const MechanismFileOptions& options)
      : tree_(std::move(tree)), options_(options), builder_(plugins), here_{tree_.file} {}

  MechanismFile read() {
    if (!options_.loop_file.empty()) add_loop_file(tree_, options_);
    leave_out();
    find_roles();
    const std::vector<bool> held = set_positions();
    const std::vector<LoopGap> in_file = loop_gaps(tree_);
    if (options_.close_loops) close_loops(tree_, held);
    const std::vector<LoopGap> at_rest = loop_gaps(tree_);
    require_closed(in_file, at_rest);

    frames_ = world_frames(tree_);
    for (std::size_t i = 0; i < tree_.bodies.size(); ++i)
      builder_.body(tree_.bodies[i].name, frames_[i].translation(), orthonormal(frames_[i].linear()));
    for (std::size_t i = 0; i < tree_.bodies.size(); ++i) add_joint(i);
    for (const TreeLoop& loop : tree_.loops) add_loop(loop);
    if (!options_.ground.empty()) add_ground();
    MechanismFile file{build(), {}, frames_, {}};
    for (std::size_t i = 0; i < tree_.loops.size(); ++i)
      file.loops.push_back({tree_.loops[i].name, in_file[i].distance, at_rest[i].distance, in_file[i].angle, at_rest[i].angle});
    for (const TreeBody& body : tree_.bodies)
      if (body.has_position()) file.positions[body.joint] = body.motion.coordinates[0] + body.reference;
    return file;
  }

 private:
  void leave_out() {
    for (const std::string& name : options_.left_out) {
      const auto found =
          std::find_if(tree_.loops.begin(), tree_.loops.end(), [&](const TreeLoop& loop) { return loop.name == name; });
      if (found == tree_.loops.end()) {
        std::vector<std::string> names;
        for (const TreeLoop& loop : tree_.loops) names.push_back(loop.name);
        refuse_name(here_, "loop to be left out", name, names);
      }
      tree_.loops.erase(found);
    }
  }

  // `what` says whose name it is.
  std::size_t joint(const Location& location, const std::string& what, const std::string& name) const {
    const int number = tree_.joint(name);
    if (number == no_body) refuse_name(location, what, name, tree_.joint_names());
    return std::size_t(number);
  }

  void find_roles() {
    roles_.assign(tree_.bodies.size(), JointRole::passive);
    if (options_.actuators) {
      tree_.actuators.clear();
      for (const std::string& name : *options_.actuators) tree_.actuators.push_back({name, here_});
    }
    for (const NamedPlace& actuator : tree_.actuators) set_role(actuator, "driven joint", JointRole::actuator);
    for (const std::string& name : options_.configurable)
      set_role({name, here_}, "configurable joint", JointRole::configurable);
  }

  void set_role(const NamedPlace& named, const std::string& what, JointRole role) {
    const std::size_t number = joint(named.location, what, named.name);
    const TreeBody& body = tree_.bodies[number];
    if (is_left_free(body) || body.type == TreeJointType::fixed)
      throw_input_error(named.location,
                        fmt::format("the joint '{}' is {}: it has nothing to drive", body.joint,
                                    body.type == TreeJointType::fixed ? "fixed" : "a root that is fixed to the world"));
    if (roles_[number] != JointRole::passive && roles_[number] != role)
      throw_input_error(named.location, fmt::format("the joint '{}' is {} and {}; a joint has one role", body.joint,
                                                    to_string(roles_[number]), to_string(role)));
    roles_[number] = role;
  }

  // A root whose free joint does not become one of the model.
  bool is_left_free(const TreeBody& body) const {
    return body.type == TreeJointType::free && body.parent == world &&
           (!options_.ground.empty() || options_.root == MechanismFileOptions::Root::grounded);
  }

  // Which joints the options hold.
  std::vector<bool> set_positions() {
    std::vector<bool> held(tree_.bodies.size(), false);
    for (const auto& [name, position] : options_.positions) {
      const std::size_t number = joint(here_, "joint with a position", name);
      TreeBody& body = tree_.bodies[number];
      if (!body.has_position())
        throw_input_error(body.joint_location, fmt::format("the joint '{}' is {}; only hinges and slides take a position", name,
                                                           to_string(body.type)));
      if (!std::isfinite(position))
        throw_input_error(body.joint_location, fmt::format("the position of '{}' is not finite", name));
      body.motion.coordinates[0] = position - body.reference;
      held[number] = true;
    }
    return held;
  }

  void require_closed(const std::vector<LoopGap>& in_file, const std::vector<LoopGap>& at_rest) const {
    const double allowed = options_.tolerance * extent(tree_);
    std::string open;
    const Location* first = nullptr;
    for (std::size_t i = 0; i < at_rest.size(); ++i) {
      if (at_rest[i].distance <= allowed && at_rest[i].angle <= options_.tolerance) continue;
      if (first == nullptr) first = &tree_.loops[i].location;
      open += fmt::format("\n  '{}': {:.3g} m and {:.3g} rad", tree_.loops[i].name, at_rest[i].distance, at_rest[i].angle);
      if (options_.close_loops)
        open += fmt::format(" (in the file {:.3g} m and {:.3g} rad)", in_file[i].distance, in_file[i].angle);
    }
    if (first == nullptr) return;
    throw_input_error(
        *first,
        fmt::format("loops are open at rest, allowed are {:.3g} m and {:.3g} rad:{}\n{}", allowed, options_.tolerance, open,
                    options_.close_loops
                        ? "The joints were moved from there and stopped at these gaps: start nearer to a closed "
                          "pose (the reader's options 'positions' and 'keyframe'), or hold fewer joints."
                        : "Let the reader close them (its option 'close_loops'), or give it a closed pose "
                          "('positions', 'keyframe')."));
  }

  void add_joint(std::size_t number) {
    const TreeBody& body = tree_.bodies[number];
    const std::string parent = body.parent == world ? "" : tree_.bodies[std::size_t(body.parent)].name;
    if (is_left_free(body)) {
      if (options_.ground.empty()) builder_.ground(body.name);
      return;
    }
    const Isometry3d a = (body.parent == world ? Isometry3d::Identity() : frames_[std::size_t(body.parent)]) * body.frame_a;
    const Isometry3d b = a * body.motion.of(body.type);
    Eigen::Matrix3d axes = b.linear();
    if (body.type == TreeJointType::universal) {  // its first axis is A's, its second one B's
      axes.col(0) = a.linear().col(0);
      axes.col(2) = axes.col(0).cross(axes.col(1));
    }
    builder_.joint(body.joint, to_string(body.type), parent, body.name, b.translation(), orthonormal(axes), roles_[number]);
  }

  void add_loop(const TreeLoop& loop) {
    const auto point = [&](int body, const Isometry3d& frame) -> Vector3d {
      return ((body == world ? Isometry3d::Identity() : frames_[std::size_t(body)]) * frame).translation();
    };
    const auto name = [&](int body) { return body == world ? std::string() : tree_.bodies[std::size_t(body)].name; };
    builder_.joint(loop.name, loop.locks_rotation ? "fixed" : "spherical", name(loop.body_a), name(loop.body_b),
                   0.5 * (point(loop.body_a, loop.frame_a) + point(loop.body_b, loop.frame_b)), Eigen::Matrix3d::Identity());
  }

  void add_ground() {
    if (tree_.body(options_.ground) < 0) refuse_name(here_, "body to be the ground", options_.ground, tree_.body_names());
    builder_.ground(options_.ground);
  }

  // What the model itself refuses gets the file's name.
  MechanismModel build() const {
    try {
      return builder_.build();
    } catch (const Error& error) {
      throw_input_error(here_, error.what());
    }
  }

  KinematicTree tree_;
  const MechanismFileOptions& options_;
  MechanismBuilder builder_;
  Location here_;
  std::vector<JointRole> roles_;
  std::vector<Isometry3d> frames_;
};

}  // namespace

MechanismFile read_mechanism(const std::filesystem::path& path, const PluginHost& plugins,
                             const MechanismFileOptions& options) {
  return MechanismReader(read_tree(path, options), plugins, options).read();
}

}  // namespace holo
