// The study articulated_dynamics: motions by closed forms, momenta, contact, controls, resuming, drawing and messages.
#include <algorithm>
#include <cmath>

#include "holo/study/frames_file.h"
#include "small_runs.h"

namespace holo_test {
namespace articulated_dynamics {

using namespace holo;

// A motion of `steps` steps of the scene's other lines, and what stands below the scene.
std::string motion(const std::string& scene, double time_step, int steps, const std::string& below = "") {
  return "name: small\nstudy: articulated_dynamics\nscene:\n  time_step: " + std::to_string(time_step) +
         "\n  duration: " + std::to_string(time_step * steps) + "\n" + scene + below + "output: {frames_per_second: 0}\n";
}

const std::string thrown_chain =
    "  inertia: mid\n  character:\n    type: chain5\n    pose: {base_z: 0.9, pitch_1: 0.4}\n"
    "    velocity: {base_x: 1, base_z: 1, base_rotation_x: 6, base_rotation_z: 4, yaw_2: -3, pitch_3: 2}\n"
    "  obstacles: [{name: floor, type: plane}]\n";

class ArticulatedDynamics : public SmallRuns {
 protected:
  static void complete(Study& study, KeptOutput& output) {
    study.begin(output);
    while (study.steps_done() < study.total_steps()) {
      const StepResult result = study.step(output);
      ASSERT_FALSE(result.failed) << result.diagnosis;
    }
  }
  static double metric(Study& study, const std::string& name) {
    for (const Metric& each : study.finish())
      if (each.name == name) return each.value;
    throw std::runtime_error("no metric " + name);
  }
  static std::vector<double> column(const Study& study, const KeptOutput& output, const std::string& name) {
    const std::vector<Quantity> columns = study.columns();
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Quantity& each) { return each.name == name; });
    if (found == columns.end()) throw std::runtime_error("no column " + name);
    std::vector<double> values;
    for (const std::vector<double>& row : output.rows) values.push_back(row[std::size_t(found - columns.begin())]);
    return values;
  }
  // A slide of 2 kg along x with a motor.
  std::string slide() {
    const std::string path = (folder_ / "slide.xml").string();
    std::ofstream(path) << "<mujoco><worldbody><body name='cart'><joint name='rail' type='slide' axis='1 0 0'/>"
                           "<geom type='sphere' size='0.1' mass='2'/></body></worldbody>"
                           "<actuator><motor joint='rail'/></actuator></mujoco>";
    return "  gravity: [0, 0, 0]\n  character: {file: " + path + "}\n";
  }
};

class ArticulatedDynamicsBadInput : public ArticulatedDynamics {};

TEST_F(ArticulatedDynamics, ConservesMomentaBeforeTheFirstContact) {
  for (const bool is_mid : {true, false}) {
    const std::string scene = is_mid ? thrown_chain : replaced(thrown_chain, "inertia: mid", "inertia: end");
    const auto study = built(motion(scene, 0.005, 140, "solver: {tolerance: 1.0e-11}\n"));
    KeptOutput output;
    complete(*study, output);
    EXPECT_GT(metric(*study, "flight_steps"), 10);
    EXPECT_GT(metric(*study, "first_contact"), 0.1);
    EXPECT_LT(metric(*study, "momentum_drift"), 1e-12);
    if (is_mid)
      EXPECT_LT(metric(*study, "angular_momentum_drift"), 1e-12);
    else
      EXPECT_GT(metric(*study, "angular_momentum_drift"), 1e-4);
  }
}

// The momenta after the first contact are no drift: here they change by far more.
TEST_F(ArticulatedDynamics, CountDriftOnlyUntilTheFirstContact) {
  const auto study = built(motion(thrown_chain, 0.005, 140));
  KeptOutput output;
  complete(*study, output);
  const std::vector<double> contacts = column(*study, output, "contacts"), times = column(*study, output, "time");
  const auto first = std::find_if(contacts.begin(), contacts.end(), [](double count) { return count > 0; });
  ASSERT_NE(first, contacts.end());
  EXPECT_EQ(metric(*study, "first_contact"), times[std::size_t(first - contacts.begin())]);
  EXPECT_EQ(metric(*study, "flight_steps"), double(first - contacts.begin() - 1));
}

