#include "studies/robot_design/robot_collisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "studies/robot_design/robot_design_plan.h"

namespace holo {

namespace {

// The position in the world, at rest, of a point in a body's coordinates [m].
Eigen::Vector3d at_rest(const MechanismModel& model, int body, const Eigen::Vector3d& point) {
  if (body == world) return point;
  const MechanismBody& in = model.bodies()[std::size_t(body)];
  return in.origin + in.axes * point;
}

bool is_rigid(const MechanismJoint& joint) { return joint.coordinate_count() == 0 && joint.row_count() == 6; }

// Whether the joint's point is fixed in both bodies in every pose; false for types that are not listed.
bool keeps_its_point(const MechanismJoint& joint) {
  const std::string type = joint.type->name();
  return type == "fixed" || type == "revolute" || type == "universal" || type == "spherical";
}

// For each body, the number of one body of its rigid group: bodies that rigid and configurable joints connect.
std::vector<int> parts_of(const MechanismModel& model) {
  std::vector<int> part(model.bodies().size());
  std::iota(part.begin(), part.end(), 0);
  for (const MechanismJoint& joint : model.joints()) {
    if (joint.body_a == world || joint.body_b == world) continue;
    const int from = part[std::size_t(joint.body_a)], to = part[std::size_t(joint.body_b)];
    if (is_rigid(joint) || joint.role == JointRole::configurable) std::replace(part.begin(), part.end(), from, to);
  }
  return part;
}

// Whether a joint connects the two groups, or both are fixed to the world.
bool are_neighbors(const MechanismModel& model, const std::vector<int>& part, int one, int other) {
  bool one_stands = false, other_stands = false;
  for (const MechanismJoint& joint : model.joints()) {
    const int a = joint.body_a == world ? world : part[std::size_t(joint.body_a)];
    const int b = joint.body_b == world ? world : part[std::size_t(joint.body_b)];
    if ((a == one && b == other) || (a == other && b == one)) return true;
    if (!is_rigid(joint) || (a != world && b != world)) continue;
    one_stands = one_stands || a == one || b == one;
    other_stands = other_stands || a == other || b == other;
  }
  return one_stands && other_stands;
}

// Least and largest distance of a capsule's axis from a point of its body at rest.
std::pair<double, double> distances(const MechanismModel& model, const BodyCapsule& capsule, const Eigen::Vector3d& point) {
  const Eigen::Vector3d from = at_rest(model, capsule.body, capsule.from) - point,
                        way = at_rest(model, capsule.body, capsule.to) - point - from;
  const double part = way.squaredNorm() > 0 ? std::clamp(-from.dot(way) / way.squaredNorm(), 0.0, 1.0) : 0;
  return {(from + part * way).norm(), std::max(from.norm(), (from + way).norm())};
}

// The joints of a shortest path between two bodies, also through the world, by breadth-first search; empty if there is none.
std::vector<int> joints_between(const MechanismModel& model, int from, int to) {
  std::vector<int> reached_by(model.bodies().size() + 1, -1);  // the world is the first
  const auto place = [](int body) { return std::size_t(body + 1); };
  std::vector<int> front = {from};
  while (!front.empty() && reached_by[place(to)] < 0) {
    std::vector<int> next;
    for (int j = 0; j < int(model.joints().size()); ++j) {
      const MechanismJoint& joint = model.joints()[std::size_t(j)];
      for (const auto& [here, there] : {std::pair(joint.body_a, joint.body_b), std::pair(joint.body_b, joint.body_a)})
        if (std::count(front.begin(), front.end(), here) > 0 && there != from && reached_by[place(there)] < 0) {
          reached_by[place(there)] = j;
          next.push_back(there);
        }
    }
    front = next;
  }
  std::vector<int> joints;
  for (int body = to; body != from;) {
    const int j = reached_by[place(body)];
    if (j < 0) return {};
    joints.insert(joints.begin(), j);
    const MechanismJoint& joint = model.joints()[std::size_t(j)];
    body = joint.body_a == body ? joint.body_b : joint.body_a;
  }
  return joints;
}

// A lower bound of the distance between the axes of two capsules in all poses. Along a path of joints that only rotate, the
// distances between successive joints are constant, and a polygon closes only if no side exceeds the sum of the others.
double least_distance(const MechanismModel& model, const BodyCapsule& one, const BodyCapsule& other) {
  const std::vector<int> joints = joints_between(model, one.body, other.body);
  if (joints.empty()) return 0;
  std::vector<std::pair<double, double>> pieces;  // least and largest length
  Eigen::Vector3d before = Eigen::Vector3d::Zero();
  for (const int j : joints) {
    const MechanismJoint& joint = model.joints()[std::size_t(j)];
    if (!keeps_its_point(joint)) return 0;
    const double length = (joint.point - before).norm();
    pieces.push_back(pieces.empty() ? distances(model, one, joint.point) : std::pair(length, length));
    before = joint.point;
  }
  pieces.push_back(distances(model, other, before));
  double all = 0, least = 0;
  for (const auto& piece : pieces) all += piece.second;
  for (const auto& piece : pieces) least = std::max(least, piece.first - (all - piece.second));
  return least;
}

BodyCapsule read_capsule(Configuration& entry, const RobotDesignPlan& plan) {
  BodyCapsule capsule;
  std::vector<std::string> bodies;
  if (plan.model)
    for (const MechanismBody& body : plan.model->bodies()) bodies.push_back(body.name);
  const std::string body = entry.text("body", {.choices = bodies, .documentation = "body to which the capsule is fixed"});
  capsule.body = int(std::find(bodies.begin(), bodies.end(), body) - bodies.begin());
  capsule.name =
      entry.text("name", {.default_value = body, .documentation = "name of the capsule in reports; by default the body's"});
  const auto read_end = [&](const char* key, const char* documentation) {
    return vector_of(entry.vector3(key, {.unit = "m", .documentation = documentation}));
  };
  capsule.from = read_end("from", "start of the capsule's axis, in the body's coordinates");
  capsule.to = read_end("to", "end of the axis; equal to `from` for a sphere");
  capsule.radius = entry.number("radius", {.unit = "m", .minimum = 0, .minimum_excluded = true});
  return capsule;
}

std::string text_of(const Eigen::Vector3d& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v[0], v[1], v[2]); }

// The objective of a pair, in the YAML that a user would write.
std::string objective(const MechanismModel& model, const BodyCapsule& one, const BodyCapsule& other, double margin,
                      double weight) {
  return fmt::format(
      "{{body: '{}', from: {}, to: {}, radius: {:.17g}, other_body: '{}', other_from: {}, other_to: {}, other_radius: {:.17g}, "
      "margin: {:.17g}, weight: {:.17g}}}",
      model.bodies()[std::size_t(one.body)].name, text_of(one.from), text_of(one.to), one.radius,
      model.bodies()[std::size_t(other.body)].name, text_of(other.from), text_of(other.to), other.radius, margin, weight);
}

}  // namespace

