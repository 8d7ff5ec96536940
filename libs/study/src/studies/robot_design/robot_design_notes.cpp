// What the user of a robot's design should know beside its metrics.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "studies/robot_design/robot_design_study.h"

namespace holo {

std::vector<std::string> RobotDesign::notes_of_start() const {
  std::vector<std::string> notes;
  for (const FixedSpin& spin : plan_.fixed_spins)
    notes.push_back(fmt::format(
        "'{}' could spin idly, without moving anything else. The spin is held: the joint '{}' is {} here instead of "
        "{}",
        fmt::join(spin.bodies, "', '"), spin.joint, spin.is, spin.was));
  const Eigen::VectorXd rest = plan_.layout->rest_parameters(), first = initial_design(plan_, 0);
  for (int i = 0; i < plan_.layout->parameter_count(); ++i)
    if (first[i] != rest[i])
      notes.push_back(fmt::format("the initial design has {} = {:.6g} instead of {:.6g}: its bounds or ties ask for it",
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

Table RobotDesign::notes_table() {
  Table table{"Notes", "", {{"of", ""}, {"what", ""}}, {}};
  for (const std::string& note : plan_.file_notes) table.rows.push_back({"robot's file", note});
  for (const std::string& note : notes_of_start()) table.rows.push_back({"initial motion", note});
  for (const MotionPassage& passage : passages()) table.rows.push_back({"optimized motion", passage.text});
  return table;
}

}  // namespace holo
