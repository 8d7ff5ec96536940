// elastic_control: phases and their clock, checkpoints, and what is refused.
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "small_runs.h"

namespace {

// A bar with one muscle, which falls freely: its muscle cannot change the velocity of its center of mass.
const std::string falling_bar = R"yaml(name: bar
study: elastic_control
scene:
  time_step: 0.125
  duration: 0.75
  gravity: [0, 0, -8]
  bodies:
    - name: bar
      mesh: {shape: box, size: [0.4, 0.1, 0.1], elements: 24}
      density: 1000
      material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}
      subsets: {tip: {box: {min: [0.39, -9, -9]}}}
      muscles:
        width: 1
        list: [{name: spine, type: line, points: [{at: [0, 0.05, 0.05]}, {at: [0.4, 0.05, 0.05]}], segments: 2}]
signals:
  - {name: falling, type: formula, quantity: position, formulas: ["0", "0", "-8*t"]}
control: {certificate: false}
phases:
  - name: first
    frames: 2
    losses: [{type: center_of_mass_velocity, body: bar, target: falling}]
  - name: second
    until: 5
    losses: [{type: center_of_mass_velocity, body: bar, target: falling}]
  - name: third
    losses: [{type: track_position, body: bar.tip, target: [0.35, 0.05, 0.05], weight: [100, 0, 0]}]
output: {frames_per_second: 100}
)yaml";

// A bar on the ground whose contact has a thousandth of the stiffness that carries it at a fiftieth of the activation distance:
// stiffness doubles frame by frame until it does.
std::string bar_on_soft_ground() {
  return holo_test::replaced(holo_test::replaced(falling_bar, "      density: 1000\n",
                                                 "      density: 1000\n      placement: {translate: [0, 0, 0.0005]}\n"),
                             "signals:\n", R"yaml(  contact: {activation_distance: 0.001, stiffness: 1000}
  obstacles: [{name: ground, type: plane}]
signals:
)yaml");
}

// A bar that lands on the ground and slides on it. Its muscles are to keep up its speed: they change how it presses.
std::string sliding_bar() {
  return R"yaml(name: sliding
study: elastic_control
scene:
  time_step: 0.02
  duration: 0.1
  bodies:
    - name: bar
      mesh: {shape: box, size: [0.4, 0.1, 0.1], elements: 24}
      density: 1000
      material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}
      placement: {translate: [0, 0, 0.002]}
      initial: {velocity: [0.6, 0.2, 0]}
      muscles:
        width: 0.1
        list:
          - {name: back, type: line, points: [{at: [0, 0.05, 0.08]}, {at: [0.4, 0.05, 0.08]}], segments: 2}
          - {name: belly, type: line, points: [{at: [0, 0.05, 0.02]}, {at: [0.4, 0.05, 0.02]}], segments: 2}
  contact: {activation_distance: 0.004, friction: {stick_speed: 0.02}}
  obstacles: [{name: ground, type: plane, friction: 0.4}]
control: {certificate: false}
losses: [{type: center_of_mass_velocity, body: bar, target: [0.4, 0.1, 0]}]
output: {frames_per_second: 0}
)yaml";
}

// The same on a block that is held below, instead of the ground.
std::string bar_on_a_block() {
  std::string yaml = holo_test::replaced(sliding_bar(), "  obstacles: [{name: ground, type: plane, friction: 0.4}]\n", "");
  yaml = holo_test::replaced(yaml, "placement: {translate: [0, 0, 0.002]}\n      initial: {velocity: [0.6, 0.2, 0]}",
                             "placement: {translate: [0.02, -0.03, 0.004], rotate: {axis: [0, 0, 1], angle: 0.2}}\n"
                             "      initial: {velocity: [1.5, 0.5, 0]}\n      friction: 0.4");
  yaml = holo_test::replaced(yaml, "activation_distance: 0.004", "activation_distance: 0.008");
  yaml = holo_test::replaced(yaml, "duration: 0.1", "duration: 0.06");
  yaml = holo_test::replaced(yaml, "target: [0.4, 0.1, 0]", "target: [1.4, 0.3, 0.05]");
  return holo_test::replaced(yaml, "  bodies:\n", R"yaml(  bodies:
    - name: block
      mesh: {shape: box, size: [0.5, 0.2, 0.1], elements: 60}
      density: 1000
      material: {type: stable_neo_hookean, youngs_modulus: 2.0e5, poissons_ratio: 0.3}
      placement: {translate: [-0.03, -0.07, -0.1]}
      handles: [{subset: {box: {max: [9, 9, -0.099]}}}]
      friction: 0.4
)yaml");
}

