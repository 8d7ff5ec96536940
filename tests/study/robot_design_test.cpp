#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "holo/study/frames_file.h"
#include "holo/study/study.h"
#include "small_arm.h"

namespace holo_test {
namespace robot_design {

const std::string yaml = small_arm("from: 0.1, to: 0.4, amplitude: 0.5", "type: recorded, body: tool, design: {reach: 0.07}");

// "small.yaml:LINE:" of the line that holds `part`.
std::string place_in(const std::string& text, const std::string& part) {
  return "small.yaml:" + std::to_string(1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(text.find(part)), '\n')) +
         ":";
}

class RobotDesign : public SmallRuns {};
class RobotDesignBadInput : public SmallRuns {};

TEST_F(RobotDesign, AnArmIsAsLongAsItsTargetNeeds) {
  write(yaml);
  const holo::RunOutcome outcome = run("a");
  EXPECT_EQ(metric(outcome, "converged"), 1);
  EXPECT_NEAR(metric(outcome, "design_change"), 0.07, 1e-6);
  EXPECT_NEAR(metric(outcome, "position_error_mean_initial"), 0.07, 1e-12);  // a radial gap, at every angle
  EXPECT_LT(metric(outcome, "position_error_maximum"), 1e-6);
  EXPECT_LT(metric(outcome, "largest_residual"), 1e-9);
  EXPECT_EQ(metric(outcome, "mobility"), 1);
}

TEST_F(RobotDesign, WritesARowForEachKnotAndTheSameOnesAgain) {
  write(yaml);
  run("a");
  run("b");
  const std::string table = file("a", "metrics.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 12);
  EXPECT_EQ(table, file("b", "metrics.csv"));
}

// The first point of the glyph of a group whose path is called `trace`.
Eigen::Vector3d traced(const holo::FramesFile& frames, int group, const std::string& trace, std::size_t frame) {
  std::size_t point = 0;
  for (const holo::SceneGlyph& glyph : frames.scene().glyphs) {
    if (glyph.group == group && glyph.trace == trace)
      return Eigen::Map<const Eigen::Vector3d>(frames.read(frame).points.data() + 3 * point);
    point += glyph.point_count();
  }
  ADD_FAILURE() << "no path is called " << trace;
  return {};
}

// The tool's radius is 0.3 m, and shall be 0.37 m.
TEST_F(RobotDesign, DrawsTheTargetsPathAndTheOneThatIsTaken) {
  write(yaml);
  run("a");
  const holo::FramesFile frames(folder_ / "a" / "frames.bin");
  ASSERT_EQ(frames.size(), 11u);
  ASSERT_EQ(frames.scene().groups.size(), 2u);
  EXPECT_EQ(frames.scene().groups[1].name, "optimized");
  EXPECT_GT(Eigen::Map<const Eigen::Vector3d>(frames.scene().groups[1].beside.data()).norm(), 0.1);
  const std::string target = "path of the target path", taken = "path of the point that follows the target";
  for (std::size_t k = 0; k < frames.size(); ++k) {
    EXPECT_NEAR(traced(frames, 0, target, k).norm(), 0.37, 1e-9) << k;
    EXPECT_NEAR(traced(frames, 0, taken, k).norm(), 0.3, 1e-9) << k;
    EXPECT_LT((traced(frames, 1, target, k) - traced(frames, 0, target, k)).norm(), 1e-12) << k;
    EXPECT_LT((traced(frames, 1, taken, k) - traced(frames, 1, target, k)).norm(), 1e-6) << k;
  }
}

// The arm's rod reaches from the shoulder, at the origin, to the joint at 0.2 m; both move as one.
TEST_F(RobotDesign, DrawsEachLinkAsOneRigidRodBetweenItsJoints) {
  write(yaml);
  run("a");
  const holo::FramesFile frames(folder_ / "a" / "frames.bin");
  const holo::Scene& scene = frames.scene();
  ASSERT_EQ(scene.rigid_count(), 4u);
  EXPECT_EQ(scene.bodies[0].name, "arm");
  EXPECT_EQ(scene.bodies[1].name, "tool");
  const std::size_t rod = scene.bodies[0].points.size();
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const std::vector<double> places = holo::places_of(scene, frames.read(k));
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    double farthest = 0;
    for (std::size_t i = 0; i < rod; ++i) {
      const Eigen::Map<const Eigen::Vector3d> place(places.data() + 3 * i);
      middle += place / double(rod);
      farthest = std::max(farthest, place.norm());
    }
    EXPECT_NEAR(middle.norm(), 0.1, 1e-9) << k;
    EXPECT_GT(farthest, 0.2) << k;
    EXPECT_LT(farthest, 0.21) << k;
  }
}

// A second hinge beside the first repeats what it says.
TEST_F(RobotDesign, DrawsWhoDrivesAJointAndWhereRowsWereDropped) {
  write(replaced(yaml, "    - {name: reach,",
                 "    - {name: bearing, type: revolute, between: [world, arm], point: [0, 0, 0.2], axis: [0, 0, 1]}\n    - "
                 "{name: reach,"));
  EXPECT_EQ(metric(run("a"), "redundant_passive_equations"), 5);
  const holo::FramesFile frames(folder_ / "a" / "frames.bin");
  std::map<std::string, int> counts;
  std::map<std::string, holo::Hue> hues;
  std::set<std::string> names;
  for (const holo::SceneGlyph& glyph : frames.scene().glyphs) {
    if (glyph.shape == holo::GlyphShape::marker) ++counts[glyph.kind];
    if (glyph.shape == holo::GlyphShape::segment) ++counts["axis of " + glyph.name];
    if (glyph.shape == holo::GlyphShape::ring) ++counts["ring at " + glyph.name];
    hues[glyph.kind] = glyph.hue;
    names.insert(glyph.name);
  }
  const int robots = 2;
  EXPECT_EQ(counts["actuator"], robots);
  EXPECT_EQ(counts["configurable joint"], robots);
  EXPECT_EQ(counts["passive joint"], robots);
  EXPECT_EQ(counts["target"], robots);
  EXPECT_EQ(counts["prescribed joint"], 0);
  EXPECT_EQ(counts["axis of shoulder"], robots);
  EXPECT_EQ(counts["axis of reach"], robots);
  EXPECT_GE(counts["ring at bearing"] + counts["ring at shoulder"], robots);
  EXPECT_EQ(counts["ring at reach"], 0);
  EXPECT_TRUE(names.count("shoulder") && names.count("bearing") && names.count("reach") && names.count("path"));
  EXPECT_EQ(hues["passive joint"], holo::Hue::green);
  EXPECT_EQ(hues["actuator"], holo::Hue::red);
  EXPECT_EQ(hues["configurable joint"], holo::Hue::blue);
}

TEST_F(RobotDesign, ManyControlsAreSpreadOverSeveralPlots) {
  std::string bodies, joints, before = "world";
  for (int i = 0; i < 7; ++i) {
    const std::string number = std::to_string(i);
    bodies += "    - {name: b" + number + ", origin: [" + number + ".5, 0, 0]}\n";
    joints += "    - {name: j" + number + ", type: revolute, between: [" + before + ", b" + number + "], point: [" + number +
              ", 0, 0], axis: [0, 1, 0], role: actuator}\n";
    before = "b" + number;
  }
  const auto study = built("name: small\nstudy: robot_design\nrobot:\n  bodies:\n" + bodies + "  joints:\n" + joints +
                           "motion: {knots: 3, duration: 1.0}\nobjectives:\n  - {type: keep_control, control: all}\n");
  std::vector<std::string> drawn, dashed, titles;
  for (const holo::ColumnPlot& plot : study->plots()) {
    if (plot.title.rfind("Controls", 0) != 0) continue;
    titles.push_back(plot.title);
    drawn.insert(drawn.end(), plot.y.begin(), plot.y.end());
    dashed.insert(dashed.end(), plot.reference.begin(), plot.reference.end());
  }
  EXPECT_EQ(titles, (std::vector<std::string>{"Controls, 1 of 2", "Controls, 2 of 2"}));
  std::vector<std::string> expected, expected_dashed;
  for (int i = 0; i < 7; ++i) {
    const std::string name = "control_j" + std::to_string(i);
    expected.insert(expected.end(), {name + "_initial", name + "_optimized"});
    expected_dashed.push_back(name + "_initial");
  }
  EXPECT_EQ(drawn, expected);
  EXPECT_EQ(dashed, expected_dashed);
}

// The path is turned: the crooked start is 9 cm off, the best that the short arm can do 7 cm.
const std::string turned =
    replaced(yaml, "design: {reach: 0.07}}", "design: {reach: 0.07}, edits: [{type: affine, rotation: [0, 0, 0.2]}]}");

TEST_F(RobotDesign, TheBestMotionOfTheInitialDesignIsWhatTheDesignIsHeldAgainst) {
  write(turned);
  EXPECT_GT(metric(run("a"), "position_error_mean_initial"), 0.09);
  write(replaced(turned, "duration: 1.0}", "duration: 1.0, initial: optimized}"));
  const holo::RunOutcome outcome = run("b");
  EXPECT_NEAR(metric(outcome, "position_error_mean_initial"), 0.07, 1e-6);
  EXPECT_NEAR(metric(outcome, "position_error_minimum_initial"), 0.07, 1e-6);
  EXPECT_EQ(metric(outcome, "initial_converged"), 1);
  EXPECT_NEAR(metric(outcome, "design_change"), 0.07, 1e-5);
  EXPECT_LT(metric(outcome, "position_error_maximum"), 1e-5);
}

TEST_F(RobotDesign, ARunIsTakenUpAfterItsInitialMotion) {
  expect_resumes_to_the_same(replaced(turned, "duration: 1.0}", "duration: 1.0, initial: optimized}"), 1);
}

// First an arm that is 4 cm longer, from there one that is 7 cm longer.
const std::string staged =
    replaced(replaced(yaml, "signals: [", "signals: [{name: near, type: recorded, body: tool, design: {reach: 0.04}}, "),
             "  - {type: track_position, body: tool, target: path}\n", "") +
    R"(phases:
  - {name: nearer, objectives: [{type: track_position, body: tool, target: near}]}
  - {name: farther, objectives: [{type: track_position, body: tool, target: path}]}
)";

