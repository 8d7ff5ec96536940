// The section `design` of a robot's design: ties, bounds, several starts.
#include <algorithm>
#include <cmath>
#include <map>

#include "holo/core/numerics/parallel.h"
#include "holo/study/study.h"
#include "small_arm.h"

namespace holo_test {
namespace design_section {

// The target asks for an arm that is 7 cm longer.
const std::string arm_yaml =
    small_arm("from: 0.1, to: 0.4, amplitude: 0.5", "type: recorded, body: tool, design: {reach: 0.07}");

class DesignSection : public SmallRuns {};
class DesignSectionBadInput : public SmallRuns {};

const holo::Table* table_of(const std::vector<holo::Table>& tables, const std::string& title) {
  for (const holo::Table& table : tables)
    if (table.title == title) return &table;
  return nullptr;
}

std::map<std::string, double> finished(holo::Study& study) {
  KeptOutput output;
  while (study.steps_done() < study.total_steps()) study.step(output);
  std::map<std::string, double> metrics;
  for (const holo::Metric& metric : study.finish()) metrics[metric.name] = metric.value;
  return metrics;
}

TEST_F(DesignSection, ABoundOfTheReachIsWhereTheReachEnds) {
  write(arm_yaml + "design: {bounds: {reach: [-0.1, 0.05]}}\n");
  const holo::RunOutcome outcome = run("a");
  EXPECT_EQ(metric(outcome, "converged"), 1);
  EXPECT_EQ(metric(outcome, "active_bounds"), 1);
  EXPECT_NEAR(metric(outcome, "design_change"), 0.05, 1e-15);
  EXPECT_NEAR(metric(outcome, "position_error_mean"), 0.02, 1e-6);
  EXPECT_NE(file("a", "log.jsonl").find("\"active_bounds\":1"), std::string::npos);

  const auto study = built(arm_yaml + "design: {bounds: {reach: [-0.1, 0.05]}}\n");
  finished(*study);
  const auto tables = study->tables();
  const holo::Table* table = table_of(tables, "Design parameters");
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->rows.size(), 1u);
  EXPECT_EQ(std::get<double>(table->rows[0].at(4)), -0.1);
  EXPECT_EQ(std::get<double>(table->rows[0].at(5)), 0.05);
  EXPECT_EQ(std::get<std::string>(table->rows[0].at(6)), "upper bound");
}

TEST_F(DesignSection, InactiveBoundsLeaveEveryBit) {
  write(arm_yaml);
  run("a");
  write(arm_yaml + "design: {bounds: {reach: [-0.1, 0.5]}}\n");
  EXPECT_EQ(metric(run("b"), "active_bounds"), 0);
  EXPECT_EQ(file("a", "metrics.csv"), file("b", "metrics.csv"));
}

TEST_F(DesignSection, AnInitialDesignOutsideItsBoundsIsMovedThere) {
  const auto study = built(arm_yaml + "design: {bounds: {reach: [0.02, 0.04]}}\n");
  const auto metrics = finished(*study);
  EXPECT_NEAR(metrics.at("position_error_mean_initial"), 0.05, 1e-12);
  EXPECT_NEAR(metrics.at("design_change"), 0.02, 1e-15);
  const auto tables = study->tables();
  const holo::Table* notes = table_of(tables, "Notes");
  ASSERT_NE(notes, nullptr);
  EXPECT_HOLDS(std::get<std::string>(notes->rows[0].at(1)), "the initial design has reach = 0.02 instead of 0");
}

TEST_F(DesignSection, EqualBoundsFixAParameter) {
  const auto metrics = finished(*built(arm_yaml + "design: {bounds: {reach: [0.03, 0.03]}}\n"));
  EXPECT_EQ(metrics.at("converged"), 1);
  EXPECT_EQ(metrics.at("design_change"), 0);
  EXPECT_NEAR(metrics.at("position_error_mean"), 0.04, 1e-6);
}

// Two slides in a row, of which the second moves twice as far.
const std::string two_slides = replaced(
    replaced(arm_yaml, "    - {name: tool,", "    - {name: sleeve, origin: [0.2, 0, 0]}\n    - {name: tool,"),
    "between: [arm, tool], point: [0.2, 0, 0], axis: [1, 0, 0], role: configurable}",
    "between: [arm, sleeve], point: [0.15, 0, 0], axis: [1, 0, 0], role: configurable}\n"
    "    - {name: draw, type: prismatic, between: [sleeve, tool], point: [0.25, 0, 0], axis: [1, 0, 0], role: configurable}");

TEST_F(DesignSection, TiedSlidesShareTheWay) {
  const auto study = built(two_slides + "design: {ties: [{parameter: draw, equals: reach, factor: 2, offset: 0.01}]}\n");
  const auto metrics = finished(*study);
  EXPECT_EQ(metrics.at("converged"), 1);
  EXPECT_LT(metrics.at("position_error_maximum"), 1e-6);
  const auto tables = study->tables();
  const holo::Table* table = table_of(tables, "Design parameters");
  ASSERT_NE(table, nullptr);
  EXPECT_NEAR(std::get<double>(table->rows[0].at(2)), 0.02, 1e-6);
  EXPECT_NEAR(std::get<double>(table->rows[1].at(2)), 0.05, 1e-6);
  EXPECT_EQ(std::get<std::string>(table->rows[1].at(6)), "tie: 2 reach + 0.01");
}

// A hand at a forearm: its elbow is below the line to the target, where a light objective wants it above.
const std::string elbow = R"yaml(name: elbow
study: robot_design
seed: 3
robot:
  bodies:
    - {name: turntable, origin: [0, 0, -0.1]}
    - {name: upper, origin: [0.6, -0.8, 0]}
    - {name: hand, origin: [1.2, 0, 0]}
  joints:
    - {name: turn, type: revolute, between: [world, turntable], point: [0, 0, 0], axis: [0, 0, 1], role: actuator}
    - {name: mount, type: revolute, between: [turntable, upper], point: [0, 0, 0], axis: [0, 0, 1], role: configurable}
    - {name: bend, type: revolute, between: [upper, hand], point: [0.6, -0.8, 0], axis: [0, 0, 1], role: configurable}
motion: {knots: 5, duration: 1.0}
controls: [{control: turn, amplitude: 0.2}]
signals:
  - {name: place, type: formula, formulas: ["1.2*cos(0.2*sin(2*pi*t/T))", "1.2*sin(0.2*sin(2*pi*t/T))", "0"]}
  - {name: above, type: formula, formulas: ["cos(0.9272952180016122 + 0.2*sin(2*pi*t/T))",
                                            "sin(0.9272952180016122 + 0.2*sin(2*pi*t/T))", "0"]}
objectives:
  - {type: track_position, body: hand, target: place}
  - {type: track_position, body: upper, target: above, weight: 0.05}
  - {type: keep_control, control: all, weight: 10}
  - {type: smooth_control, control: all, weight: 1.0e-9}
)yaml";
const std::string starts = "design: {starts: {count: 6, spread: 2.5}}\n";

