// What elastic_dynamics checks of each time step, whether surfaces intersect, and its choice of the time integration.
#include <algorithm>
#include <cmath>

#include "small_runs.h"

namespace {

class ElasticDynamicsChecks : public holo_test::SmallRuns {
 protected:
  // Two blocks without contact that fly through each other: they begin 0.1 m apart and end 0.1 m behind each other.
  static std::string passing_blocks() {
    return R"(name: passing
study: elastic_dynamics
scene:
  time_step: 0.05
  duration: 0.4
  gravity: [0, 0, 0]
  bodies:
    - name: left
      mesh: {shape: box, size: [0.1, 0.1, 0.1], elements: 6}
      density: 1000
      material: {type: neo_hookean_paper, youngs_modulus: 1.0e5, poissons_ratio: 0.4}
      initial: {velocity: [1, 0, 0]}
    - name: right
      mesh: {shape: box, size: [0.1, 0.1, 0.1], elements: 48}
      density: 1000
      material: {type: neo_hookean_paper, youngs_modulus: 1.0e5, poissons_ratio: 0.4}
      placement: {translate: [0.2, 0.01, 0.013]}
output: {frames_per_second: 0}
acceptance:
  - {metric: inverted_elements, at_most: 0}
)";
  }
  // A block that lands on the ground and slides on it, with the normal forces of the end of each step.
  static std::string sliding_block() {
    return R"(name: sliding
study: elastic_dynamics
scene:
  time_step: 0.01
  duration: 0.1
  integrator: implicit_euler
  bodies:
    - name: block
      mesh: {shape: box, size: [0.2, 0.1, 0.1], elements: 24}
      density: 1000
      material: {type: neo_hookean_paper, youngs_modulus: 1.0e5, poissons_ratio: 0.4}
      placement: {translate: [0, 0, 0.004]}
      initial: {velocity: [0.8, 0.3, -0.2]}
  contact: {activation_distance: 0.005, friction: {stick_speed: 0.01, lag_updates: 1}}
  obstacles: [{name: ground, type: plane, friction: 0.5}]
output: {frames_per_second: 0}
)";
  }
  // A block that lands on another one and slides on it, so that pairs of their surfaces come into contact and leave it.
  static std::string block_on_a_block() {
    return R"(name: sliding
study: elastic_dynamics
scene:
  time_step: 0.01
  duration: 0.12
  bodies:
    - name: lower
      mesh: {shape: box, size: [0.3, 0.2, 0.1], elements: 36}
      density: 1000
      material: {type: stable_neo_hookean, youngs_modulus: 2.0e5, poissons_ratio: 0.4}
      handles: [{subset: {box: {max: [9, 9, 1.0e-9]}}}]
      friction: 0.3
    - name: upper
      mesh: {shape: box, size: [0.1, 0.1, 0.1], elements: 24}
      density: 1000
      material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.4}
      placement: {translate: [0.083, 0.061, 0.104], rotate: {axis: [0, 0, 1], angle: 0.31}}
      initial: {velocity: [0.4, 0.1, -0.2]}
      friction: 0.3
  contact: {activation_distance: 0.005, friction: {stick_speed: 0.01, lag_updates: 1}}
output: {frames_per_second: 0}
)";
  }
  // A column of the rows that a study wrote.
  static std::vector<double> column_of(const holo::Study& study, const holo_test::KeptOutput& output, const std::string& name) {
    const std::vector<holo::Quantity> columns = study.columns();
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& each) { return each.name == name; });
    if (found == columns.end()) throw std::runtime_error("no column " + name);
    std::vector<double> values;
    for (const std::vector<double>& row : output.rows) values.push_back(row[std::size_t(found - columns.begin())]);
    return values;
  }
  static double metric_of(holo::Study& study, const std::string& name) {
    for (const holo::Metric& metric : study.finish())
      if (metric.name == name) return metric.value;
    throw std::runtime_error("no metric " + name);
  }
};

// After n steps the gap along x is 0.1 - 0.05 n; from -0.2 m on the blocks are behind each other.
TEST_F(ElasticDynamicsChecks, CountIntersectionsOfBodiesWithoutContactAtEachStepAndGoOn) {
  const auto study = holo_test::built(passing_blocks());
  holo_test::KeptOutput output;
  study->begin(output);
  while (study->steps_done() < study->total_steps()) {
    const holo::StepResult result = study->step(output);
    ASSERT_FALSE(result.failed) << result.diagnosis;
  }
  const std::vector<double> intersections = column_of(*study, output, "intersections");
  ASSERT_EQ(intersections.size(), 9u);
  for (const std::size_t n : {0, 1, 7, 8}) EXPECT_EQ(intersections[n], 0) << n;
  for (const std::size_t n : {3, 4, 5}) EXPECT_GT(intersections[n], 0) << n;
  EXPECT_EQ(metric_of(*study, "intersections"), *std::max_element(intersections.begin(), intersections.end()));
}