TEST_F(RobotDesign, EachStageBeginsWhereTheOneBeforeEnded) {
  const std::unique_ptr<holo::Study> study = built(staged);
  ASSERT_EQ(study->total_steps(), 2);
  KeptOutput output;
  for (int i = 0; i < 2; ++i) study->step(output);
  EXPECT_EQ(output.rows.size(), 11u) << "of the last phase alone";
  const holo::Table table = study->tables().front();
  ASSERT_EQ(table.title, "Phases");
  ASSERT_EQ(table.rows.size(), 2u);
  const double before[] = {0.04, 0.03};  // [m]
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(std::get<double>(table.rows[i].at(4)), before[i], 1e-6) << i;
    EXPECT_LT(std::get<double>(table.rows[i].at(5)), 1e-6) << i;
  }
  double iterations = 0;
  for (const auto& row : table.rows) iterations += std::get<double>(row.at(1));
  std::map<std::string, double> metrics;
  for (const holo::Metric& metric : study->finish()) metrics[metric.name] = metric.value;
  EXPECT_EQ(metrics.at("sqp_iterations"), iterations);
  EXPECT_NEAR(metrics.at("design_change"), 0.07, 1e-6);
  EXPECT_NEAR(metrics.at("position_error_mean_initial"), 0.07, 1e-12) << "compared with the last target";
}

