#include "mechanism/model/checked_couplings.h"

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"

namespace holo {

namespace {

[[noreturn]] void refuse_coupling(const std::string& text) { throw Error(Failure::input, text); }

std::string name_of(const MechanismCoupling& coupling, const std::vector<MechanismJoint>& joints) {
  return "the coupling of '" + joints[std::size_t(coupling.joint)].name + "' to '" + joints[std::size_t(coupling.leader)].name +
         "'";
}

void check_coupling(const MechanismCoupling& coupling, const std::vector<MechanismJoint>& joints) {
  for (const int number : {coupling.joint, coupling.leader}) {
    if (number < 0 || number >= int(joints.size()))
      refuse_coupling("a coupling names joint number " + std::to_string(number) + "; there are " +
                      std::to_string(joints.size()));
    const MechanismJoint& joint = joints[std::size_t(number)];
    if (joint.coordinate_count() != 1)
      refuse_coupling("the joint '" + joint.name + "' is coupled, but its type '" + joint.type->name() + "' has " +
                      std::to_string(joint.coordinate_count()) +
                      " coordinates; joints with one coordinate can be coupled, such as 'revolute' and 'prismatic'");
  }
  if (coupling.joint == coupling.leader)
    refuse_coupling("the joint '" + joints[std::size_t(coupling.joint)].name + "' is coupled to itself");
  const CouplingPolynomial& c = coupling.polynomial;
  if (!std::all_of(c.begin(), c.end(), [](double each) { return std::isfinite(each); }))
    refuse_coupling(name_of(coupling, joints) + " has a coefficient that is not finite");
  if (c[0] != 0)
    refuse_coupling(name_of(coupling, joints) + " has the constant term " + std::to_string(c[0]) +
                    "; coordinates count from rest, where the coupling must hold");
}

}  // namespace

void check_couplings(const std::vector<MechanismCoupling>& couplings, const std::vector<MechanismJoint>& joints) {
  std::vector<int> leader(joints.size(), -1);
  for (const MechanismCoupling& coupling : couplings) {
    check_coupling(coupling, joints);
    int& known = leader[std::size_t(coupling.joint)];
    if (known >= 0)
      refuse_coupling("the joint '" + joints[std::size_t(coupling.joint)].name + "' is coupled twice, to '" +
                      joints[std::size_t(known)].name + "' and to '" + joints[std::size_t(coupling.leader)].name +
                      "'; it can follow one joint");
    known = coupling.leader;
  }
  // Each joint follows at most one other: a chain of leaders that is longer than the list of joints is a cycle.
  for (std::size_t j = 0; j < joints.size(); ++j) {
    int at = int(j);
    for (std::size_t length = 0; at >= 0 && length <= joints.size(); ++length) at = leader[std::size_t(at)];
    if (at < 0) continue;
    std::string names = "'" + joints[std::size_t(at)].name + "'";
    for (int next = leader[std::size_t(at)]; next != at; next = leader[std::size_t(next)])
      names += ", '" + joints[std::size_t(next)].name + "'";
    refuse_coupling("the couplings of the joints " + names + " form a cycle; at least one of them must follow none");
  }
}

std::vector<MechanismCoupling> couplings_without(const std::vector<MechanismCoupling>& couplings,
                                                 const std::vector<MechanismJoint>& joints, const std::vector<int>& frozen) {
  const auto is_frozen = [&](int joint) { return std::find(frozen.begin(), frozen.end(), joint) != frozen.end(); };
  std::vector<MechanismCoupling> kept;
  for (const MechanismCoupling& coupling : couplings) {
    if (is_frozen(coupling.joint) != is_frozen(coupling.leader))
      refuse_coupling(name_of(coupling, joints) + ": only '" +
                      joints[std::size_t(is_frozen(coupling.joint) ? coupling.joint : coupling.leader)].name +
                      "' is frozen; freeze both joints or none");
    if (!is_frozen(coupling.joint)) kept.push_back(coupling);
  }
  return kept;
}

std::vector<MechanismCoupling> renumbered_couplings(const std::vector<MechanismCoupling>& couplings,
                                                    const std::vector<MechanismJoint>& joints,
                                                    const std::vector<int>& numbers) {
  std::vector<MechanismCoupling> kept;
  for (const MechanismCoupling& coupling : couplings) {
    const int joint = numbers[std::size_t(coupling.joint)], leader = numbers[std::size_t(coupling.leader)];
    if (joint >= 0 && leader >= 0) kept.push_back({joint, leader, coupling.polynomial});
    if ((joint < 0) == (leader < 0)) continue;
    const MechanismJoint& stays = joints[std::size_t(joint < 0 ? coupling.leader : coupling.joint)];
    if (stays.role != JointRole::prescribed)
      refuse_coupling(name_of(coupling, joints) + " would lose one joint with the removed bodies, and '" + stays.name +
                      "' would move freely; name '" + stays.name + "' in `prescribed`");
  }
  return kept;
}

}  // namespace holo
