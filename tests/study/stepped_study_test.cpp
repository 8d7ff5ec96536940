// Callers that follow a run's steps, and that read and change a study's state between two steps.
#include <atomic>
#include <utility>
#include <vector>

#include "small_runs.h"

namespace {

using namespace holo;
using namespace holo_test;

const std::string falling_box = R"yaml(name: falling
study: elastic_dynamics
scene:
  time_step: 0.01
  duration: 0.05
  gravity: [0, 0, -10]
  bodies:
    - name: box
      mesh: {shape: box, size: [0.2, 0.1, 0.1], elements: 12}
      density: 1000
      material: {type: stvk, youngs_modulus: 1.0e5, poissons_ratio: 0.3}
solver: {type: newton, tolerance: 1.0e-9, max_iterations: 50}
output: {checkpoint_every: 1}
)yaml";

using Steps = std::vector<std::pair<std::int64_t, std::int64_t>>;

class SteppedStudy : public SmallRuns {
 protected:
  RunResult run_with(const std::atomic<bool>* stop, const StepFunction& on_step) {
    write(falling_box);
    RunRequest request{folder_ / "small.yaml", "", {}, folder_ / "run", {{}, 1, {"test"}, stop, false, on_step}};
    return run_experiment(request).result;
  }
};

TEST_F(SteppedStudy, TheCallerIsToldBeforeTheFirstStepAndAfterEach) {
  Steps steps;
  const RunResult result = run_with(nullptr, [&](std::int64_t done, std::int64_t total) { steps.emplace_back(done, total); });
  EXPECT_EQ(result.status, RunStatus::finished);
  EXPECT_EQ(steps, (Steps{{0, 5}, {1, 5}, {2, 5}, {3, 5}, {4, 5}, {5, 5}}));
}

TEST_F(SteppedStudy, ACallerThatStopsARunEndsItAtTheCheckpointFromWhichItIsResumed) {
  std::atomic<bool> stop{false};
  const RunResult result = run_with(&stop, [&](std::int64_t done, std::int64_t) { stop = done == 3; });
  EXPECT_EQ(result.status, RunStatus::interrupted);
  EXPECT_EQ(result.steps, 3);
  Steps steps;
  const RunOptions options{{},      1,     {"test"},
                           nullptr, false, [&](std::int64_t done, std::int64_t total) { steps.emplace_back(done, total); }};
  EXPECT_EQ(resume_run(folder_ / "run", options).result.status, RunStatus::finished);
  EXPECT_EQ(steps, (Steps{{3, 5}, {4, 5}, {5, 5}}));
}

TEST_F(SteppedStudy, TheStateIsReadAndChangedAtOneAddress) {
  const std::unique_ptr<Study> study = built(falling_box);
  KeptOutput output;
  const std::vector<StateArray> arrays = study->state_arrays();
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[0].name, "positions");
  EXPECT_EQ(arrays[1].name, "velocities");
  ASSERT_EQ(arrays[0].shape, arrays[1].shape);
  ASSERT_EQ(arrays[0].shape[1], 3);
  const std::int64_t vertices = arrays[0].shape[0];
  ASSERT_GT(vertices, 8);
  double* const heights = arrays[0].values + 2;
  double* const speeds = arrays[1].values;  // along x
  const double start = heights[0];
  const std::string state = study->serialize();
  for (int step = 1; step <= 2; ++step) {
    ASSERT_FALSE(study->step(output).failed);
    // Implicit Euler in free fall: -g dt^2 (1 + ... + step).
    EXPECT_NEAR(heights[0], start - 10 * 1e-4 * step * (step + 1) / 2, 1e-10);
    EXPECT_EQ(study->state_arrays()[0].values + 2, heights);
  }
  study->deserialize(state);
  EXPECT_EQ(heights[0], start);
  EXPECT_EQ(study->state_arrays()[0].values + 2, heights);
  const double place = arrays[0].values[0];
  for (std::int64_t v = 0; v < vertices; ++v) speeds[3 * v] = 2;
  ASSERT_FALSE(study->step(output).failed);
  EXPECT_NEAR(arrays[0].values[0], place + 2 * 0.01, 1e-10);
}

TEST_F(SteppedStudy, StudiesWithoutSuchArraysOfferNone) {
  EXPECT_TRUE(built(R"yaml(name: curves
study: material_test
stretches: {first: 0.8, last: 1.2, count: 2}
materials: [{name: green, material: {type: stvk, youngs_modulus: 1000, poissons_ratio: 0.25}}]
tests: [uniaxial]
)yaml")
                  ->state_arrays()
                  .empty());
}

}  // namespace
