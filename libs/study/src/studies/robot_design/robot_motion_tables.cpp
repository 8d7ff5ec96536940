// The poses of all bodies and the coordinates of all joints, of the initial and the optimized motion, as tables for other
// programs.
#include <array>
#include <string>
#include <utility>

#include "holo/sim/mechanism/kinematics/joint_coordinates.h"
#include "runs/csv_table.h"
#include "studies/robot_design/robot_design_study.h"

namespace holo {

namespace {

// A name as a cell of a CSV file [RFC 4180].
std::string cell(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

struct NamedMotion {
  const char* name;
  const StagedPoint& point;
};

std::string beginning(const NamedMotion& motion, int knot, double time_step) {
  return std::string(motion.name) + "," + std::to_string(knot) + "," + number_text(time_step * knot) + ",";
}

void add_poses(const NamedMotion& motion, const MechanismModel& model, double time_step, std::string& csv) {
  const std::vector<std::string> names = model.observable_names();
  for (int k = 0; k < int(motion.point.states.cols()); ++k)
    for (int body = 0; body < int(names.size()); ++body) {
      const auto state = motion.point.states.col(k);
      const Eigen::Vector3d position = point_of(model, state, body, Eigen::Vector3d::Zero());
      const Eigen::Vector4d orientation = orientation_of(model, state, body).normalized();
      csv += beginning(motion, k, time_step) + cell(names[std::size_t(body)]);
      for (const double value : position) csv += "," + number_text(value);
      for (const double value : orientation) csv += "," + number_text(value);
      csv += "\n";
    }
}

void add_coordinates(const NamedMotion& motion, const std::vector<JointCoordinate>& coordinates, const MechanismModel& model,
                     double time_step, std::string& csv) {
  for (int k = 0; k < int(motion.point.states.cols()); ++k)
    for (const JointCoordinate& coordinate : coordinates) {
      const MechanismJoint& joint = model.joints()[std::size_t(coordinate.joint)];
      csv += beginning(motion, k, time_step) + cell(joint.name) + "," + to_string(joint.role) + "," + cell(coordinate.name) +
             "," + number_text(coordinate.values[k]) + "," + coordinate.unit + "\n";
    }
}

}  // namespace

void RobotDesign::write_motion_tables(StudyOutput& output) {
  std::string poses = "motion,knot,time,body,x,y,z,qw,qx,qy,qz\n",
              coordinates = "motion,knot,time,joint,role,coordinate,value,unit\n";
  for (const NamedMotion& motion : {NamedMotion{"initial", initial()}, NamedMotion{"optimized", optimized()}}) {
    add_poses(motion, *plan_.model, plan_.time_step, poses);
    const MechanismUnknowns at = {motion.point.states, motion.point.controls, motion.point.parameters,
                                  attempt_.problem().prescribed()};
    add_coordinates(motion, joint_coordinates(*attempt_.motion.layout, at, plan_.motion.task_beginnings), *plan_.model,
                    plan_.time_step, coordinates);
  }
  output.table("body_poses", poses);
  output.table("joint_coordinates", coordinates);
}

}  // namespace holo
