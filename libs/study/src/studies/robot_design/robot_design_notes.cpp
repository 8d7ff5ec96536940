// Notes on a robot's design for its report: fixed spins, warnings of the initial motion, dead points and change points.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "studies/robot_design/robot_design_study.h"

namespace holo {

std::vector<std::string> RobotDesign::notes_of_start() const {
  std::vector<std::string> notes;
  for (const FixedSpin& spin : plan_.fixed_spins)
    notes.push_back(
        fmt::format("'{}' could spin without moving another body. This idle spin is fixed: the joint '{}' is {} instead of {}",
                    fmt::join(spin.bodies, "', '"), spin.joint, spin.is, spin.was));
  notes.insert(notes.end(), motion_.warnings.begin(), motion_.warnings.end());
  return notes;
}

const std::vector<MotionPassage>& RobotDesign::passages() {
  if (passages_) return *passages_;
  MechanismMotion motion = motion_;
  motion.states = optimized().states;
  motion.controls = optimized().controls;
  motion.parameters = optimized().parameters;
  return passages_.emplace(motion_passages(motion, plan_.motion.task_beginnings, plan_.time_step));
}

Table RobotDesign::notes_table() {
  Table table{"Notes", "", {{"of", ""}, {"what", ""}}, {}};
  for (const std::string& note : plan_.file_notes) table.rows.push_back({"robot's file", note});
  for (const std::string& note : notes_of_start()) table.rows.push_back({"initial motion", note});
  for (const MotionPassage& passage : passages()) table.rows.push_back({"optimized motion", passage.text});
  return table;
}

}  // namespace holo