TEST_F(RobotDesign, ARunIsTakenUpBetweenPhases) { expect_resumes_to_the_same(staged, 1); }

TEST_F(RobotDesign, ARunIsTakenUpBetweenIterationsWithTheSameMetrics) {
  expect_resumes_to_the_same(yaml, 0);
  expect_resumes_to_the_same(yaml + "redundancy: {check_every: 2}\n", 1);
}

// A parallelogram that both of its cranks drive, with a tool on the bar between them.
const std::string parallelogram = R"(name: parallelogram
study: robot_design
robot:
  bodies:
    - {name: left, origin: [0, 0.5, 0]}
    - {name: right, origin: [1, 0.5, 0]}
    - {name: bar, origin: [0.5, 1, 0]}
    - {name: tool, origin: [0.5, 1.2, 0]}
  joints:
    - {name: drive_left, type: revolute, between: [world, left], point: [0, 0, 0], axis: [0, 0, 1], role: actuator}
    - {name: drive_right, type: revolute, between: [world, right], point: [1, 0, 0], axis: [0, 0, 1], role: actuator}
    - {name: pin_left, type: revolute, between: [left, bar], point: [0, 1, 0], axis: [0, 0, 1]}
    - {name: pin_right, type: revolute, between: [right, bar], point: [1, 1, 0], axis: [0, 0, 1]}
    - {name: height, type: prismatic, between: [bar, tool], point: [0.5, 1.1, 0], axis: [0, 1, 0], role: configurable}