// Above, both objectives are reached.
TEST_F(DesignSection, StartsFindTheBetterOfTwoMinima) {
  const auto alone = finished(*built(elbow));
  EXPECT_EQ(alone.at("converged"), 1);
  EXPECT_GT(alone.at("position_error_maximum"), 1);
  const auto study = built(elbow + starts);
  const auto best = finished(*study);
  EXPECT_EQ(best.at("converged"), 1);
  EXPECT_LT(best.at("position_error_maximum"), 1e-6);
  EXPECT_GT(best.at("best_start"), 1);
  EXPECT_NEAR(best.at("position_error_mean_initial"), alone.at("position_error_mean_initial"), 1e-12)
      << "the result is compared with the given design's motion, whichever start it comes from";

  const auto tables = study->tables();
  const holo::Table* table = table_of(tables, "Starts");
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->rows.size(), 6u);
  double least = HUGE_VAL, chosen = HUGE_VAL;
  for (const auto& row : table->rows) {
    ASSERT_EQ(std::get<std::string>(row.at(2)), "yes");
    least = std::min(least, std::get<double>(row.at(1)));
    if (std::get<std::string>(row.at(4)) == "the result") chosen = std::get<double>(row.at(1));
  }
  EXPECT_EQ(chosen, least);
  EXPECT_LT(least, std::get<double>(table->rows[0].at(1)));
}

TEST_F(DesignSection, TheSeedAloneChoosesTheStarts) {
  const auto rows = [](const std::string& yaml) {
    const auto study = built(yaml);
    finished(*study);
    std::vector<double> objectives;
    const std::vector<holo::Table> tables = study->tables();
    for (const auto& row : table_of(tables, "Starts")->rows) {
      const double* objective = std::get_if<double>(&row.at(1));
      objectives.push_back(objective != nullptr ? *objective : HUGE_VAL);  // of a start that was left out
    }
    return objectives;
  };
  const auto first = rows(elbow + starts), other = rows(replaced(elbow, "seed: 3", "seed: 4") + starts);
  EXPECT_EQ(first, rows(elbow + starts));
  EXPECT_EQ(first[0], other[0]) << "the given design";
  EXPECT_NE(first, other);
  const holo::ThreadLimit one(1);
  EXPECT_EQ(first, rows(elbow + starts)) << "whatever the number of threads";
}

TEST_F(DesignSection, ARunIsTakenUpWithinAndBetweenStarts) {
  const std::string often = elbow + starts + "redundancy: {check_every: 2}\n";
  for (const int steps : {1, 5, 9}) expect_resumes_to_the_same(often, steps);
  expect_resumes_to_the_same(replaced(often, "duration: 1.0}", "duration: 1.0, initial: optimized}"), 7);
  expect_resumes_to_the_same(arm_yaml + "design: {bounds: {reach: [-0.1, 0.05]}}\nredundancy: {check_every: 1}\n", 2);
}

