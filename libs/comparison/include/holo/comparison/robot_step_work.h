#pragma once
// What is measured of a robot's optimization: one step by several solvers, whole iterations, memory. In this process, or in one
// of its own that may run out of time or memory without harm.
//
//   RobotStepOutcome outcome = measure_apart({.robot = "robots/legs.yaml", .knots = 120, .solvers = {"arrow", "sparse_lu"},
//   .seconds = 120}); if (outcome.status == RobotStepOutcome::Status::done) double ratio = outcome.values.at("step.sparse_lu")
//   / outcome.values.at("step.arrow");

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "holo/core/plugins/plugin_host.h"

namespace holo::comparison {

// A robot's file and the knots of its motion.
struct RobotLength {
  std::filesystem::path robot;
  int knots = 0;
};

struct RobotStepWork {
  std::filesystem::path robot;  // its file
  int knots = 2;
  int repetitions = 5;                    // turns; their median counts
  int iterations = 0;                     // of a whole optimization, that many are timed; 0: none
  RobotLength over = {};                  // whose iterations take turns with this robot's; without knots: none
  std::vector<std::string> solvers = {};  // of one step, which take turns; the first is what the others are compared with
  // Of all work after the problem is made; 0: no limit. Only in a process of its own.
  double seconds = 0;  // of processor time, rounded up
  double bytes = 0;    // of address space
};

// arrow, arrow_klu, dense_riccati, sparse_lu, umfpack, umfpack_metis.
std::vector<std::string> step_solver_names();
bool step_solver_is_available(const std::string& name);

// Values by name, more exact ones later:
//   variables, constraints              of the optimization as it stands, with p at each knot
//   step.SOLVER                         processor time of one thread [s]. Of the arrow and of dense_riccati all of it, once the
//                                       derivatives are there; of the sparse ones the numeric factorization and the solution,
//                                       but neither analysis nor assembly
//   difference.SOLVER                   of its step from the first solver's, over the length of that
//   iteration.one_thread                of a whole iteration: processor time [s]
//   iteration.all_threads               of the same on all processors: by the clock [s]
//   iteration.over_other                of one thread, over those of the robot `over`: the median of the ratios in each turn
//   part.NAME                           of iteration.one_thread: assembly, factor, condense, recursion, recovery, line_search,
//                                       rest [s]
//   evaluations                         of the line search in an iteration, on average
//   memory                              the largest resident set until the iterations were done, over that before [byte]
using ReportValue = std::function<void(const std::string& name, double value)>;

// Throws Error(input) for a bad robot's file, unknown solvers and numbers out of their ranges, std::bad_alloc where a solver
// finds no memory, Error(internal) where a solver finds no step.
void measure_robot_steps(const RobotStepWork& work, const PluginHost& plugins, const ReportValue& report);

struct RobotStepOutcome {
  enum class Status { done, out_of_time, out_of_memory, failed } status = Status::done;
  std::string diagnosis;                 // "" when done: "out of time: 120 s of processor time were allowed"
  std::map<std::string, double> values;  // what was reported, also before a failure
};

// Runs the program robot_step_worker, which lies beside this one or in libexec/holo beside its folder. Throws
// Error(environment) where it is missing or cannot be run, Error(input) as above.
RobotStepOutcome measure_apart(const RobotStepWork& work, const std::vector<std::filesystem::path>& plugin_path = {});

// The worker's main: exit code 0, or 2 with the error on standard error, or 3 without memory.
int run_robot_step_worker(int argc, char** argv);

}  // namespace holo::comparison
