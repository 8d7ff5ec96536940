// Notes on a robot's design for its report: fixed spins, warnings of the initial motion, dead points and change points.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "studies/robot_design/robot_design_study.h"

namespace holo {

namespace {

// "-1.5 l + 0.2 l^2"
std::string polynomial_text(const CouplingPolynomial& polynomial) {
  std::string text;
  for (std::size_t power = 1; power < polynomial.size(); ++power) {
    if (polynomial[power] == 0) continue;
    const bool is_first = text.empty();
    text += is_first ? (polynomial[power] < 0 ? "-" : "") : polynomial[power] < 0 ? " - " : " + ";
    text += fmt::format("{:.6g} l{}", std::abs(polynomial[power]), power > 1 ? "^" + std::to_string(power) : "");
  }
  return text.empty() ? "0" : text;
}

}  // namespace

std::vector<std::string> RobotDesign::notes_of_start() const {
  std::vector<std::string> notes;
  for (const FixedSpin& spin : plan_.fixed_spins)
    notes.push_back(
        fmt::format("'{}' could spin without moving another body. This idle spin is fixed: the joint '{}' is {} instead of {}",
                    fmt::join(spin.bodies, "', '"), spin.joint, spin.is, spin.was));
  const Eigen::VectorXd rest = plan_.layout->rest_parameters(), first = initial_design(plan_, 0);
  for (int i = 0; i < plan_.layout->parameter_count(); ++i)
    if (first[i] != rest[i])
      notes.push_back(fmt::format("the initial design has {} = {:.6g} instead of {:.6g}, as its bounds or ties require",
                                  plan_.layout->parameter_names()[std::size_t(i)], first[i], rest[i]));
  notes.insert(notes.end(), attempt_.motion.warnings.begin(), attempt_.motion.warnings.end());
  return notes;
}

const std::vector<MotionPassage>& RobotDesign::passages() {
  if (passages_) return *passages_;
  MechanismMotion motion = attempt_.motion;
  motion.states = optimized().states;
  motion.controls = optimized().controls;
  motion.parameters = optimized().parameters;
  return passages_.emplace(motion_passages(motion, plan_.motion.task_beginnings, plan_.time_step));
}

Table RobotDesign::couplings_table() const {
  Table table{"Couplings",
              "The joint's coordinate as a polynomial of its leader's, l; both count from rest, in rad and m.",
              {{"joint", ""}, {"leader", ""}, {"coordinate", ""}},
              {}};
  const auto& joints = plan_.model->joints();
  for (const MechanismCoupling& coupling : plan_.model->couplings())
    table.rows.push_back({joints[std::size_t(coupling.joint)].name, joints[std::size_t(coupling.leader)].name,
                          polynomial_text(coupling.polynomial)});
  return table;
}

Table RobotDesign::notes_table() {
  Table table{"Notes", "", {{"of", ""}, {"note", ""}}, {}};
  for (const std::string& note : plan_.file_notes) table.rows.push_back({"robot's file", note});
  for (const std::string& note : notes_of_start()) table.rows.push_back({"initial motion", note});
  for (const MotionPassage& passage : passages()) table.rows.push_back({"optimized motion", passage.text});
  return table;
}

}  // namespace holo
