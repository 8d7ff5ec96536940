// What a design's user is told: whether it has converged, why not, and errors of what was asked for alone.
#include <atomic>

#include "holo/core/runs/interruption.h"
#include "small_arm.h"

namespace holo_test {
namespace robot_design_diagnosis {

const std::string yaml = small_arm("from: 0.1, to: 0.4, amplitude: 0.5", "type: recorded, body: tool, design: {reach: 0.07}");

class RobotDesignDiagnosis : public SmallRuns {};

TEST_F(RobotDesignDiagnosis, AnEarlyEndIsToldOnTheTerminalInTheResultAndInTheReport) {
  write(yaml + "solver: {max_iterations: 1}\n");
  const holo::RunOutcome outcome = run("a");
  EXPECT_EQ(metric(outcome, "converged"), 0);
  EXPECT_EQ(outcome.result.exit_code(), holo::ExitCode::acceptance_missed);
  const std::string reason = "after 1 iterations stationarity is", advice = "allow more iterations";
  for (const std::string& text : {holo::summary(outcome.result), file("a", "result.json")}) {
    EXPECT_HOLDS(text, "'design' has not converged");
    EXPECT_HOLDS(text, reason);
    EXPECT_HOLDS(text, advice);
  }
  EXPECT_HOLDS(holo::summary(outcome.result), "FAILED");
  if (!outcome.report.empty()) {
    EXPECT_HOLDS(file("a", "report.html"), reason);
  }
  const holo::RunResult read = holo::result_from_json(folder_ / "a" / "result.json");
  ASSERT_EQ(read.diagnoses.size(), 1u);
  EXPECT_EQ(read.exit_code(), holo::ExitCode::acceptance_missed);
  EXPECT_EQ(holo::summary(read), holo::summary(outcome.result));
}

TEST_F(RobotDesignDiagnosis, AConvergedDesignHasNone) {
  write(yaml);
  const holo::RunOutcome outcome = run("a");
  EXPECT_TRUE(outcome.result.diagnoses.empty());
  EXPECT_EQ(outcome.result.exit_code(), holo::ExitCode::done);
}

// The first phase ends too early; the second, which wants the same, goes on and converges.
const std::string staged = replaced(yaml, "  - {type: track_position, body: tool, target: path}\n", "") +
                           R"(phases:
  - {name: hasty, objectives: [{type: track_position, body: tool, target: path}]}
  - {name: patient, objectives: [{type: track_position, body: tool, target: path}]}
solver: {max_iterations: 1, regularizer_schedule: "off"}
)";

TEST_F(RobotDesignDiagnosis, ConvergedMeansEachStage) {
  write(staged);
  const holo::RunOutcome outcome = run("a");
  EXPECT_EQ(metric(outcome, "converged"), 0);
  ASSERT_EQ(outcome.result.diagnoses.size(), 1u) << "the second phase converges";
  EXPECT_HOLDS(outcome.result.diagnoses[0].text, "'hasty' has not converged after 1 iterations");
  EXPECT_EQ(outcome.result.exit_code(), holo::ExitCode::done) << "something has converged";
  const std::unique_ptr<holo::Study> study = built(staged);
  KeptOutput output;
  study->step(output);
  const std::unique_ptr<holo::Study> resumed = built(staged);
  resumed->deserialize(study->serialize());
  while (resumed->steps_done() < resumed->total_steps()) resumed->step(output);
  ASSERT_EQ(resumed->diagnoses().size(), 1u) << "a checkpoint keeps the reason";
  EXPECT_EQ(resumed->diagnoses()[0].text, outcome.result.diagnoses[0].text);
}

// A four-bar of changeable lengths whose point shall follow a curve that it cannot follow, with controls held by a large
// weight: the merit function's penalty is large, and what the retraction leaves of thousands of constraints hides its last
// decreases.
const std::string hard_four_bar = R"yaml(name: small
study: robot_design
robot:
  bodies:
    - {name: ground_a, origin: [1, 0, 0]}
    - {name: ground_b, origin: [3, 0, 0]}
    - {name: crank_a, origin: [0, 0.25, 0]}
    - {name: crank_b, origin: [0, 0.75, 0]}
    - {name: coupler_a, origin: [0.746805, 1.45596895, 0]}
    - {name: coupler_b, origin: [2.24041, 2.36790685, 0]}
    - {name: rocker_a, origin: [3.7468, 0.705968951, 0]}
    - {name: rocker_b, origin: [3.24041, 2.11790685, 0]}
  joints:
    - {name: foundation, type: fixed, between: [world, ground_a], point: [1, 0, 0]}
    - {name: ground_length, type: prismatic, between: [ground_a, ground_b], point: [2, 0, 0], axis: [4, 0, 0], role: configurable}
    - {name: crank_length, type: prismatic, between: [crank_a, crank_b], point: [0, 0.5, 0], axis: [0, 1, 0], role: configurable}
    - {name: coupler_length, type: prismatic, between: [coupler_a, coupler_b], point: [1.49360947, 1.9119379, 0], axis: [2.98721895, 1.8238758, 0], role: configurable}
    - {name: rocker_length, type: prismatic, between: [rocker_a, rocker_b], point: [3.49360947, 1.4119379, 0], axis: [-1.01278105, 2.8238758, 0], role: configurable}
    - {name: crank_pivot, type: revolute, between: [ground_a, crank_a], point: [0, 0, 0], axis: [0, 0, 1], role: actuator}
    - {name: crank_pin, type: revolute, between: [crank_b, coupler_a], point: [0, 1, 0], axis: [0, 0, 1]}
    - {name: rocker_pin, type: revolute, between: [coupler_b, rocker_b], point: [2.98721895, 2.8238758, 0], axis: [0, 0, 1]}
    - {name: rocker_pivot, type: revolute, between: [ground_b, rocker_a], point: [4, 0, 0], axis: [0, 0, 1]}
motion: {knots: 41, duration: 2.0}
controls:
  - {control: crank_pivot, from: 0, to: 6.283185307179586}
signals:
  - {name: curve, type: formula, formulas: ["0.6+-0.027+(1+0.663)*cos(2*pi*t/T+1.9+0.175)+0.319*cos(4*pi*t/T)", "2.0+-0.075+(0.9+-0.646)*sin(2*pi*t/T+1.9+-0.355)+0.326*sin(4*pi*t/T)", "0"]
}
objectives:
  - {type: track_position, body: coupler_a, point: [0.4, 0.6, 0], target: curve, weight: [1,1,0]}
  - {type: track_position, body: rocker_b, point: [0,0,0], target: [0,0,0], weight: 0}
  - {type: keep_control, control: all, weight: 1e+3}
  - {type: smooth_control, control: all, weight: 1e-4}
  - {type: keep_design_parameter, design_parameter: all, weight: 1.0e-5}
)yaml";