// A constant force F moves the mass m from rest by F/m dt^2 i (i + 1)/2 in i steps.
TEST_F(ArticulatedDynamics, MovesASlideAsItsForceSays) {
  const auto study = built(motion(slide(), 0.01, 50, "controls: [{joint: rail, torque: 3}]\n"));
  KeptOutput output;
  complete(*study, output);
  const std::vector<double> x = column(*study, output, "coordinate.rail"), force = column(*study, output, "torque.rail");
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(x[i], 1.5 * 1e-4 * double(i * (i + 1)) / 2, 1e-12);
    EXPECT_EQ(force[i], 3);
  }
}

// The value of a step is the signal's at its end.
TEST_F(ArticulatedDynamics, TakesForcesFromSignals) {
  const auto study = built(motion(slide(), 0.01, 50,
                                  "signals: [{name: push, type: formula, quantity: number, formula: \"4*t\"}]\n"
                                  "controls: [{joint: rail, torque: push}]\n"));
  KeptOutput output;
  complete(*study, output);
  const std::vector<double> x = column(*study, output, "coordinate.rail");
  double expected = 0, velocity = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    velocity += 0.01 * (4 * 0.01 * double(i)) / 2;
    expected += 0.01 * velocity;
    EXPECT_NEAR(x[i], expected, 1e-12);
  }
}

// At rest K (target - q) is the weight's torque m g L/2 sin q about the hinge.
TEST_F(ArticulatedDynamics, FollowsATargetUpToTheLoad) {
  const auto study = built(motion("  character: {type: pendulum1, pose: {hinge_1: 0.2}}\n", 0.01, 500,
                                  "controls: [{joint: hinge_1, target: 0.7, stiffness: 20, damping: 5}]\n"));
  KeptOutput output;
  complete(*study, output);
  const double q = column(*study, output, "coordinate.hinge_1").back();
  EXPECT_GT(q, 0.4);
  EXPECT_NEAR(20 * (0.7 - q), 9.81 * 0.5 * std::sin(q), 1e-6);
  EXPECT_NEAR(column(*study, output, "torque.hinge_1").back(), 9.81 * 0.5 * std::sin(q), 1e-6);
  EXPECT_EQ(column(*study, output, "spring_energy").back(), 0);  // the target's spring is none of the character's
}

// The implicit spring and damper settle in steps that are long for their stiffness; a ramp is followed without a lag of the
// damper.
TEST_F(ArticulatedDynamics, FollowsStiffTargetsInLongSteps) {
  const std::string ramp = "signals: [{name: ramp, type: formula, quantity: number, formula: \"0.3 + t\"}]\n";
  for (const char* target : {"0.3", "ramp"}) {
    const auto study = built(motion(
        slide(), 0.05, 400, ramp + "controls: [{joint: rail, target: " + target + ", stiffness: 1.0e5, damping: 1.0e3}]\n"));
    KeptOutput output;
    complete(*study, output);
    const double end = target == std::string("ramp") ? 0.3 + 0.05 * 400 : 0.3;
    EXPECT_NEAR(column(*study, output, "coordinate.rail").back(), end, 1e-6) << target;
  }
}

TEST_F(ArticulatedDynamics, StandsAsDeepAsItsContactSays) {
  const std::string block =
      "  character: {type: block2, pose: {base_z: 0.15}}\n  obstacles: [{name: floor, type: plane}]\n"
      "  contact: {penetration: 0.01}\n";
  const auto study = built(motion(block, 0.01, 400));
  KeptOutput output;
  complete(*study, output);
  EXPECT_NEAR(metric(*study, "final_penetration_factor"), 1, 1e-4);
  EXPECT_NEAR(metric(*study, "normal_force"), 9.81, 1e-3);
  EXPECT_NEAR(metric(*study, "center_of_mass_z"), 0.12 - 0.01, 1e-5);
  EXPECT_GT(metric(*study, "penetration_factor"), 1.5);
  // It fell 3 cm onto one point: the energy of the fall bounds the depth.
  EXPECT_LT(metric(*study, "penetration_factor"), std::cbrt(3 * (0.03 + 0.04) / 0.01));
}