class ElasticControlRuns : public holo_test::SmallRuns {
 protected:
  // A column of a run's metrics.csv.
  std::vector<double> control_column(const std::string& run, const std::string& name) {
    std::istringstream lines(file(run, "metrics.csv"));
    std::vector<double> values;
    std::ptrdiff_t place = -1;
    for (std::string line; std::getline(lines, line);) {
      std::vector<std::string> cells;
      std::istringstream of_line(line);
      for (std::string cell; std::getline(of_line, cell, ',');) cells.push_back(cell);
      if (place < 0) {
        place = std::find(cells.begin(), cells.end(), name) - cells.begin();
        EXPECT_LT(place, std::ptrdiff_t(cells.size())) << name;
      } else {
        values.push_back(std::stod(cells.at(std::size_t(place))));
      }
    }
    return values;
  }
};

// In free fall v_n = -8 dt n in the step n; in the second phase, which begins after step 2, the target is -8 dt (n - 2).
TEST_F(ElasticControlRuns, LossesOfAPhaseCountTimeFromItsBeginning) {
  write(falling_bar);
  run("out");
  EXPECT_EQ(control_column("out", "phase"), (std::vector<double>{1, 1, 1, 2, 2, 2, 3}));
  const std::vector<double> first = control_column("out", "first.center_of_mass_velocity.bar_velocity_error"),
                            second = control_column("out", "second.center_of_mass_velocity.bar_velocity_error");
  for (const std::size_t n : {1u, 2u}) {
    EXPECT_NEAR(first[n], 0, 1e-9);
    EXPECT_TRUE(std::isnan(second[n]));
  }
  for (const std::size_t n : {3u, 4u, 5u}) {
    EXPECT_TRUE(std::isnan(first[n]));
    EXPECT_NEAR(second[n], 2, 1e-9);
  }
}

// By BDF2 the momentum falls by m g dt in each step, from the first one on, and m (x - x_n)/dt does not.
TEST_F(ElasticControlRuns, LossesSeeTheVelocityOfTheScheme) {
  write(holo_test::replaced(holo_test::replaced(falling_bar, "  time_step:", "  integrator: bdf2\n  time_step:"),
                            falling_bar.substr(falling_bar.find("phases:")),
                            "losses: [{type: track_linear_momentum_rate, body: bar, target: [0, 0, -32], scale: 10}]\n"));
  run("out");
  const std::vector<double> error = control_column("out", "track_linear_momentum_rate.bar_linear_momentum_rate_error");
  for (std::size_t n = 1; n < 7; ++n) EXPECT_NEAR(error[n], 0, 1e-8) << n;
  EXPECT_EQ(control_column("out", "fallback"), std::vector<double>(7, 0));
}

// The third phase asks the tip to come in by 5 cm: the muscle contracts.
TEST_F(ElasticControlRuns, MusclesFollowTheLossesOfThePhase) {
  write(falling_bar);
  run("out");
  const std::vector<double> front = control_column("out", "activation.spine.1"), loss = control_column("out", "objective");
  EXPECT_NEAR(front[5], 0, 10) << "nothing can be gained before";
  EXPECT_GT(front[6], 1e3);
  EXPECT_LT(loss[6], 0.9 * control_column("out", "start_objective")[6]);
}

// The muscle is to pull the tip in by half of the bar's length, as far as it may compress elements.
TEST_F(ElasticControlRuns, ActivationsCompressNoElementFurtherThanAllowed) {
  const std::string pulled =
      holo_test::replaced(falling_bar, falling_bar.substr(falling_bar.find("phases:")),
                          "losses: [{type: track_position, body: bar.tip, target: [0.2, 0.05, 0.05], weight: [1000, 0, 0]}]\n");
  std::map<double, double> least;  // of an element, over the least that is allowed
  for (const double allowed : {0.05, 0.8}) {
    write(holo_test::replaced(pulled, "control: {", "control: {least_volume: " + std::to_string(allowed) + ", "));
    const std::string out = "out" + std::to_string(allowed);
    run(out);
    const std::vector<double> of_frames = control_column(out, "minimum_determinant");
    least[allowed] = *std::min_element(of_frames.begin(), of_frames.end());
  }
  EXPECT_LT(least.at(0.05), 0.75);
  EXPECT_GT(least.at(0.8), 0.8);
}