motion: {knots: 11, duration: 1.0, start: targets, dependent_first: [drive_right]}
controls: [{control: drive_left, amplitude: 0.5}, {control: drive_right, amplitude: 0.5}]
signals: [{name: path, type: recorded, body: tool, design: {height: 0.07}}]
objectives:
  - {type: track_position, body: tool, target: path}
  - {type: keep_control, control: all, weight: 1.0e-6}
  - {type: smooth_control, control: drive_left, weight: 1.0e-9}
  - {type: keep_design_parameter, design_parameter: all, weight: 1.0e-9}
)";

TEST_F(RobotDesign, ASurplusActuatorFollowsTheOther) {
  write(parallelogram);
  const holo::RunOutcome outcome = run("a");
  EXPECT_EQ(metric(outcome, "converged"), 1);
  EXPECT_EQ(metric(outcome, "redundant_passive_equations"), 3);
  EXPECT_EQ(metric(outcome, "redundant_active_equations"), 1);
  EXPECT_NEAR(metric(outcome, "design_change"), 0.07, 1e-5);
  EXPECT_LT(metric(outcome, "position_error_maximum"), 1e-5);
  EXPECT_LT(metric(outcome, "largest_residual"), 1e-9);
  // The columns of both controls say the same, before and after.
  std::istringstream table(file("a", "metrics.csv"));
  std::string line;
  std::getline(table, line);
  std::vector<std::string> names;
  for (std::istringstream words(line); std::getline(words, line, ',');) names.push_back(line);
  const auto column = [&](const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), name);
    EXPECT_NE(at, names.end()) << name;
    return std::size_t(at - names.begin());
  };
  int rows = 0;
  for (; std::getline(table, line); ++rows) {
    std::vector<double> values;
    for (std::istringstream words(line); std::getline(words, line, ',');) values.push_back(std::stod(line));
    for (const std::string when : {"_initial", "_optimized"})
      EXPECT_NEAR(values.at(column("control_drive_left" + when)), values.at(column("control_drive_right" + when)), 1e-8);
  }
  EXPECT_EQ(rows, 11);
}

TEST_F(RobotDesign, TheRateOfASurplusActuatorCountsToo) {
  write(replaced(parallelogram, "control: drive_left, weight", "control: all, weight"));
  const holo::RunOutcome outcome = run("a");
  EXPECT_EQ(metric(outcome, "converged"), 1);
  EXPECT_NEAR(metric(outcome, "design_change"), 0.07, 1e-5);
}

