#include "holo/sim/mechanism/constraints/idle_spins.h"

#include <algorithm>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mechanism/model/mechanism_builder.h"
#include "idle_hinges.h"

namespace holo {

namespace {

bool is_ball(const MechanismJoint& joint) { return joint.role == JointRole::passive && joint.type->name() == "spherical"; }

// The bodies that are connected with a body by joints other than two given ones; `stands`: whether the world is, too.
std::vector<bool> reached_without(const std::vector<MechanismJoint>& joints, std::size_t bodies, int from, std::size_t one,
                                  std::size_t other, bool& stands) {
  std::vector<bool> reached(bodies, false);
  reached[std::size_t(from)] = true;
  stands = false;
  for (bool grew = true; grew && !stands;) {
    grew = false;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (j == one || j == other) continue;
      const int a = joints[j].body_a, b = joints[j].body_b;
      const bool has_a = a != world && reached[std::size_t(a)], has_b = b != world && reached[std::size_t(b)];
      if (!has_a && !has_b) continue;
      if (a == world || b == world) {
        stands = true;
        break;
      }
      if (has_a == has_b) continue;
      reached[std::size_t(has_a ? b : a)] = grew = true;
    }
  }
  return reached;
}

class SpinSearch {
 public:
  SpinSearch(std::vector<MechanismJoint> joints, const std::vector<MechanismBody>& bodies, double length,
             const PluginHost& plugins)
      : joints_(std::move(joints)), bodies_(bodies), length_(length), plugins_(plugins) {}

  std::vector<MechanismJoint> run(std::vector<FixedSpin>& spins) {
    for (std::size_t one = 0; one < joints_.size(); ++one)
      for (std::size_t other = one + 1; other < joints_.size() && is_ball(joints_[one]); ++other)
        if (is_ball(joints_[other])) look_at(one, other, spins);
    return std::move(joints_);
  }

 private:
  // Tests two spherical joints: without them, the bodies on one side must be separate from the world, with one body at each
  // joint. Then nothing else determines their spin about the line.
  void look_at(std::size_t one, std::size_t other, std::vector<FixedSpin>& spins) {
    const Eigen::Vector3d line = joints_[other].point - joints_[one].point;
    if (line.norm() < 1e-6 * length_) return;
    for (const int side : {joints_[one].body_a, joints_[one].body_b}) {
      if (side == world) continue;
      bool stands = false;
      const std::vector<bool> group = reached_without(joints_, bodies_.size(), side, one, other, stands);
      const auto is_in = [&](int body) { return body != world && group[std::size_t(body)]; };
      const MechanismJoint &first = joints_[one], &second = joints_[other];
      // Each ball has one body in the group and one outside of it.
      if (stands || is_in(first.body_a) == is_in(first.body_b) || is_in(second.body_a) == is_in(second.body_b)) continue;
      fix(one, line, spins);
      for (std::size_t b = 0; b < bodies_.size(); ++b)
        if (group[b]) spins.back().bodies.push_back(bodies_[b].name);
      return;
    }
  }

  void fix(std::size_t joint, const Eigen::Vector3d& line, std::vector<FixedSpin>& spins) {
    MechanismJoint& ball = joints_[joint];
    // The universal joint's axes are perpendicular to the line, so that only the rotation about the line is fixed.
    const Eigen::Vector3d side = axes_along(line).col(1);
    if (!universal_) universal_ = plugins_.get<JointPlugin>("universal");
    spins.push_back({{}, ball.name, ball.type->name(), "universal"});
    ball.type = universal_;
    ball.axes = axes_along(side, line.cross(side));
  }

  std::vector<MechanismJoint> joints_;
  const std::vector<MechanismBody>& bodies_;
  double length_;
  const PluginHost& plugins_;
  std::shared_ptr<const JointPlugin> universal_;
};

}  // namespace

MechanismModel without_idle_spins(const MechanismModel& model, const PluginHost& plugins, std::vector<FixedSpin>& spins) {
  std::vector<MechanismJoint> joints = SpinSearch(model.joints(), model.bodies(), model.length(), plugins).run(spins);
  MechanismModel result =
      spins.empty() ? model : MechanismModel(model.bodies(), std::move(joints), model.merged_bodies(), model.couplings());
  const std::vector<IdleHinge> hinges = idle_hinges(result);
  if (hinges.empty()) return result;
  std::vector<int> fixed;
  for (const IdleHinge& hinge : hinges) {
    fixed.push_back(hinge.joint);
    const MechanismJoint& joint = result.joints()[std::size_t(hinge.joint)];
    spins.push_back({{}, joint.name, joint.type->name(), "fixed"});
    for (const int body : hinge.bodies) spins.back().bodies.push_back(result.bodies()[std::size_t(body)].name);
  }
  return result.frozen(fixed, plugins.get<JointPlugin>("fixed"));
}

}  // namespace holo