// The losses have values in all frames, since rows with NaN equal none. The second phase begins before the cut, and its clock
// is part of the state.
TEST_F(ElasticControlRuns, ResumeToTheSameBits) {
  const std::string bar = holo_test::replaced(falling_bar, falling_bar.substr(falling_bar.find("phases:")), R"yaml(
losses:
  - {type: center_of_mass_velocity, body: bar, target: falling}
  - {type: track_position, body: bar.tip, target: falling, weight: [1, 0, 0]}
phases: [{name: first, frames: 2}, {name: second}]
)yaml");
  holo_test::expect_resumes_to_the_same(bar, 1);
  holo_test::expect_resumes_to_the_same(holo_test::replaced(bar, "certificate: false", "certificate: true"), 4);
  const std::string on_ground = bar_on_soft_ground();
  holo_test::expect_resumes_to_the_same(
      holo_test::replaced(on_ground, on_ground.substr(on_ground.find("phases:")),
                          "losses: [{type: center_of_mass_velocity, body: bar, target: falling}]\n"),
      3);
}

// Each frame has several passes, whose normal forces of friction are those of the pass before; the last ones are no part of the
// state.
TEST_F(ElasticControlRuns, ResumeToTheSameBitsWithFriction) {
  write(sliding_bar());
  run("out");
  const std::vector<double> force = control_column("out", "normal_force"), passes = control_column("out", "passes"),
                            fallback = control_column("out", "fallback");
  for (std::size_t n = 1; n < force.size(); ++n) {
    EXPECT_GT(force[n], 0) << n;
    EXPECT_GT(passes[n], 1) << n;
    EXPECT_EQ(fallback[n], 0) << n;
  }
  for (const int frames : {1, 3}) holo_test::expect_resumes_to_the_same(sliding_bar(), frames);
}

TEST_F(ElasticControlRuns, ResumeToTheSameBitsWithBristles) {
  const std::string yaml = holo_test::replaced(
      sliding_bar(), "      muscles:", "      bristles: {direction: [1, 0.2, 0], forward: 0.5, backward: 1.5}\n      muscles:");
  for (const int frames : {1, 3}) holo_test::expect_resumes_to_the_same(yaml, frames);
}

TEST_F(ElasticControlRuns, ResumeToTheSameBitsWithFrictionBetweenBodies) {
  holo_test::expect_resumes_to_the_same(bar_on_a_block(), 1);
}

TEST_F(ElasticControlRuns, ContactBecomesStifferUntilItKeepsSurfacesApart) {
  write(bar_on_soft_ground());
  run("out");
  const std::vector<double> stiffening = control_column("out", "contact_stiffening"),
                            gap = control_column("out", "smallest_gap");
  ASSERT_EQ(stiffening.size(), 7u);
  EXPECT_EQ(stiffening[0], 1);
  for (std::size_t n = 1; n < stiffening.size(); ++n)
    EXPECT_EQ(stiffening[n], n > 1 && gap[n - 1] < 2e-5 ? 2 * stiffening[n - 1] : stiffening[n - 1]) << n;
  EXPECT_GT(stiffening.back(), 4);
  EXPECT_EQ(control_column("out", "intersections"), std::vector<double>(7, 0));
  EXPECT_EQ(control_column("out", "substeps"), std::vector<double>(7, 1));
  EXPECT_NE(file("out", "result.json").find("\"largest_contact_stiffening\""), std::string::npos);
}

// The bar falls without turning: z_n = -8 dt^2 n (n + 1)/2, and the second phase begins with n = 3.
TEST_F(ElasticControlRuns, AttitudeAndRiseOfTheBodyAreMetricsOfEachPhase) {
  const std::unique_ptr<holo::Study> study = holo_test::built(falling_bar);
  holo_test::KeptOutput output;
  study->begin(output);
  while (study->steps_done() < study->total_steps()) study->step(output);
  std::map<std::string, double> metrics;
  for (const holo::Metric& metric : study->finish()) metrics[metric.name] = metric.value;
  EXPECT_NEAR(metrics.at("second_rise"), -8 * 0.125 * 0.125 * 6, 1e-9);
  EXPECT_NEAR(metrics.at("first_rise"), 0, 1e-12);
  for (const char* name : {"yaw", "tilt", "largest_tilt", "first_yaw", "second_tilt", "third_tilt"})
    EXPECT_NEAR(metrics.at(name), 0, 1e-6) << name;
}