TEST_F(RobotDesignBadInput, SurplusActuatorsThatFightAreRefused) {
  EXPECT_HOLDS(
      refusal(replaced(parallelogram, "{control: drive_right, amplitude: 0.5}", "{control: drive_right, amplitude: 0.1}")),
      "unreachable");
  EXPECT_HOLDS(
      refusal(replaced(parallelogram, "{control: drive_right, amplitude: 0.5}", "{control: drive_right, amplitude: 0.1}")),
      place_in(parallelogram, "motion: {"));
  EXPECT_HOLDS(refusal(replaced(parallelogram, "[drive_right]}", "[steering]}")), "drive_left");
}

TEST_F(RobotDesignBadInput, NamesThatAreNotThereAreRefusedWhereTheyStand) {
  EXPECT_HOLDS(refusal(replaced(yaml, "between: [arm, tool]", "between: [arm, tolo]")), "small.yaml:9:");
  EXPECT_HOLDS(refusal(replaced(yaml, "control: shoulder", "control: shuolder")), "shoulder");
  EXPECT_HOLDS(refusal(replaced(yaml, "design: {reach: 0.07}", "design: {raech: 0.07}")), "reach");
  EXPECT_HOLDS(refusal(replaced(yaml, "design: {reach: 0.07}", "design: {reach: far}")), "no number");
  EXPECT_HOLDS(refusal(replaced(yaml, "target: path", "target: paht")), "path");
  EXPECT_HOLDS(refusal(replaced(yaml, "type: track_position", "type: track_positoin")), "track_position");
  EXPECT_HOLDS(refusal(replaced(yaml, "type: prismatic", "type: prismatik")), "prismatic");
}

// A tool that can be turned in its arm, and is not.
TEST_F(RobotDesign, AFrozenJointNeedsNoDrive) {
  const std::string turning = replaced(
      yaml, "motion: {", R"(    - {name: swivel, type: revolute, between: [tool, sleeve], point: [0.3, 0, 0], axis: [0, 0, 1]}
motion: {)");
  const std::string with_sleeve = replaced(turning, "  joints:", "    - {name: sleeve, origin: [0.3, 0, 0.1]}\n  joints:");
  EXPECT_HOLDS(refusal(with_sleeve), "sleeve");
  write(replaced(with_sleeve, "  bodies:", "  frozen: [swivel]\n  bodies:"));
  EXPECT_NEAR(metric(run("a"), "design_change"), 0.07, 1e-6);
  EXPECT_HOLDS(refusal(replaced(with_sleeve, "  bodies:", "  frozen: [swivle]\n  bodies:")), "swivel");
}

// A crank swings a rocker, which carries the arm of a tool; the rocker's motion is enough for the tool.
const std::string rocker = R"(name: rocker
study: robot_design
robot:
  prescribed: [pivot]
  bodies:
    - {name: crank, origin: [0.25, 0, 0]}
    - {name: coupler, origin: [1, 0.5, 0]}
    - {name: rocker, origin: [2, 0.5, 0]}
    - {name: arm, origin: [2, 1.1, 0]}
    - {name: tool, origin: [2, 1.3, 0]}
  joints:
    - {name: drive, type: revolute, between: [world, crank], point: [0, 0, 0], axis: [0, 0, 1], role: actuator}
    - {name: pin, type: revolute, between: [crank, coupler], point: [0.5, 0, 0], axis: [0, 0, 1]}
    - {name: pull, type: revolute, between: [coupler, rocker], point: [2, 1, 0], axis: [0, 0, 1]}
    - {name: pivot, type: revolute, between: [world, rocker], point: [2, 0, 0], axis: [0, 0, 1]}
    - {name: wrist, type: revolute, between: [rocker, arm], point: [2, 1, 0], axis: [0, 0, 1], role: actuator}
    - {name: reach, type: prismatic, between: [arm, tool], point: [2, 1.2, 0], axis: [0, 1, 0], role: configurable}
motion: {knots: 11, duration: 1.0}
controls: [{control: drive, to: 6.283185307179586}, {control: wrist, amplitude: 0.4}]
signals: [{name: path, type: recorded, body: tool, design: {reach: 0.07}}]
objectives:
  - {type: track_position, body: tool, target: path}
  - {type: keep_control, control: all, weight: 1.0e-6}
  - {type: smooth_control, control: wrist, weight: 1.0e-9}
  - {type: keep_design_parameter, design_parameter: all, weight: 1.0e-9}
)";

