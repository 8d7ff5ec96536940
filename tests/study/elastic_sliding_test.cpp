// Sliding and sticking in the tables of elastic dynamics: a block that slides comes to rest, and from then on it sticks.
#include <cmath>

#include "small_runs.h"

namespace {

// A block that slides on the ground with 0.3 m/s and stops after v/(mu g) = 0.06 s.
const std::string stopping_block = R"yaml(name: block
study: elastic_dynamics
scene:
  time_step: 0.002
  duration: 0.12
  gravity: [0, 0, -10]
  bodies:
    - name: block
      mesh: {shape: box, size: [0.2, 0.1, 0.1], elements: 24}
      density: 1000
      material: {type: stvk, youngs_modulus: 1.0e8, poissons_ratio: 0.3}
      deformation: affine
      placement: {translate: [0, 0, 0.0002]}
      initial: {velocity: [0.3, 0, 0]}
  contact: {activation_distance: 0.00025, friction: {stick_speed: 0.001, lag_updates: 5}}
  obstacles: [{name: ground, type: plane, friction: 0.5}]
solver: {tolerance: 1.0e-10}
output: {frames_per_second: 0}
)yaml";

struct Finished {
  holo_test::KeptOutput output;
  std::vector<holo::Quantity> columns;
  std::vector<holo::Metric> metrics;

  explicit Finished(const std::string& yaml) {
    const std::unique_ptr<holo::Study> study = holo_test::built(yaml);
    columns = study->columns();
    study->begin(output);
    while (study->steps_done() < study->total_steps())
      if (study->step(output).failed) throw std::runtime_error("a step failed");
    metrics = study->finish();
  }
  double metric(const std::string& name) const {
    for (const holo::Metric& each : metrics)
      if (each.name == name) return each.value;
    throw std::runtime_error("no metric " + name);
  }
  double value(std::size_t row, const std::string& column) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].name == column) return output.rows.at(row).at(i);
    throw std::runtime_error("no column " + column);
  }
};

TEST(ElasticSliding, ABlockThatComesToRestSticksFromThenOn) {
  const Finished block(stopping_block);
  EXPECT_EQ(block.value(0, "sliding_speed"), 0);
  // Of a rigid block that settles on the barrier: its normal force, and so its friction, swings around the weight.
  EXPECT_NEAR(block.value(10, "sliding_speed"), 0.3 - 5 * 0.02, 0.02);
  const double time = block.metric("sticking_time");
  EXPECT_NEAR(time, 0.12 - 0.06, 0.006);
  EXPECT_LT(block.metric("sticking_drift"), 0.001 * time);
  double drift = 0, duration = 0;
  for (std::size_t row = block.output.rows.size() - 1; block.value(row, "sliding_speed") <= 0.001; --row) {
    drift += 0.002 * block.value(row, "sliding_speed");
    duration += 0.002;
  }
  EXPECT_NEAR(time, duration, 1e-12);
  EXPECT_NEAR(block.metric("sticking_drift"), drift, 1e-15);
  EXPECT_EQ(block.metric("touching_vertices"), block.value(60, "touching_vertices"));
  EXPECT_GT(block.metric("touching_vertices"), 0);
}

TEST(ElasticSliding, ABlockThatStillSlidesHasNoStickingTime) {
  const Finished block(holo_test::replaced(stopping_block, "duration: 0.12", "duration: 0.03"));
  EXPECT_EQ(block.metric("sticking_time"), 0);
  EXPECT_EQ(block.metric("sticking_drift"), 0);
}

TEST(ElasticSliding, IsResumedWhileTheBlockSticks) { holo_test::expect_resumes_to_the_same(stopping_block, 50); }

TEST(ElasticSliding, SceneWithoutContactHasNeitherColumnNorMetrics) {
  const Finished block(holo_test::replaced(
      holo_test::replaced(stopping_block, "  obstacles: [{name: ground, type: plane, friction: 0.5}]\n", ""),
      "  contact: {activation_distance: 0.00025, friction: {stick_speed: 0.001, lag_updates: 5}}\n", ""));
  EXPECT_THROW(block.value(0, "sliding_speed"), std::runtime_error);
  EXPECT_THROW(block.metric("sticking_time"), std::runtime_error);
}

}  // namespace