TEST_F(RobotDesignDiagnosis, RoundingOfManyConstraintsDoesNotLookLikeFailure) {
  write(hard_four_bar);
  const holo::RunOutcome outcome = run("a");
  EXPECT_EQ(metric(outcome, "converged"), 1) << holo::summary(outcome.result);
  EXPECT_LT(metric(outcome, "largest_residual"), 1e-9);
}

// Weights of 0 take an objective, an entry or a knot out of the objective, and out of its error.
TEST_F(RobotDesignDiagnosis, ErrorsAreOfWhatHasAWeight) {
  write(yaml);
  const holo::RunOutcome plain = run("plain");
  const std::string far_away = "  - {type: track_position, body: tool, target: [5, 5, 5], weight: ";
  write(yaml + far_away + "0}\n");
  const holo::RunOutcome unweighted = run("unweighted");
  for (const char* name : {"position_error_mean_initial", "position_error_mean", "position_error_maximum"})
    EXPECT_EQ(metric(unweighted, name), metric(plain, name)) << name;
  // The tool stays in its plane: of a target 5 m above it only the height can be wrong, and that has no weight.
  write(yaml + "  - {type: track_position, body: arm, target: [0, 0, 5], weight: [0, 0, 1.0e-12]}\n");
  EXPECT_NEAR(metric(run("height"), "position_error_maximum"), 5, 1e-9);
  write(replaced(replaced(yaml, "target: path}", "target: path, weight: late}"), "signals: [",
                 "signals: [{name: late, type: formula, formulas: [\"step(t - 0.45)\", \"step(t - 0.45)\", \"0\"]}, "));
  const holo::RunOutcome late = run("late");
  EXPECT_NEAR(metric(late, "position_error_mean_initial"), 0.07, 1e-12);
  const std::string table = file("late", "metrics.csv");
  EXPECT_NE(table.find("nan"), std::string::npos) << "knots without weight have no error";
}

TEST_F(RobotDesignDiagnosis, AStopBeforeTheFirstStepLeavesNothingBehind) {
  write(yaml);
  std::atomic<bool> stop{true};
  EXPECT_THROW(holo::run_experiment({folder_ / "small.yaml", "", {}, folder_ / "a", {{}, 1, {"test"}, &stop}}),
               holo::Interrupted);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a"));
}

TEST_F(RobotDesignDiagnosis, AStopIsHeardWithinAStep) {
  const std::unique_ptr<holo::Study> study = built(yaml);
  std::atomic<bool> stop{true};
  KeptOutput output;
  {
    const holo::InterruptionScope scope(&stop);
    EXPECT_THROW(study->step(output), holo::Interrupted);
    EXPECT_THROW(study->finish(), holo::Interrupted);
  }
  EXPECT_EQ(study->steps_done(), 0);
}

}  // namespace robot_design_diagnosis
}  // namespace holo_test
