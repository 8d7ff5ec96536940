// Tables of what was measured.
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
      "All of it: derivatives, step, line search; the median of optimizations over the number of their steps. On all "
      "processors by the clock, which other programs lengthen; on one thread its processor time. The paper's processor had "
      "four cores. Controls that follow from others are states here: legs and bear have other numbers than in the paper.",
      {{"robot", ""},
       {"knots", ""},
       {"variables", ""},
       {"constraints", ""},
       {"paper", "s"},
       {"all processors", "s"},
       {"one thread", "s"},
       {"paper's over ours on one thread", ""},
       {"evaluations of the line search", ""},
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

PlainTable parts(const std::vector<MeasuredRobot>& robots) {
  const std::vector<std::string> names{"assembly", "factor", "condense", "recursion", "recovery", "line_search", "rest"};
  PlainTable table{
      "What an iteration is made of",
      "On one thread. Assembly: all derivatives. Condense: the states eliminated from the Hessian. Recovery: states and "
      "multipliers from controls and design. Rest: what is judged of the step, and the first and last evaluation.",
      {{"robot", ""}, {"knots", ""}},
      {}};
  for (const std::string& name : names) table.columns.emplace_back(name, "ms");
  for (const MeasuredRobot& robot : robots) {
    table.rows.push_back({robot.name, double(robot.knots)});
    for (const std::string& name : names) table.rows.back().emplace_back(1e3 * value_of(robot, "part." + name));
  }
  return table;
}

PlainTable steps(const std::vector<MeasuredRobot>& robots) {
  PlainTable table{
      "A step alone",
      "From derivatives to the step and its multipliers, on one thread, in turns: the arrow form with factors of eight "
      "knots in lanes, and one by one with KLU; the recursion in dense matrices of the paper's Table 8, corrected.",
      {{"robot", ""}, {"knots", ""}},
      {}};
  for (const char* name : {"arrow", "arrow_klu", "dense_riccati"}) table.columns.emplace_back(name, "ms");
  for (const MeasuredRobot& robot : robots) {
    table.rows.push_back({robot.name, double(robot.knots)});
    for (const char* name : {"step.arrow", "step.arrow_klu", "step.dense_riccati"})
      table.rows.back().emplace_back(1e3 * value_of(robot, name));
  }
  return table;
}

PlainTable general(const std::vector<MeasuredBaseline>& baselines) {
  PlainTable table{
      "The same step by general sparse factorizations",
      "Of all conditions at once, on one thread, in a process with limits, in turns with the arrow form. Counted are the "
      "numeric factorization and the solution, neither analysis nor assembly of the matrix, but all of the arrow's step.",
      {{"robot", ""},
       {"solver", ""},
       {"knots that fit", ""},
       {"time", "ms"},
       {"arrow", "ms"},
       {"over the arrow's", ""},
       {"difference of the steps", ""},
       {"tried", ""}},
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
