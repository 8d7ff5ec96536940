// Where signals come from, compared with closed forms: a tool on an arm of 0.3 m that turns about z, and can be made longer.
#include <array>
#include <cmath>

#include "holo/study/study.h"
#include "small_arm.h"

namespace holo_test {
namespace robot_design_signals {

// The arm's.
const std::string angle = "0.1 + 0.3*t/T + 0.5*sin(2*pi*t/T)";
double angle_at(double t) { return 0.1 + 0.3 * t + 0.5 * std::sin(2 * std::acos(-1.0) * t); }

std::string with(const std::string& target) { return small_arm("formula: " + angle, target); }
// The arm's orientation follows it.
std::string turned_with(const std::string& target) {
  return replaced(with(target), "{type: track_position, body: tool", "{type: track_orientation, body: arm");
}

std::string shown(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

class RobotDesignSignals : public SmallRuns {
 protected:
  holo::RunOutcome run_of(const std::string& text) {
    write(text);
    return run("run" + std::to_string(++runs_));
  }
  // Of the last run, one entry for each knot; the column whose name ends so.
  std::vector<double> column(const std::string& end) {
    std::istringstream table(file("run" + std::to_string(runs_), "metrics.csv"));
    std::string line, cell;
    std::getline(table, line);
    std::istringstream heads(line);
    int at = -1;
    for (int i = 0; std::getline(heads, cell, ','); ++i)
      if (cell.size() >= end.size() && cell.compare(cell.size() - end.size(), end.size(), end) == 0) at = i;
    EXPECT_GE(at, 0) << end << " is in none of " << line;
    std::vector<double> values;
    while (std::getline(table, line)) {
      std::istringstream cells(line);
      for (int i = 0; i <= at; ++i) std::getline(cells, cell, ',');
      values.push_back(std::stod(cell));
    }
    return values;
  }
  // At first as far from the target as `gap` says, at every knot; at the end on it.
  void expect_reached(const std::string& text, const std::string& error, double gap) {
    const holo::RunOutcome outcome = run_of(text);
    for (const double value : column(error + "_initial")) EXPECT_NEAR(value, gap, 1e-9) << text;
    EXPECT_LT(metric(outcome, error + "_maximum"), 2e-6) << text;
    EXPECT_EQ(metric(outcome, "converged"), 1);
  }
  int runs_ = 0;
};
class RobotDesignSignalsBadInput : public SmallRuns {};

TEST_F(RobotDesignSignals, AFormulaIsFollowed) {
  expect_reached(with("type: formula, formulas: [\"0.37*cos(" + angle + ")\", \"0.37*sin(" + angle + ")\", 0]"),
                 "position_error", 0.07);
}

TEST_F(RobotDesignSignals, ASplineIsItsFormulaAtTheKeysAndNearItElsewhere) {
  for (const std::string kind : {"smooth", "natural", "catmull_rom", "monotone", "hermite"}) {
    std::string keys;
    for (int k = 0; k <= 10; k += 2) {
      const double t = 0.1 * k, a = angle_at(t), w = 0.3 + std::acos(-1.0) * std::cos(2 * std::acos(-1.0) * t);
      keys += std::string(k > 0 ? ", " : "") + "{time: " + shown(t) + ", position: [" + shown(0.37 * std::cos(a)) + ", " +
              shown(0.37 * std::sin(a)) + ", 0]";
      if (kind == "hermite")
        keys += ", velocity: [" + shown(-0.37 * w * std::sin(a)) + ", " + shown(0.37 * w * std::cos(a)) + ", 0]";
      keys += "}";
    }
    run_of(with("type: spline, kind: " + kind + ", keys: [" + keys + "]"));
    const std::vector<double> error = column("position_error_initial");
    ASSERT_EQ(error.size(), 11u);
    for (int k = 0; k <= 10; ++k) {
      EXPECT_NEAR(error[k], 0.07, k % 2 == 0 ? 1e-12 : 0.05) << kind << " at knot " << k;
      EXPECT_TRUE(k % 2 == 0 || std::abs(error[k] - 0.07) > 1e-6) << kind << " at knot " << k;
    }
  }
}

TEST_F(RobotDesignSignals, OrientationsOfFormulasTurnAboutTheirAxes) {
  expect_reached(turned_with("type: formula, quantity: orientation, axis: [0, 0, 2], formula: \"0.2 + " + angle + "\""),
                 "orientation_error", 0.2);
  // About x by half a turn, about z, and back about x: the turn about z the other way around.
  expect_reached(
      turned_with("type: formula, quantity: orientation, axes: XZX, formulas: [pi, \"-0.2 - (" + angle + ")\", -pi]"),
      "orientation_error", 0.2);
}

TEST_F(RobotDesignSignals, OrientationSplinesTurnSteadilyBetweenTwoKeys) {
  const std::string steady = replaced(turned_with("type: spline, quantity: orientation, KIND"), angle, "0.1 + 0.4*t/T");
  const std::string half = ", orientation: [" + shown(std::cos(0.35)) + ", 0, 0, " + shown(std::sin(0.35)) + "]";
  for (const std::string kind : {"hermite", "slerp"})
    expect_reached(
        replaced(steady, "KIND", "kind: " + kind + ", keys: [{time: 0, rotation: [0, 0, 0.3]}, {time: 1" + half + "}]"),
        "orientation_error", 0.2);
}

TEST_F(RobotDesignSignals, RecordedTargetsAreEdited) {
  const std::string recorded = "type: recorded, body: tool, edits: [EDIT]";
  const auto edited = [&](const std::string& edit) { return with(replaced(recorded, "EDIT", edit)); };
  expect_reached(edited("{type: affine, scale: [1.5, 1.5, 1]}"), "position_error", 0.15);
  expect_reached(edited("{type: affine, rotation: [0, 0, 0.2]}"), "position_error", 0.6 * std::sin(0.1));
  // Scaled about a point, and moved to where that is the origin: the same as about the origin.
  expect_reached(edited("{type: affine, scale: [2, 2, 1], center: [0.1, -0.2, 0], offset: [0.1, -0.2, 0]}"), "position_error",
                 0.3);
  expect_reached(
      turned_with(
          "type: recorded, body: arm, quantity: orientation, edits: [{type: rotate, world: [0, 0, 0.3], body: [0, 0, -0.1]}]"),
      "orientation_error", 0.2);
}

TEST_F(RobotDesignSignals, EditsThatLeaveTheRobotsReachAreMadeToo) {
  const auto errors_with = [&](const std::string& edit) {
    run_of(with("type: recorded, body: tool, edits: [" + edit + "]"));
    return column("position_error_initial");
  };
  const auto place = [](int k) {
    return std::array<double, 2>{0.3 * std::cos(angle_at(0.1 * k)), 0.3 * std::sin(angle_at(0.1 * k))};
  };
  const auto distance = [](std::array<double, 2> a, std::array<double, 2> b) { return std::hypot(a[0] - b[0], a[1] - b[1]); };
  std::array<double, 2> mean{};
  for (int k = 0; k <= 10; ++k)
    for (int i = 0; i < 2; ++i) mean[i] += place(k)[i] / 11;
  const std::vector<double> up =
      errors_with("{type: displace, keys: [{time: 0, displacement: [0, 0, 0.05]}, {time: 1, displacement: [0, 0, 0.05]}]}");
  const std::vector<double> at_mean = errors_with("{type: scale_about_mean, factors: [0]}");
  const std::vector<double> closed = errors_with("{type: close_loop, window: 0.25}");
  const std::vector<double> smooth = errors_with("{type: smooth, cutoff_frequency: 2}");
  for (int k = 0; k <= 10; ++k) {
    EXPECT_NEAR(up[k], 0.05, 1e-9);
    EXPECT_NEAR(at_mean[k], distance(place(k), mean), 1e-9);
    EXPECT_NEAR(closed[k], k < 8 ? 0 : k == 10 ? distance(place(10), place(0)) : closed[k], 1e-9);
    EXPECT_LT(smooth[k], 0.05);
  }
  EXPECT_GT(smooth[5], 1e-4);
}

// With the angle 0.1 + s, s odd about half a period, the mean of the path and its mirror image half a period later is 0.3
// cos(0.1) (cos s, sin s).
TEST_F(RobotDesignSignals, ASymmetrizedPathIsItsOwnMirrorImageHalfAPeriodLater) {
  const std::string swing = replaced(with("type: recorded, body: tool, edits: [{type: symmetrize, normal: [0, 3, 0]}]"), angle,
                                     "0.1 + 0.5*sin(2*pi*t/T)");
  const holo::RunOutcome outcome = run_of(swing);
  EXPECT_NEAR(metric(outcome, "design_change"), 0.3 * (1 - std::cos(0.1)), 1e-7);
  EXPECT_LT(metric(outcome, "position_error_maximum"), 2e-6);
  const std::vector<double> control = column("control_shoulder_optimized");
  for (int k = 0; k <= 10; ++k) EXPECT_NEAR(control[k], 0.5 * std::sin(2 * std::acos(-1.0) * 0.1 * k), 2e-5);
}

// Two targets on either side of the arm's angle, of which one counts early and one late.
TEST_F(RobotDesignSignals, AWeightMayVaryInTime) {
  const auto turn = [](const std::string& name, const std::string& by) {
    return "{name: " + name + ", type: formula, quantity: orientation, axis: [0, 0, 1], formula: \"" + by + " + " + angle +
           "\"}, ";
  };
  const std::string targets = "signals: [" + turn("left", "0.2") + turn("right", "-0.2") +
                              "{name: early, type: formula, quantity: number, formula: step(0.45 - t)}, "
                              "{name: late, type: spline, quantity: number, kind: monotone, keys: [{time: 0, number: 0}, "
                              "{time: 0.4, number: 0}, {time: 0.5, number: 1}, {time: 1, number: 1}]}, ";
  run_of(replaced(replaced(turned_with("type: recorded, body: tool"), "signals: [", targets), "arm, target: path}",
                  "arm, target: left, weight: early}\n  - {type: track_orientation, body: tool, target: right, weight: late}"));
  const std::vector<double> control = column("control_shoulder_optimized");
  for (int k = 0; k <= 10; ++k) EXPECT_NEAR(control[k], angle_at(0.1 * k) + (k < 5 ? 0.2 : -0.2), 1e-5) << k;
}

// Each study has signals of its own: the first one's values are not those of the plan.
TEST_F(RobotDesignSignals, OnePlanGivesTheSameStudyEachTime) {
  static const holo::StudyRegistry studies = holo::built_in_studies();
  const holo::PluginHost plugins;
  holo::ConfigurationFile file = holo::ConfigurationFile::parse(
      with("type: recorded, body: tool, edits: [{type: affine, scale: [1.5, 1.5, 1]}]"), "small.yaml");
  const holo::Experiment experiment = holo::load_experiment(file, studies, plugins);
  const auto rows = [](holo::Study& study) {
    KeptOutput output;
    while (study.steps_done() < study.total_steps()) study.step(output);
    return output.rows;
  };
  const auto first = experiment.plan.build();
  const auto of_first = rows(*first);
  const auto second = experiment.plan.build();
  EXPECT_FALSE(of_first.empty());
  EXPECT_EQ(rows(*second), of_first);
}

// The same angle as a formula, a formula with variables, and a signal: the same motion, bit for bit.
TEST_F(RobotDesignSignals, AControlMayFollowASignal) {
  const std::string path = "type: formula, formulas: [\"0.37*cos(" + angle + ")\", \"0.37*sin(" + angle + ")\", 0]";
  run_of(with(path));
  const std::vector<double> by_formula = column("control_shoulder_initial"), optimized = column("control_shoulder_optimized");
  const std::string turn = "{name: turn, type: formula, quantity: number, formula: \"" + angle + "\"}, ";
  run_of(replaced(small_arm("signal: turn", path), "signals: [", "signals: [" + turn));
  EXPECT_EQ(column("control_shoulder_initial"), by_formula);
  EXPECT_EQ(column("control_shoulder_optimized"), optimized);
}

// A root that turns about the file's y, which is z where z points up, with an end that lies 37 units along the file's z, which
// is x.
std::string bvh() {
  std::string text =
      "HIERARCHY\nROOT Arm\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\nEnd Site\n{\nOFFSET 0 0 37\n}\n}\nMOTION\nFrames: 21\nFrame "
      "Time: 0.1\n";
  for (int k = 0; k <= 20; ++k) text += shown(angle_at(0.1 * k - 0.5) * 180 / std::acos(-1.0)) + "\n";
  return text;
}

TEST_F(RobotDesignSignals, MotionCaptureIsFollowed) {
  std::ofstream(folder_ / "arm.bvh") << bvh();
  const std::string of_file = "type: bvh, file: arm.bvh, begin: 0.5, joint: ";
  expect_reached(with(of_file + "Arm.end, scale: 0.01"), "position_error", 0.07);
  expect_reached(with(of_file + "Arm.end, chain: {from: Arm, to: Arm.end, length: 0.37}"), "position_error", 0.07);
  expect_reached(
      with(of_file +
           "Arm, point: [0.37, 0, 0], rotation: [0, 0, 0.2], scale: 0.01, edits: [{type: affine, rotation: [0, 0, -0.2]}]"),
      "position_error", 0.07);
  expect_reached(turned_with(of_file + "Arm, quantity: orientation, scale: 1, rotation: [0, 0, 1]"), "orientation_error", 0);
}

#ifdef HOLO_DATA_DIR
TEST_F(RobotDesignSignals, APublicRecordingIsRead) {
  const std::string target =
      "type: bvh, file: \"${HOLO_DATA_DIR}/mocap/cmu_02_01_walk.bvh\", joint: RightFoot, begin: 0.5, "
      "chain: {from: Hips, to: RightFoot, length: 0.3}, remove_travel: true, anchor: [0.3, 0, 0]";
  setenv("HOLO_DATA_DIR", HOLO_DATA_DIR, 1);
  EXPECT_NO_THROW(built(with(target)));
}
#endif

TEST_F(RobotDesignSignalsBadInput, FormulasAreRefusedWhereTheyStand) {
  const auto formula = [&](const std::string& rest) { return refusal(with("type: formula, " + rest)); };
  EXPECT_HOLDS(formula("formulas: [t, 0, u]"), "small.yaml:12:");
  EXPECT_HOLDS(formula("formulas: [t, 0, u]"), "'u' is neither a function nor one of t, T, dt, pi, deg");
  EXPECT_HOLDS(formula("formulas: [t, 0, log(-1)]"), "must be finite");
  EXPECT_HOLDS(formula("formulas: [t, 0]"), "3 entries");
  EXPECT_EQ(formula("formulas: [t, 0]").find("the formula"), std::string::npos) << "stand-ins are not parsed";
  EXPECT_HOLDS(formula("quantity: orientation, axes: ZQ, formulas: [t, t]"), "letters X, Y or Z");
  EXPECT_HOLDS(formula("quantity: orientation, axes: ZX, formulas: [t]"), "2 entries");
  EXPECT_HOLDS(formula("quantity: orientation, axis: [0, 0, 0], formula: t"), "length 0");
  EXPECT_HOLDS(formula("quantity: number, formula: t"), "the signal 'path' has 1 numbers; 3 are needed");
  EXPECT_HOLDS(refusal(replaced(with("type: recorded, body: tool"), "sin(2", "sinn(2")), "small.yaml:11:41: the formula");
  EXPECT_HOLDS(refusal(replaced(with("type: recorded, body: tool"), "control: shoulder, ", "control: shoulder, from: 1, ")),
               "unknown key 'controls.0.from'");
}

// A value that is not finite, and a file that is no motion capture, are found while the study is built.
TEST_F(RobotDesignSignalsBadInput, ReadingComputesNoSignal) {
  static const holo::StudyRegistry studies = holo::built_in_studies();
  const holo::PluginHost plugins;
  std::ofstream(folder_ / "note.bvh") << "a note\n";
  for (const char* signal : {"type: formula, formulas: [t, 0, log(-1)]", "type: bvh, file: note.bvh, joint: Arm, scale: 1",
                             "type: formula, formulas: [t, 0, 0], edits: [{type: close_loop, window: 2}]"}) {
    write(with(signal));
    holo::ConfigurationFile file = holo::ConfigurationFile::load(folder_ / "small.yaml");
    const holo::Experiment experiment = holo::load_experiment(file, studies, plugins);
    try {
      experiment.plan.build();
      ADD_FAILURE() << "not refused: " << signal;
    } catch (const holo::Error& error) {
      EXPECT_HOLDS(std::string(error.what()), "small.yaml:12:");
    }
  }
}

TEST_F(RobotDesignSignalsBadInput, SignalsOfControlsAndWeightsAreRefusedWhereTheyStand) {
  const std::string tool = small_arm("signal: turn", "type: recorded, body: tool");
  EXPECT_HOLDS(refusal(tool), "small.yaml:11:40: no signal 'turn'. There are: path");
  EXPECT_HOLDS(refusal(replaced(tool, "signal: turn", "signal: path")), "the signal 'path' has 3 numbers; 1 is needed");
  const std::string falling = "{name: late, type: formula, quantity: number, formula: 0.5 - t}, ";
  EXPECT_HOLDS(refusal(replaced(replaced(with("type: recorded, body: tool"), "signals: [", "signals: [" + falling),
                                "all, weight: 1.0e-6", "all, weight: late")),
               "small.yaml:15:48: 'objectives.1.weight': the signal 'late' gets down to -0.5; allowed: >= 0");
}

TEST_F(RobotDesignSignalsBadInput, KeysAreRefusedWhereTheyStand) {
  const auto spline = [&](const std::string& rest) { return refusal(with("type: spline, " + rest)); };
  EXPECT_HOLDS(spline("keys: [{time: 0, position: [0, 0, 0]}, {time: 0, position: [0, 0, 0]}]"), "times must increase");
  EXPECT_HOLDS(spline("keys: [{time: 0, position: [0, 0, 0]}, {time: 0, position: [0, 0, 0]}]"), "small.yaml:12:84:");
  EXPECT_HOLDS(spline("keys: [{time: 0, position: [0, 0]}, {time: 1, position: [0, 0, 0]}]"), "signals.0.keys.0.position");
  EXPECT_HOLDS(spline("keys: [{time: 0, position: [0, 0, 0]}]"), "at least 2");
  EXPECT_HOLDS(spline("keys: [{time: 0, position: [0, 0, 0]}, {time: 0.9, position: [0, 0, 0]}]"), "outside of the knots");
  EXPECT_HOLDS(spline("kind: hermite, keys: [{time: 0, position: [0, 0, 0]}, {time: 1, position: [0, 0, 0]}]"), "velocity");
  EXPECT_HOLDS(spline("quantity: orientation, keys: [{time: 0, orientation: [2, 0, 0, 0]}, {time: 1, rotation: [0, 0, 0]}]"),
               "has the length 2; it must be 1");
  EXPECT_HOLDS(spline("quantity: orientation, keys: [{time: 0}, {time: 1, rotation: [0, 0, 0]}]"), "orientation, rotation");
}

TEST_F(RobotDesignSignalsBadInput, MotionCaptureIsRefusedWithWhatItLacks) {
  std::ofstream(folder_ / "arm.bvh") << bvh();
  std::ofstream(folder_ / "note.bvh") << "a note\n";
  const auto capture = [&](const std::string& rest) { return refusal(with("type: bvh, " + rest)); };
  EXPECT_HOLDS(capture("file: arm.bvh, joint: Arn, scale: 1"), "there is no joint 'Arn'. Did you mean 'Arm'?");
  EXPECT_HOLDS(capture("file: arm.bvh, joint: Arn, scale: 1"), "small.yaml:12:");
  EXPECT_HOLDS(capture("file: amr.bvh, joint: Arm, scale: 1"), "Did you mean 'arm.bvh'?");
  EXPECT_HOLDS(capture("file: note.bvh, joint: Arm, scale: 1"), "note.bvh:1:1");
  EXPECT_HOLDS(capture("file: arm.bvh, joint: Arm, scale: 1, begin: 1.5"), "lasts from 0 to 2 s");
  EXPECT_HOLDS(capture("file: arm.bvh, joint: Arm"), "scale, chain");
  EXPECT_HOLDS(capture("file: arm.bvh, joint: Arm, chain: {from: Arm, to: Arm, length: 1}"), "must be positive");
}

TEST_F(RobotDesignSignalsBadInput, EditsAreRefusedWhereTheyStand) {
  const auto recorded = [&](const std::string& rest) { return refusal(with("type: recorded, body: tool, " + rest)); };
  EXPECT_HOLDS(recorded("edits: [{type: symmetrize, normal: [0, 1, 0]}]"),
               "small.yaml:12:");  // it does not end where it begins
  EXPECT_HOLDS(recorded("edits: [{type: symmetrize, normal: [0, 1, 0]}]"), "not closed");
  EXPECT_HOLDS(recorded("edits: [{type: rotate}]"), "one of: affine, scale_about_mean, symmetrize");
  EXPECT_HOLDS(recorded("edits: [{type: scale_about_mean, factors: [1, 2]}]"), "one for all, or three");
  EXPECT_HOLDS(recorded("edits: [{type: affine, size: 2}]"), "unknown key 'signals.0.edits.0.size'");
  EXPECT_HOLDS(refusal(with("type: formula, formulas: [t, 0, 0], edits: [{type: close_loop, window: 2}]")), "small.yaml:12:");
}

TEST_F(RobotDesignSignalsBadInput, AnOrientationIsNoPlace) {
  EXPECT_HOLDS(refusal(with("type: recorded, body: tool, quantity: orientation")),
               "the signal 'path' has 4 numbers; 3 are needed");
  EXPECT_HOLDS(refusal(with("type: recorded, body: tool, quantity: orientation, point: [0, 0, 0]")),
               "unknown key 'signals.0.point'");
}

TEST(RobotDesignSchema, NamesWhatSignalsRead) {
  const holo::PluginHost plugins;
  const holo::ParameterRecording recording([&](holo::Configuration& root) {
    holo::StudyContext context;
    context.plugins = &plugins;
    holo::built_in_studies().get("robot_design").read(root, context);
  });
  std::string paths;
  for (const auto& description : recording.descriptions()) paths += description.path + "\n";
  for (const char* path :
       {"signals[].formulas", "signals[].axis", "signals[].keys[].velocity", "signals[].chain.length", "signals[].joint",
        "signals[].edits[].cutoff_frequency", "signals[].edits[].keys[].displacement", "controls[].formula", "signals[].design",
        "signals[].robot", "rigs[].controls[].formula", "rigs[].robot.bodies[].name", "let"})
    EXPECT_HOLDS(paths, std::string(path) + "\n");
}

}  // namespace robot_design_signals
}  // namespace holo_test
