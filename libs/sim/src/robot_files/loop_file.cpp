// The loop file beside a tree: pairs of frames that coincide, driven joints, and joints of types that the tree's format lacks.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "holo/core/configuration.h"
#include "robot_files/robot_readers.h"

namespace holo {

namespace {

// The entries of a YAML list in flow form: "[[a, b], [c, d]]" has the entries "[a, b]" and "[c, d]"; {} for anything else.
std::vector<std::string> entries_of(const std::string& yaml) {
  std::vector<std::string> entries;
  if (yaml.size() < 2 || yaml.front() != '[' || yaml.back() != ']') return entries;
  int depth = 0;
  char quote = 0;
  bool is_escaped = false;
  std::string entry;
  for (const char letter : yaml.substr(1, yaml.size() - 2)) {
    if (quote != 0) {
      if (letter == quote && !is_escaped) quote = 0;
      is_escaped = quote == '"' && letter == '\\' && !is_escaped;
    } else if (letter == '"' || letter == '\'') {
      quote = letter;
    } else {
      depth += (letter == '[') - (letter == ']');
    }
    if (letter == ',' && depth == 0 && quote == 0) {
      entries.push_back(entry);
      entry.clear();
    } else {
      entry += letter;
    }
  }
  if (entry.find_first_not_of(' ') != std::string::npos) entries.push_back(entry);
  return entries;
}

class LoopFile {
 public:
  LoopFile(ArticulatedModel& model, const RobotReaderOptions& options)
      : model_(model), options_(options), file_(ConfigurationFile::load(options.loop_file)), root_(file_.root()) {}

  void read() {
    constexpr std::size_t many = 100000;
    const std::string loops = root_.raw("closed_loop", "pairs of links or joints whose frames are one", true);
    const std::vector<std::string> types = root_.texts("type", 0, many, {.choices = {"6d", "6D", "3d", "3D"}});
    const std::vector<std::string> motors = root_.texts("name_mot", 0, many);
    const std::vector<std::string> joints = root_.texts("joint_name", 0, many);
    const std::vector<std::string> joint_types = root_.texts("joint_type", 0, many, {.choices = all_types()});
    if (joints.size() != joint_types.size())
      root_.problem(root_.location("joint_type"),
                    fmt::format("'joint_type' has {} entries, 'joint_name' {}; each joint has one type", joint_types.size(),
                                joints.size()));
    const std::vector<std::vector<std::string>> pairs = read_pairs(loops);
    if (types.size() != pairs.size())
      root_.problem(root_.location("type"),
                    fmt::format("'type' has {} entries, 'closed_loop' {}; each loop has one type", types.size(), pairs.size()));
    file_.finish();
    for (std::size_t i = 0; i < joints.size(); ++i) set_type(joints[i], joint_types[i]);
    for (const std::string& motor : motors) add_motor(spelled(motor));
    for (std::size_t i = 0; i < pairs.size(); ++i) add_loop(pairs[i], types[i]);
  }

 private:
  static std::vector<std::string> all_types() {
    return {"SPHERICAL", "UJOINT_XY", "UJOINT_XZ", "UJOINT_YX", "UJOINT_YZ", "UJOINT_ZX", "UJOINT_ZY"};
  }

  std::vector<std::vector<std::string>> read_pairs(const std::string& loops) {
    std::vector<std::vector<std::string>> pairs;
    for (const std::string& entry : entries_of(loops)) {
      std::vector<std::string> pair;
      // Names in YAML's own spelling: quotes and escapes.
      for (const std::string& name : entries_of(entry.substr(std::min(entry.find_first_not_of(' '), entry.size())))) {
        ConfigurationFile one = ConfigurationFile::parse("name: " + name, options_.loop_file.string());
        pair.push_back(one.root().text("name"));
        one.finish();
      }
      pairs.push_back(pair);
      if (pair.size() != 2)
        root_.problem(
            root_.location("closed_loop"),
            fmt::format("entry {} of 'closed_loop' is no pair of two names, such as [rod_end, foot_socket]", pairs.size()));
    }
    if (pairs.empty() && loops != "[]" && !loops.empty())
      root_.problem(root_.location("closed_loop"), "'closed_loop' is no list of pairs, such as [[rod_end, foot_socket]]");
    return pairs;
  }

