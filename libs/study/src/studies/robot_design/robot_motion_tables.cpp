// The poses of all bodies and the coordinates of all joints, of the initial and the optimized motion, as tables for other
// programs; and the optimized robot as files of theirs.
#include <array>
#include <string>
#include <utility>

#include "holo/sim/articulated/robot_writer.h"
#include "holo/sim/mechanism/kinematics/joint_coordinates.h"
#include "holo/sim/mechanism/kinematics/robot_export.h"
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

// The joints' positions at each knot, as the robot's files count them.
std::string positions_table(const ExportedRobot& robot, double time_step) {
  std::string csv = "knot,time";
  for (const std::string& name : position_names(robot.model)) csv += "," + cell(name);
  csv += "\n";
  for (std::size_t k = 0; k < robot.poses.size(); ++k) {
    csv += std::to_string(k) + "," + number_text(time_step * double(k));
    for (const double value : positions_of(robot.model, robot.poses[k])) csv += "," + number_text(value);
    csv += "\n";
  }
  return csv;
}

}  // namespace

// A robot with joints or couplings that a format cannot express has no file of it, and the log says why.
void RobotDesign::write_robot(StudyOutput& output) {
  const auto unless_inexpressible = [&](const std::string& format, const auto& write) {
    try {
      write();
    } catch (const Error& error) {
      if (error.failure() != Failure::input) throw;
      output.log("robot_not_written", {{"format", format}, {"reason", std::string(error.what())}});
    }
  };
  unless_inexpressible("mjcf and urdf", [&] {
    const ExportedRobot robot = exported_robot(*plan_.model, optimized().states);
    std::vector<NamedPose> knots;
    for (std::size_t k = 0; k < robot.poses.size(); ++k) knots.push_back({"knot_" + std::to_string(k), robot.poses[k]});
    output.robot("robot_positions.csv", positions_table(robot, plan_.time_step));
    unless_inexpressible("mjcf", [&] { output.robot("robot.xml", mjcf_text(robot.model, knots)); });
    unless_inexpressible("urdf", [&] {
      const UrdfTexts texts = urdf_texts(robot.model);
      output.robot("robot.urdf", texts.urdf);
      output.robot("robot_loops.yaml", texts.loops);
    });
  });
}

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
