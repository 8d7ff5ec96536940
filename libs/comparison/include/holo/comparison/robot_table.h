#pragma once
// Measurements for [Maloisel2023] Tables 5 and 7: numbers of bodies, joints and equations of the robots, and times of an
// iteration of their optimization, beside general sparse solvers of the same steps, which may fail.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "holo/comparison/robot_step_work.h"
#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo::comparison {

// A robot's numbers, in the order of the paper's columns: "bodies", "grounds", "revolute", "universal", "spherical", "driven",
// "configurable_revolute", "configurable_spherical", "states", "constraint_equations", "redundant_passive", "redundant_active",
// "controls", "design_variables", "loops"; and of its optimization over some knots "variables", "constraints". Redundant
// equations are found at rest.
struct RobotCount {
  std::string name;
  double value = 0;  // an integer >= 0
};
std::vector<std::string> robot_count_names();
// knots: >= 2. Throws Error(input) for a bad robot's file.
std::vector<RobotCount> count_robot(const std::filesystem::path& robot, int knots, const PluginHost& plugins);

// The paper's values for a robot (Table 7).
struct PaperRobot {
  std::string name;   // "biker_720"
  std::string robot;  // its file's name, without folder and extension
  int knots = 0;
  double variables = 0, constraints = 0;
  double iteration = 0;             // time of an iteration [s] on four cores of an i7-7700
  std::optional<double> sparse_lu;  // time of an iteration with Eigen's SparseLU [s]; none: it ran out of memory
};
const std::vector<PaperRobot>& paper_robots();

struct MeasuringLimits {
  int repetitions = 5;         // >= 1
  int iterations = 6;          // >= 1, of each optimization
  double seconds = 120;        // processor time for each baseline [s]
  double bytes = 0x1p30 * 16;  // address space for each baseline [byte]; less if the machine has less
};

// The smallest number of knots of a long motion, for which the dense matrices of Table 8 would fill the memory.
inline constexpr int long_motion = 600;

// Measures a robot's iterations and the solvers arrow, arrow_klu and, unless the motion is long, dense_riccati. Returns the
// values of ReportValue by name. Throws Error(internal) with the diagnosis if the worker fails.
std::map<std::string, double> time_robot(const std::filesystem::path& robot, int knots, const MeasuringLimits& limits,
                                         const std::vector<std::filesystem::path>& plugin_path, const RobotLength& over = {});

// A general solver, tried with several numbers of knots in this order, until one stays within the limits.
struct BaselineTrial {
  int knots = 0;
  std::string failure;  // "" if it was done
};
struct BaselineTime {
  std::vector<BaselineTrial> trials;
  int knots = 0;                  // the number of knots that was done; 0: none, and the times are NaN
  double seconds = 0, arrow = 0;  // processor times of a step [s] of the solver and of the arrow form, in turns in one process
  double difference = 0;          // relative difference of the two steps
  double ratio() const { return seconds / arrow; }
};
BaselineTime time_baseline(const std::filesystem::path& robot, const std::string& solver, const std::vector<int>& knots,
                           const MeasuringLimits& limits, const std::vector<std::filesystem::path>& plugin_path);

// "466 knots: out of time: ...; 120 knots: done".
std::string to_string(const std::vector<BaselineTrial>& trials);

// The measurements, from which the tables are made.
struct MeasuredRobot {
  std::string name, robot;
  int knots = 0;
  std::map<std::string, double> values;  // of time_robot()
};
struct MeasuredBaseline {
  std::string name, robot, solver;
  BaselineTime time;
};
// A table without format: a cell is a text or a number in the unit of its column.
struct PlainTable {
  std::string title, caption;
  std::vector<std::pair<std::string, std::string>> columns;  // title and unit
  std::vector<std::vector<std::variant<std::string, double>>> rows;
};
// The tables of iterations with their parts, of steps, and of the general solvers.
std::vector<PlainTable> tables_of(const std::vector<MeasuredRobot>& robots, const std::vector<MeasuredBaseline>& baselines);

}  // namespace holo::comparison