// The crank is 1 m long and the rod 1.2 m: many starts have a rod that is too short for a whole turn.
TEST_F(DesignSection, StartsThatCannotMoveAreLeftOut) {
  const auto study = built(R"(name: crank
study: robot_design
robot:
  bodies:
    - {name: crank, origin: [0.5, 0, 0]}
    - {name: rod, origin: [1.2, 0, 0]}
    - {name: rod_end, origin: [1.9, 0, 0]}
    - {name: slider, origin: [2.2, 0, 0]}
  joints:
    - {name: drive, type: revolute, between: [world, crank], point: [0, 0, 0], axis: [0, 0, 1], role: actuator}
    - {name: pin, type: revolute, between: [crank, rod], point: [1, 0, 0], axis: [0, 0, 1]}
    - {name: length, type: prismatic, between: [rod, rod_end], point: [1.6, 0, 0], axis: [1, 0, 0], role: configurable}
    - {name: end, type: revolute, between: [rod_end, slider], point: [2.2, 0, 0], axis: [0, 0, 1]}
    - {name: rail, type: prismatic, between: [world, slider], point: [2.2, 0, 0], axis: [1, 0, 0]}
motion: {knots: 21, duration: 1.0}
controls: [{control: drive, from: 0, to: 6.283185307179586}]
signals: [{name: path, type: recorded, body: slider, design: {length: 0.1}}]
objectives:
  - {type: track_position, body: slider, target: path}
  - {type: keep_control, control: all, weight: 1.0}
  - {type: smooth_control, control: all, weight: 1.0e-9}
design: {starts: {count: 6, spread: 0.6}}
)");
  const auto metrics = finished(*study);
  EXPECT_GE(metrics.at("starts_not_assembled"), 1);
  EXPECT_GE(metrics.at("starts_converged"), 1);
  EXPECT_NEAR(metrics.at("design_change"), 0.1, 1e-5);
  int left_out = 0;
  const std::vector<holo::Table> tables = study->tables();
  for (const auto& row : table_of(tables, "Starts")->rows)
    left_out += std::get<std::string>(row.at(4)).rfind("left out: ", 0) == 0 ? 1 : 0;
  EXPECT_EQ(left_out, metrics.at("starts_not_assembled"));
}

TEST_F(DesignSectionBadInput, WhatIsWrongIsSaidWhereItStands) {
  const std::string line = "small.yaml:" + std::to_string(1 + std::count(arm_yaml.begin(), arm_yaml.end(), '\n')) + ":";
  const auto expect = [&](const std::string& design, const std::string& part) {
    const std::string text = refusal(arm_yaml + "design: {" + design + "}\n");
    EXPECT_HOLDS(text, part);
    EXPECT_HOLDS(text, line);
  };
  expect("bounds: {raech: [0, 1]}", "no design parameter is named 'raech'. Did you mean 'reach'?");
  expect("bounds: {reach: [1, 0]}", "the lower bound of 'reach' is 1, above the upper one, 0");
  expect("bounds: {reach: 0.2}", "the bounds of 'reach' are '0.2'; they must be two numbers");
  expect("bounds: {reach: [0, 1, 2]}", "they must be two numbers");
  expect("bounds: {reach: [0, .inf]}", "finite");
  expect("bounds: {reach: [.nan, 1]}", "finite");
  expect("ties: [{parameter: reach, equals: reach}]", "'reach' is tied to itself");
  expect("ties: [{parameter: reach, equals: raech}]", "Did you mean 'reach'?");
  expect("starts: {count: 0, spread: 1}", "count");
  expect("starts: {count: 2, spread: 0}", "spread");
  expect("starts: {count: 2}", "spread");
  expect("limits: {reach: [0, 1]}", "limits");
  EXPECT_HOLDS(refusal(arm_yaml + "solver: {step: sparse_lu}\ndesign: {bounds: {reach: [0, 1]}}\n"),
               "the solver's step 'sparse_lu' does not support bounds");
  EXPECT_HOLDS(
      refusal(replaced(arm_yaml, "  bodies:", "  merged: {}\n  bodies:") + "design: {starts: {count: 2, spread: 1}}\n"),
      "the robot has no design parameter");
}

TEST_F(DesignSectionBadInput, TiesThatContradictBoundsAreRefused) {
  EXPECT_HOLDS(refusal(two_slides + "design: {ties: [{parameter: draw, equals: reach}], bounds: {reach: [0.2, 0.3], draw: [0, "
                                    "0.1]}}\n"),
               "the bounds of 'reach' and 'draw' leave no value");
  EXPECT_HOLDS(refusal(two_slides + "design: {ties: [{parameter: draw, equals: reach}, {parameter: reach, equals: draw}]}\n"),
               "lead in a circle");
}

}  // namespace design_section
}  // namespace holo_test
