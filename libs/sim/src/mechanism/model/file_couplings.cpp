#include "mechanism/model/file_couplings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "articulated/loop_closing.h"

namespace holo {

namespace {

std::string unit_of(const ArticulatedJoint& joint) { return joint.type == "prismatic" ? "m" : "rad"; }

[[noreturn]] void refuse_cycle(const JointCoupling& coupling) {
  coupling.source.fail(
      fmt::format("the coupling '{}' is one of a cycle, or follows one; at least one joint of a cycle must "
                  "follow none: name a coupling among those that are left out (the reader's option "
                  "'left_out')",
                  coupling.name));
}

std::size_t first_open(const std::vector<bool>& is_settled) {
  return std::size_t(std::find(is_settled.begin(), is_settled.end(), false) - is_settled.begin());
}

void settle(ArticulatedModel& model, const JointCoupling& coupling, const std::vector<bool>& fixed, ArticulatedPose& pose) {
  const std::size_t body = std::size_t(coupling.joint);
  if (fixed[body]) return;
  const double was = pose[body].coordinates[0], is = was - coupling_gap(coupling, pose);
  pose[body].coordinates[0] = is;
  if (std::abs(is - was) <= 1e-12) return;
  const ArticulatedJoint& joint = model.bodies[body].joint;
  model.notes.push_back(
      {coupling.source.location,
       fmt::format("the joint '{}' is at {:.6g} {} at rest instead of {:.6g} {}, where its coupling '{}' holds", joint.name,
                   is + joint.reference, unit_of(joint), was + joint.reference, unit_of(joint), coupling.name)});
}

}  // namespace

void settle_couplings(ArticulatedModel& model, const std::vector<bool>& fixed, ArticulatedPose& pose) {
  const std::size_t count = model.couplings.size();
  std::vector<bool> is_settled(count, false);
  // A coupling is settled after those that its leader follows.
  const auto next = [&] {
    for (std::size_t i = 0; i < count; ++i) {
      bool waits = is_settled[i];
      for (std::size_t other = 0; other < count; ++other)
        waits |= !is_settled[other] && model.couplings[other].joint == model.couplings[i].leader;
      if (!waits) return i;
    }
    return count;
  };
  for (std::size_t settled = 0; settled < count; ++settled) {
    const std::size_t number = next();
    if (number == count) refuse_cycle(model.couplings[first_open(is_settled)]);
    is_settled[number] = true;
    settle(model, model.couplings[number], fixed, pose);
  }
}

void require_couplings(const ArticulatedModel& model, const ArticulatedPose& pose, double length, double tolerance) {
  for (const JointCoupling& coupling : model.couplings) {
    const ArticulatedJoint& joint = model.bodies[std::size_t(coupling.joint)].joint;
    const double gap = coupling_gap(coupling, pose), allowed = tolerance * (joint.type == "prismatic" ? length : 1);
    if (std::abs(gap) <= allowed) continue;
    const double position = pose[std::size_t(coupling.joint)].coordinates[0] + joint.reference;
    coupling.source.fail(
        fmt::format("the coupling '{}' does not hold at rest: the joint '{}' is at {:.6g} {} and should be at {:.6g}, allowed "
                    "are {:.3g} of difference; change the reader's option 'positions'",
                    coupling.name, joint.name, position, unit_of(joint), position - gap, allowed));
  }
}

void add_couplings(const ArticulatedModel& model, const ArticulatedPose& pose, MechanismBuilder& builder) {
  for (const JointCoupling& coupling : model.couplings)
    if (coupling.leader != no_body)
      builder.couple(model.bodies[std::size_t(coupling.joint)].joint.name,
                     model.bodies[std::size_t(coupling.leader)].joint.name,
                     polynomial_from(coupling.polynomial, pose[std::size_t(coupling.leader)].coordinates[0]));
}

bool is_locked(const ArticulatedModel& model, std::size_t body) {
  return std::any_of(model.couplings.begin(), model.couplings.end(),
                     [&](const JointCoupling& coupling) { return coupling.joint == int(body) && coupling.leader == no_body; });
}

}  // namespace holo
