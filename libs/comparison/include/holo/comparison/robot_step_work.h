#pragma once
// Measures a robot's optimization: one step by several solvers, complete iterations, memory. The measurement runs in this
// process, or in one of its own that may run out of time or memory without harm.
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

// A robot's file and the number of knots of its motion.
struct RobotLength {
  std::filesystem::path robot;
  int knots = 0;
};

struct RobotStepWork {
  std::filesystem::path robot;  // its file
  int knots = 2;
  int repetitions = 5;                    // >= 1; results are medians over them
  int iterations = 0;                     // >= 0, number of iterations of a timed optimization; 0: none is timed
  RobotLength over = {};                  // a robot whose iterations take turns with this one's; without knots: none
  std::vector<std::string> solvers = {};  // solvers of one step, which take turns; steps are compared with the first one's
  // Limits of all work after the construction of the problem; 0: no limit. They apply only in a process of its own.
  double seconds = 0;  // processor time [s], rounded up
  double bytes = 0;    // address space [byte]
};

// The names arrow, arrow_klu, dense_riccati, sparse_lu, umfpack, umfpack_metis.
std::vector<std::string> step_solver_names();
bool step_solver_is_available(const std::string& name);

// Values by name, more exact ones later:
//   variables, constraints              numbers of the optimization, with p at each knot
//   step.SOLVER                         processor time of a step on one thread [s]: for the arrow form and dense_riccati that
//   of
//                                       the complete step after the derivatives; for the sparse solvers that of the numeric
//                                       factorization and the solution, without analysis and assembly
//   difference.SOLVER                   length of the difference of its step from the first solver's, over the length of that
//   iteration.one_thread                processor time of an iteration on one thread [s]
//   iteration.all_threads               time of an iteration on all processors by the clock [s]
//   iteration.over_other                iteration.one_thread over that of the robot `over`: the median of the ratios in each
//   turn part.NAME                           parts of iteration.one_thread [s]: assembly, factor, condense, recursion,
//   recovery,
//                                       line_search, rest
//   evaluations                         mean number of evaluations in the line search of an iteration
//   memory                              growth of the largest resident set until the end of the iterations [byte]
using ReportValue = std::function<void(const std::string& name, double value)>;

// Throws Error(input) for a bad robot's file, unknown solvers and numbers out of their ranges, std::bad_alloc if the memory is
// not sufficient, Error(internal) if a solver finds no step.
void measure_robot_steps(const RobotStepWork& work, const PluginHost& plugins, const ReportValue& report);

struct RobotStepOutcome {
  enum class Status { done, out_of_time, out_of_memory, failed } status = Status::done;
  std::string diagnosis;                 // "" if done; else such as "out of time: 120 s of processor time were allowed"
  std::map<std::string, double> values;  // the reported values, also those before a failure
};

// Runs the measurement in the program robot_step_worker, which is in this program's folder or in ../libexec/holo. Throws
// Error(environment) if it is missing or cannot be run, Error(input) as above.
RobotStepOutcome measure_apart(const RobotStepWork& work, const std::vector<std::filesystem::path>& plugin_path = {});

// The main function of the worker. Exit codes: 0; 2 with the error on the standard error; 3 out of memory.
int run_robot_step_worker(int argc, char** argv);

}  // namespace holo::comparison