std::vector<std::pair<int, int>> pairs_that_may_meet(const MechanismModel& model, const std::vector<BodyCapsule>& capsules,
                                                     double margin) {
  const std::vector<int> part = parts_of(model);
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < int(capsules.size()); ++i)
    for (int j = i + 1; j < int(capsules.size()); ++j) {
      const BodyCapsule &one = capsules[std::size_t(i)], &other = capsules[std::size_t(j)];
      const int part_one = part[std::size_t(one.body)], part_other = part[std::size_t(other.body)];
      if (part_one == part_other || are_neighbors(model, part, part_one, part_other)) continue;
      if (least_distance(model, one, other) < one.radius + other.radius + margin) pairs.emplace_back(i, j);
    }
  return pairs;
}

std::vector<BodyCapsule> read_collisions(Configuration& experiment, const PluginHost& host, const RobotDesignPlan& plan,
                                         std::vector<UsedPlugin>& plugins, std::vector<NamedLoss>& losses) {
  if (!experiment.has("collisions")) return {};
  const std::size_t problems = experiment.problem_count();
  Configuration section = experiment.section("collisions", "penalty of collisions between bodies", false);
  const double margin = section.number("margin", {.unit = "m",
                                                  .minimum = 0,
                                                  .minimum_excluded = true,
                                                  .documentation = "clearance below which a pair adds to the objective"});
  const double weight = section.number(
      "weight", {.minimum = 0, .default_value = 1.0, .documentation = "factor of 1/2 x^4 with x = 1 - clearance / margin"});
  std::vector<BodyCapsule> capsules;
  section.each(
      "proxies", [&](Configuration& entry) { capsules.push_back(read_capsule(entry, plan)); },
      "capsules that represent bodies; pairs of neighbors, and pairs that cannot meet, have no penalty", 2);
  for (std::size_t i = 0; i < capsules.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (capsules[i].name == capsules[j].name && !section.recording())
        section.problem(section.location("proxies"),
                        fmt::format("there are two proxies named '{}'; give each a `name`", capsules[i].name));
  if (section.recording() || !plan.signals || experiment.problem_count() != problems) return {};
  const auto pairs = pairs_that_may_meet(*plan.model, capsules, margin);
  if (pairs.empty())
    section.problem(section.location("proxies"),
                    "no two of the proxies can meet: all pairs belong to one rigid group of bodies, to neighbors, or are "
                    "always farther apart");
  const auto plugin = host.get<LossPlugin>("keep_apart");
  plugins.push_back(plugin);
  for (const auto& [i, j] : pairs) {
    const BodyCapsule &one = capsules[std::size_t(i)], &other = capsules[std::size_t(j)];
    ConfigurationFile pair = ConfigurationFile::parse(objective(*plan.model, one, other, margin, weight), "collisions");
    Configuration root = pair.root();
    for (LossInstance& instance : create_losses(plugin, root, MechanismObservables(plan.layout), *plan.signals))
      losses.push_back(
          {fmt::format("keep_apart.{}.{}", one.name, other.name), std::make_shared<const LossInstance>(std::move(instance))});
    pair.finish();
  }
  return capsules;
}

}  // namespace holo
