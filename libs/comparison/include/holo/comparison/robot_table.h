#pragma once
// [Maloisel2023] Tables 5 and 7, measured: what the robots are made of, and how long an iteration of their optimization takes,
// beside general sparse solvers of the same steps, which may fail.

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
  double value = 0;
};
std::vector<std::string> robot_count_names();
std::vector<RobotCount> count_robot(const std::filesystem::path& robot, int knots, const PluginHost& plugins);

// The paper's values for a robot.
struct PaperRobot {
  std::string name;   // "biker_720"
  std::string robot;  // its file's name, without folder and extension
  int knots = 0;
  double variables = 0, constraints = 0;  // Table 7
  double iteration = 0;                   // [s], four cores of an i7-7700
  std::optional<double> sparse_lu;        // of an iteration with Eigen's SparseLU [s]; none: it ran out of memory
};
const std::vector<PaperRobot>& paper_robots();

struct MeasuringLimits {
  int repetitions = 5;
  int iterations = 6;          // of each optimization
  double seconds = 120;        // of processor time, for each baseline
  double bytes = 0x1p30 * 16;  // of address space, for each baseline; less where the machine has less
};

// Motions from here on are long: the dense matrices of Table 8 would fill memory, and general solvers fail.
inline constexpr int long_motion = 600;

// All of a robot but what may fail: `values` as of RobotStepWork with iterations, and the solvers arrow, arrow_klu and, where
// the motion is not long, dense_riccati. Throws Error(internal) with the diagnosis where the worker fails.
std::map<std::string, double> time_robot(const std::filesystem::path& robot, int knots, const MeasuringLimits& limits,
                                         const std::vector<std::filesystem::path>& plugin_path, const RobotLength& over = {});

// A general solver at several numbers of knots, in this order, until one fits.
struct BaselineTrial {
  int knots = 0;
  std::string failure;  // "" where it was done
};
struct BaselineTime {
  std::vector<BaselineTrial> trials;
  int knots = 0;                  // 0: none fits, and the times are NaN
  double seconds = 0, arrow = 0;  // of a step, at that number of knots, taking turns in one process
  double difference = 0;          // of the two steps, relative
  double ratio() const { return seconds / arrow; }
};
BaselineTime time_baseline(const std::filesystem::path& robot, const std::string& solver, const std::vector<int>& knots,
                           const MeasuringLimits& limits, const std::vector<std::filesystem::path>& plugin_path);

// "466 knots: out of time: ...; 120 knots: done".
std::string to_string(const std::vector<BaselineTrial>& trials);

// The measurements, and the tables made of them.
struct MeasuredRobot {
  std::string name, robot;
  int knots = 0;
  std::map<std::string, double> values;  // of time_robot()
};
struct MeasuredBaseline {
  std::string name, robot, solver;
  BaselineTime time;
};
struct PlainTable {
  std::string title, caption;
  std::vector<std::pair<std::string, std::string>> columns;  // title and unit
  std::vector<std::vector<std::variant<std::string, double>>> rows;
};
// The tables of iterations with their parts, of steps, and of the general solvers.
std::vector<PlainTable> tables_of(const std::vector<MeasuredRobot>& robots, const std::vector<MeasuredBaseline>& baselines);

}  // namespace holo::comparison