// The run begins anew in flight, and in contact after reference rotations have moved.
TEST_F(ArticulatedDynamics, ComesToTheSameAfterAResume) {
  const std::string controls =
      "signals: [{name: wave, type: formula, quantity: number, formula: \"sin(9*t)\"}]\n"
      "controls: [{joint: pitch_2, torque: wave}, {joint: yaw_1, target: wave, stiffness: 30, damping: 2}]\n";
  const std::string yaml = motion(thrown_chain, 0.005, 140, controls);
  expect_resumes_to_the_same(yaml, 5);
  expect_resumes_to_the_same(yaml, 120);
  // A base's rotation vector is set to 0 where it has become long: here it jumps.
  const auto study = built(yaml);
  KeptOutput output;
  complete(*study, output);
  const std::vector<double> x = column(*study, output, "coordinate.base_rotation_x");
  double jump = 0;
  for (std::size_t i = 1; i < x.size(); ++i) jump = std::max(jump, std::abs(x[i] - x[i - 1]));
  EXPECT_GT(jump, 0.8);
}

TEST_F(ArticulatedDynamics, WritesTheSameForAnyNumberOfThreads) {
  write(replaced(motion(thrown_chain, 0.005, 140), "output: {frames_per_second: 0}\n", ""));
  for (const int threads : {1, 3})
    run_experiment({folder_ / "small.yaml", "", {}, folder_ / std::to_string(threads), {{}, threads, {"test"}, nullptr}});
  for (const char* name : {"metrics.csv", "frames.bin"}) {
    EXPECT_GT(file("1", name).size(), 1000u);
    EXPECT_TRUE(file("1", name) == file("3", name)) << name;
  }
}

TEST_F(ArticulatedDynamics, SaysWhichStepFailsAndWhy) {
  const auto study = built(motion(thrown_chain, 0.005, 140, "solver: {max_iterations: 1}\n"));
  KeptOutput output;
  StepResult result;
  while (!result.failed && study->steps_done() < study->total_steps()) result = study->step(output);
  ASSERT_TRUE(result.failed);
  const std::string step = "step " + std::to_string(study->steps_done() + 1) + " (time ";
  EXPECT_HOLDS(result.diagnosis, step);
  EXPECT_HOLDS(result.diagnosis, "did not converge in 1 iterations: the residual of '");
  EXPECT_HOLDS(result.diagnosis, "Before the step nothing is touched.");
}

TEST_F(ArticulatedDynamicsBadInput, NamesControlsThatCannotBe) {
  const auto controls = [&](const std::string& list, const std::string& character = "{type: mammal18}") {
    return refusal(motion("  character: " + character + "\n", 0.01, 2,
                          "signals:\n  - {name: place, type: formula, quantity: position, formulas: [\"0\", \"0\", \"0\"]}\n"
                          "controls: [" +
                              list + "]\n"));
  };
  EXPECT_HOLDS(controls("{joint: front_left_kne, torque: 1}"), "front_left_knee");
  EXPECT_HOLDS(controls("{joint: base_x, torque: 1}"), "base_x");
  EXPECT_HOLDS(controls("{joint: front_left_knee, torque: plce}"), "no signal 'plce'. Did you mean 'place'?");
  EXPECT_HOLDS(controls("{joint: front_left_knee, torque: place}"),
               "the signal 'place' has 3 numbers; 1 is needed, a signal of `quantity: number`");
  EXPECT_HOLDS(controls("{joint: front_left_knee}"), "target");
  EXPECT_HOLDS(controls("{joint: front_left_knee, torque: 1}, {joint: front_left_knee, torque: 2}"),
               "the joint 'front_left_knee' has two controls; give it one");
  EXPECT_HOLDS(controls("{joint: front_left_knee, target: 1}"), "stiffness");
  const std::string path = (folder_ / "ball.xml").string();
  std::ofstream(path) << "<mujoco><worldbody><body><joint name='hip' type='ball'/><geom type='sphere' size='0.1'/></body>"
                         "</worldbody></mujoco>";
  EXPECT_HOLDS(controls("{joint: hip_x, target: 1, stiffness: 1}", "{file: " + path + "}"),
               "the joint 'hip_x' is a coordinate of a rotation vector and cannot follow a target; hinges and slides can");
}

TEST_F(ArticulatedDynamicsBadInput, NamesUnknownMetricsAndKeys) {
  EXPECT_HOLDS(
      refusal(motion("  character: {type: block2}\n", 0.01, 2, "acceptance: [{metric: momentum_drfit, at_most: 1}]\n")),
      "momentum_drift");
  EXPECT_HOLDS(refusal(motion("  character: {type: block2}\n  obstacls: []\n", 0.01, 2)), "obstacles");
}

}  // namespace articulated_dynamics
}  // namespace holo_test