TEST_F(RobotDesign, AJointPlaysBackWhatItDidInTheWholeRobot) {
  const auto expect_design = [&](const std::string& text, const std::string& out, double dropped) {
    write(text);
    const holo::RunOutcome outcome = run(out);
    EXPECT_EQ(metric(outcome, "converged"), 1) << out;
    EXPECT_NEAR(metric(outcome, "design_change"), 0.07, 1e-5) << out;
    EXPECT_LT(metric(outcome, "largest_residual"), 1e-9) << out;
    EXPECT_EQ(metric(outcome, "redundant_active_equations"), dropped) << out;
    return metric(outcome, "position_error_mean_initial");
  };
  const double whole = expect_design(replaced(rocker, "  prescribed: [pivot]\n", ""), "whole", 0);
  EXPECT_NEAR(expect_design(rocker, "played", 1), whole, 1e-9);
  EXPECT_NEAR(expect_design(replaced(rocker, "[pivot]\n", "[pivot]\n  removed: [crank, coupler]\n"), "part", 0), whole, 1e-9);
  const std::string by_role = replaced(replaced(rocker, "  prescribed: [pivot]\n", ""), "point: [2, 0, 0], axis: [0, 0, 1]}",
                                       "point: [2, 0, 0], axis: [0, 0, 1], role: prescribed}");
  EXPECT_NEAR(expect_design(by_role, "role", 1), whole, 1e-9);
}

TEST_F(RobotDesignBadInput, OnlyWhatMovesByItselfIsPlayedBack) {
  const auto refused = [&](const std::string& list) { return refusal(replaced(rocker, "prescribed: [pivot]", list)); };
  EXPECT_HOLDS(refused("prescribed: [pivto]"), "'pivot'");
  EXPECT_HOLDS(refused("prescribed: [drive]"), "it is actuator");
  EXPECT_HOLDS(refused("frozen: [pivot]\n  prescribed: [pivot]"), "has no motion");
  EXPECT_HOLDS(refused("prescribed: [pivot]\n  removed: [rocker]"), "'pivot'");
  EXPECT_HOLDS(refused("removed: [crank]"), "`prescribed`");
  EXPECT_HOLDS(refused("prescribed: [pivot]\n  removed: [crank]"), "coupler");
}

TEST_F(RobotDesignBadInput, MechanismsThatCannotBeAreRefused) {
  EXPECT_HOLDS(refusal(replaced(yaml, "axis: [1, 0, 0]", "axis: [0, 0, 0]")), "length 0");
  EXPECT_HOLDS(refusal(replaced(yaml, "  joints:", "    - {name: tool, origin: [0, 0, 0]}\n  joints:")), "tool");
  EXPECT_HOLDS(refusal(replaced(yaml, "between: [world, arm]", "between: [arm, arm]")), "shoulder");
  EXPECT_HOLDS(refusal(replaced(yaml, "knots: 11", "knots: 1")), "small.yaml:10:");
}

// The prismatic joint moves by itself.
TEST_F(RobotDesignBadInput, MissingActuationIsToldWithWhatMoves) {
  const std::string without_design =
      replaced(yaml, "\n  - {type: keep_design_parameter, design_parameter: all, weight: 1.0e-9}", "");
  const std::string message =
      refusal(replaced(replaced(without_design, "role: configurable", "role: passive"), "design: {reach: 0.07}", "design: {}"));
  EXPECT_HOLDS(message, "tool");
}

TEST_F(RobotDesignBadInput, ALossThatAsksForWhatAMechanismLacksIsRefused) {
  EXPECT_HOLDS(refusal(replaced(yaml, "design_parameter: all, weight", "design_parameter: length, weight")), "reach");
}

}  // namespace robot_design
}  // namespace holo_test