// A cube turns freely about its diagonal by the angle w, more than half a turn: the sum of its turns is w (1, 1, 1)/sqrt(3),
// while the tilt, with cos(tilt) = (1 + 2 cos w)/3, decreases again.
TEST_F(ElasticControlRuns, TurnsAddUpBeyondHalfATurn) {
  std::string cube =
      holo_test::replaced(falling_bar, "size: [0.4, 0.1, 0.1], elements: 24", "size: [0.4, 0.4, 0.4], elements: 48");
  cube = holo_test::replaced(cube, "density: 1000", "density: 1000\n      initial: {angular_velocity: [5, 5, 5]}");
  cube = holo_test::replaced(cube, "time_step: 0.125", "time_step: 0.025");
  const std::unique_ptr<holo::Study> study =
      holo_test::built(holo_test::replaced(cube, "weight: [100, 0, 0]", "weight: [0, 0, 0]"));
  holo_test::KeptOutput output;
  study->begin(output);
  while (study->steps_done() < study->total_steps()) study->step(output);
  std::map<std::string, double> metrics;
  for (const holo::Metric& metric : study->finish()) metrics[metric.name] = metric.value;
  const double angle = std::sqrt(3) * metrics.at("turn_x");
  EXPECT_GT(angle, 3.3);
  EXPECT_NEAR(std::cos(metrics.at("tilt")), (1 + 2 * std::cos(angle)) / 3, 1e-6);
  EXPECT_NEAR(metrics.at("turn_y"), metrics.at("turn_x"), 1e-6);
  EXPECT_NEAR(metrics.at("turn_z"), metrics.at("turn_x"), 1e-6);
}

TEST_F(ElasticControlRuns, BadInputIsRefusedWithItsPlace) {
  struct Case {
    std::string from, to, message;
  };
  const std::string muscles =
      "      muscles:\n        width: 1\n        list: [{name: spine, type: line, points: [{at: [0, 0.05, 0.05]}, {at: [0.4, "
      "0.05, "
      "0.05]}], segments: 2}]\n";
  for (const Case& each :
       {Case{muscles, "", "a control needs muscles, and no body has any"},
        Case{"segments: 2}", "segments: 2, activation: falling}", "'spine' follows a signal"},
        Case{"name: second", "name: first", "there are two phases 'first'"},
        Case{"name: second", "name: \"a, b\"", "other characters than letters, digits, _ and -"},
        Case{"    until: 5\n", "", "the phase 'second' has no end"},
        Case{"name: third\n", "name: third\n    frames: 3\n", "the last phase, 'third', lasts until the scene ends"},
        Case{"until: 5", "until: 2", "'second' ends with frame 2, but begins after frame 2"},
        Case{"until: 5", "until: airborn", "Did you mean 'airborne'?"},
        Case{"until: 5", "until: -5", "it must be the number of a frame, or one of the events"},
        Case{"frames: 2", "frames: 0", "phases.0.frames' must be"},
        Case{"type: track_position", "type: track_positions", "no loss plugin 'track_positions'"},
        Case{"control: {", "control: {method: steepest, ", "'control.method' must be one of"},
        Case{"control: {", "control: {lag_passes: 0, ", "'control.lag_passes' must be"},
        Case{"control: {", "control: {regularization: {magnitude: -1}, ", "'control.regularization.magnitude' must be"},
        Case{falling_bar.substr(falling_bar.find("phases:")), "phases: [{name: alone}]\n", "nothing is to be minimized"}}) {
    const std::string message = refusal(holo_test::replaced(falling_bar, each.from, each.to));
    EXPECT_NE(message.find(each.message), std::string::npos) << each.to << "\n" << message;
    EXPECT_NE(message.find("small.yaml:"), std::string::npos) << message;
  }
}

// Without phases there is one, and its losses are those of the experiment.
TEST_F(ElasticControlRuns, LossesOfAllFramesNeedNoPhases) {
  write(holo_test::replaced(falling_bar, falling_bar.substr(falling_bar.find("phases:")),
                            "losses: [{type: center_of_mass_velocity, body: bar, target: falling}]\n"));
  run("out");
  EXPECT_EQ(control_column("out", "phase"), std::vector<double>(7, 1));
  for (const double error : {control_column("out", "center_of_mass_velocity.bar_velocity_error")[6]})
    EXPECT_NEAR(error, 0, 1e-9);
}

}  // namespace