// The largest count is before the place where the run is taken down.
TEST_F(ElasticDynamicsChecks, ComeToTheSameAfterAResume) { holo_test::expect_resumes_to_the_same(passing_blocks(), 6); }

TEST_F(ElasticDynamicsChecks, IntersectionsDenyAnExperimentThatAllowsNone) {
  write(passing_blocks() + "  - {metric: intersections, at_most: 0}\n");
  EXPECT_FALSE(run("out").result.accepted());
  EXPECT_HOLDS(file("out", "result.json"), "\"intersections\"");
}

// It falls by g t^2/2, and by 3/4 g dt^2 (1 - 3^-n) more after its first step, one of implicit Euler.
TEST_F(ElasticDynamicsChecks, IntegratorIsThatOfTheScene) {
  std::string yaml =
      holo_test::replaced(passing_blocks(), "  gravity: [0, 0, 0]", "  integrator: bdf2\n  gravity: [0, 0, -10]");
  const auto study = holo_test::built(yaml);
  holo_test::KeptOutput output;
  study->begin(output);
  while (study->steps_done() < study->total_steps()) study->step(output);
  const std::vector<double> height = column_of(*study, output, "center_of_mass_z");
  for (std::size_t n = 0; n < height.size(); ++n) {
    const double t = 0.05 * static_cast<double>(n), late = 0.75 * 10 * 0.0025 * (1 - std::pow(3.0, -static_cast<double>(n)));
    EXPECT_NEAR(height[n], height[0] - 5 * t * t - late, 1e-9) << n;
  }
}

// With the step before the place where the run is taken down, or with none.
TEST_F(ElasticDynamicsChecks, ComeToTheSameAfterAResumeOfBdf2) {
  const std::string yaml = holo_test::replaced(passing_blocks(), "  gravity:", "  integrator: bdf2\n  gravity:");
  for (const int steps : {1, 3}) holo_test::expect_resumes_to_the_same(yaml, steps);
}

// The ground presses the block before and after the places where the run is taken down, and its friction takes most of the
// speed.
TEST_F(ElasticDynamicsChecks, ComeToTheSameAfterAResumeWithFriction) {
  for (const char* scheme : {"implicit_euler", "bdf2"}) {
    const std::string yaml = holo_test::replaced(sliding_block(), "implicit_euler", scheme);
    const auto study = holo_test::built(yaml);
    holo_test::KeptOutput output;
    study->begin(output);
    while (study->steps_done() < study->total_steps()) ASSERT_FALSE(study->step(output).failed);
    const std::vector<double> force = column_of(*study, output, "normal_force"),
                              speed = column_of(*study, output, "maximum_speed");
    for (std::size_t n = 1; n < force.size(); ++n) EXPECT_GT(force[n], 0) << n;
    EXPECT_LT(speed.back(), 0.5 * speed.front());
    for (const int steps : {3, 7}) holo_test::expect_resumes_to_the_same(yaml, steps);
  }
}

// The contacts of the steps before must not show in the last digits.
TEST_F(ElasticDynamicsChecks, ComeToTheSameAfterAResumeWithFrictionBetweenBodies) {
  for (const int steps : {3, 6}) holo_test::expect_resumes_to_the_same(block_on_a_block(), steps);
}

// On the ground, and on another body.
TEST_F(ElasticDynamicsChecks, ComeToTheSameAfterAResumeWithBristles) {
  const std::string bristles = "      bristles: {direction: [1, 0.3, 0], forward: 0.5, backward: 1.5}\n      initial:";
  for (const std::string& yaml : {sliding_block(), block_on_a_block()})
    for (const int steps : {3, 6})
      holo_test::expect_resumes_to_the_same(holo_test::replaced(yaml, "      initial:", bristles), steps);
}

using ElasticDynamicsChecksBadInput = ElasticDynamicsChecks;

TEST_F(ElasticDynamicsChecksBadInput, AnUnknownIntegratorIsRefusedWithThoseThatThereAre) {
  const std::string found = refusal(holo_test::replaced(passing_blocks(), "  gravity:", "  integrator: bdf3\n  gravity:"));
  EXPECT_HOLDS(found, "bdf3");
  EXPECT_HOLDS(found, "implicit_euler, bdf2");
}

TEST_F(ElasticDynamicsChecksBadInput, AMisspelledMetricIsRefusedWithTheNameOfTheOneThatIsMeant) {
  const std::string found = refusal(passing_blocks() + "  - {metric: intersection, at_most: 0}\n");
  EXPECT_HOLDS(found, "Did you mean 'intersections'?");
}

}  // namespace