  std::string spelled(const std::string& name) const {
    const auto alias = options_.aliases.find(name);
    return alias == options_.aliases.end() ? name : alias->second;
  }

  int joint(const std::string& written, const char* key) const {
    const std::string name = spelled(written);
    const int number = model_.joint(name);
    if (number == no_body) refuse_name(root_.location(key), "joint", name, model_.joint_names());
    return number;
  }

  // The types stand for hinges; their axes are those of the joint's frame as the file has it. The hinge's limits are none of
  // theirs.
  void set_type(const std::string& name, const std::string& type) {
    ArticulatedJoint& hinge = model_.bodies[std::size_t(joint(name, "joint_name"))].joint;
    if (hinge.type != "revolute")
      throw_input_error(root_.location("joint_name"),
                        fmt::format("the joint '{}' is {}; 'joint_type' changes hinges", hinge.name, hinge.type));
    turn_frames(hinge, hinge.body_in_b.linear());  // back from the hinge's axes to those of the file
    hinge.position = {};
    hinge.type = "spherical";
    if (type == "SPHERICAL") return;
    hinge.type = "universal";
    const Eigen::Vector3d first = Eigen::Vector3d::Unit(type[7] - 'X'), second = Eigen::Vector3d::Unit(type[8] - 'X');
    Eigen::Matrix3d axes;
    axes << first, second, first.cross(second);
    turn_frames(hinge, axes);
  }

  static void turn_frames(ArticulatedJoint& joint, const Eigen::Matrix3d& axes) {
    const Eigen::Isometry3d turn(axes);
    joint.frame_a = joint.frame_a * turn;
    joint.body_in_b = turn.inverse() * joint.body_in_b;
  }

  int frame(const std::string& written) const {
    const std::string name = spelled(written);
    const int link = model_.body(name), joint = model_.joint(name);
    if (link == no_body && joint == no_body) {
      std::vector<std::string> names = model_.body_names();
      for (const std::string& other : model_.joint_names()) names.push_back(other);
      refuse_name(root_.location("closed_loop"), "link or joint", name, names);
    }
    if (link != no_body && joint != no_body && link != joint)
      throw_input_error(root_.location("closed_loop"),
                        fmt::format("'{}' is the name of a link and of a joint whose child is another link; rename one", name));
    return link != no_body ? link : joint;
  }

  void add_motor(const std::string& name) {
    const int number = model_.joint(name);
    if (number == no_body) refuse_name(root_.location("name_mot"), "driven joint", name, model_.joint_names());
    model_.actuators.push_back({name, "motor", {root_.location("name_mot")}, number});
  }

  void add_loop(const std::vector<std::string>& pair, const std::string& type) {
    ArticulatedLoop loop;
    loop.name = pair[0] + "_to_" + pair[1];
    loop.source = {root_.location("closed_loop")};
    if (std::find(options_.left_out.begin(), options_.left_out.end(), loop.name) == options_.left_out.end()) {
      loop.body_a = frame(pair[0]);
      loop.body_b = frame(pair[1]);
      loop.locks_rotation = type[0] == '6';
      if (loop.body_a == loop.body_b)
        throw_input_error(loop.source.location, fmt::format("the loop '{}' ties the link '{}' to itself", loop.name, pair[0]));
    }
    model_.loops.push_back(loop);
  }

  ArticulatedModel& model_;
  const RobotReaderOptions& options_;
  ConfigurationFile file_;
  Configuration root_;
};

}  // namespace

void add_loop_file(ArticulatedModel& model, const RobotReaderOptions& options) { LoopFile(model, options).read(); }

}  // namespace holo
