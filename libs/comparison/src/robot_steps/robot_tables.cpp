// Tables of the measured iterations and steps of robots, beside the values of [Maloisel2023] Table 7.
#include <fmt/format.h>

#include <cmath>

#include "holo/comparison/robot_table.h"

namespace holo::comparison {

namespace {

double value_of(const MeasuredRobot& robot, const std::string& name) {
  const auto found = robot.values.find(name);
  return found == robot.values.end() ? std::nan("") : found->second;
}

const PaperRobot* paper_of(const MeasuredRobot& robot) {
  for (const PaperRobot& paper : paper_robots())
    if (paper.robot == robot.robot && paper.knots == robot.knots) return &paper;
  return nullptr;
}

PlainTable iterations(const std::vector<MeasuredRobot>& robots) {
  PlainTable table{
      "An iteration of the optimization",
      "Derivatives, step and line search: the time of an optimization divided by the number of its steps, the median over "
      "repetitions. \"all processors\" is time by the clock, which other programs increase; \"one thread\" is processor time. "
      "The paper's processor had four cores. Controls of redundant actuators are states here, so legs and bear have other "
      "numbers of variables and constraints than in the paper.",
      {{"robot", ""},
       {"knots", ""},
       {"variables", ""},
       {"constraints", ""},
       {"paper", "s"},
       {"all processors", "s"},
       {"one thread", "s"},
       {"paper over one thread", ""},
       {"evaluations in a line search", ""},
       {"memory", "MB"}},
      {}};
  for (const MeasuredRobot& robot : robots) {
    const PaperRobot* paper = paper_of(robot);
    const double theirs = paper == nullptr ? std::nan("") : paper->iteration, all = value_of(robot, "iteration.all_threads"),
                 one = value_of(robot, "iteration.one_thread");
    table.rows.push_back({robot.name, double(robot.knots), value_of(robot, "variables"), value_of(robot, "constraints"), theirs,
                          all, one, theirs / one, value_of(robot, "evaluations"), 1e-6 * value_of(robot, "memory")});
  }
  return table;
}

// Times PREFIX.NAME of each robot, in milliseconds.
PlainTable times(const std::vector<MeasuredRobot>& robots, const std::string& title, const std::string& caption,
                 const std::string& prefix, const std::vector<std::string>& names) {
  PlainTable table{title, caption, {{"robot", ""}, {"knots", ""}}, {}};
  for (const std::string& name : names) table.columns.emplace_back(name, "ms");
  for (const MeasuredRobot& robot : robots) {
    table.rows.push_back({robot.name, double(robot.knots)});
    for (const std::string& name : names)
      table.rows.back().emplace_back(1e3 * value_of(robot, fmt::format("{}.{}", prefix, name)));
  }
  return table;
}

PlainTable parts(const std::vector<MeasuredRobot>& robots) {
  return times(robots, "Parts of an iteration",
               "Processor time on one thread. assembly: all derivatives. factor: factors of the states' Jacobians. condense: "
               "elimination of the states from the Hessian. recursion: recursion back in time over the controls. recovery: "
               "states and multipliers from controls and design. line_search: trial points. rest: the criteria of "
               "convergence, and the first and the last evaluation.",
               "part", {"assembly", "factor", "condense", "recursion", "recovery", "line_search", "rest"});
}

PlainTable steps(const std::vector<MeasuredRobot>& robots) {
  return times(robots, "A step alone",
               "From derivatives to the step and its multipliers, on one thread; the solvers take turns. arrow: the arrow "
               "form with factors of eight knots in lanes. arrow_klu: the arrow form with a factor by KLU for each knot. "
               "dense_riccati: the dense recursion of the paper's Table 8, corrected.",
               "step", {"arrow", "arrow_klu", "dense_riccati"});
}

PlainTable general(const std::vector<MeasuredBaseline>& baselines) {
  PlainTable table{
      "The same step by general sparse factorizations",
      "One sparse matrix has all conditions of the step. A solver runs on one thread, in a process with limits of time and "
      "memory, in turns with the arrow form. Its time is that of the numeric factorization and the solution, without analysis "
      "and assembly; the time of the arrow form is that of the complete step.",
      {{"robot", ""},
       {"solver", ""},
       {"knots within the limits", ""},
       {"time", "ms"},
       {"arrow", "ms"},
       {"ratio to arrow", ""},
       {"relative difference of the steps", ""},
       {"trials", ""}},
      {}};
  for (const MeasuredBaseline& baseline : baselines) {
    const BaselineTime& time = baseline.time;
    table.rows.push_back({baseline.robot, baseline.solver, double(time.knots), 1e3 * time.seconds, 1e3 * time.arrow,
                          time.ratio(), time.difference, to_string(time.trials)});
  }
  return table;
}

}  // namespace

std::vector<PlainTable> tables_of(const std::vector<MeasuredRobot>& robots, const std::vector<MeasuredBaseline>& baselines) {
  std::vector<PlainTable> tables;
  if (!robots.empty()) tables = {iterations(robots), parts(robots), steps(robots)};
  if (!baselines.empty()) tables.push_back(general(baselines));
  return tables;
}

}  // namespace holo::comparison
