// Forces of contact in the frames of elastic bodies.
#include <cmath>

#include "small_runs.h"

namespace {

// A block that slides along x on the ground.
const std::string sliding_block = R"yaml(name: block
study: elastic_dynamics
scene:
  time_step: 0.002
  duration: 0.02
  gravity: [0, 0, -10]
  bodies:
    - name: block
      mesh: {shape: box, size: [0.2, 0.1, 0.1], elements: 24}
      density: 1000
      material: {type: stable_neo_hookean, youngs_modulus: 1.0e6, poissons_ratio: 0.3}
      placement: {translate: [0, 0, 0.0002]}
      initial: {velocity: [2, 0, 0]}
  contact: {friction: {stick_speed: 0.001, lag_updates: 5}}
  obstacles: [{name: ground, type: plane, friction: 0.5}]
solver: {tolerance: 1.0e-12}
output: {frames_per_second: 500}
)yaml";
constexpr double mass = 2, dt = 0.002;

// Keeps rows and frames.
class Frames final : public holo::StudyOutput {
 public:
  void log(const std::string&, const holo::LogFields&) override {}
  void row(const std::vector<double>& values) override { rows.push_back(values); }
  void timings(const std::vector<double>&) override {}
  void frame(const holo::SceneFrame& frame) override { frames.push_back(frame); }
  void table(const std::string&, const std::string&) override {}
  void robot(const std::string&, const std::string&) override {}
  void model(const holo::ParameterModel&) override {}
  std::vector<std::vector<double>> rows;
  std::vector<holo::SceneFrame> frames;
};

class ContactForceFrames : public testing::Test {
 protected:
  void run(const std::string& yaml) {
    study_ = holo_test::built(yaml);
    study_->begin(output_);
    while (study_->steps_done() < study_->total_steps()) ASSERT_FALSE(study_->step(output_).failed);
    ASSERT_EQ(output_.frames.size(), output_.rows.size());
    for (const holo::SceneFrame& frame : output_.frames) ASSERT_EQ(holo::misfit_of(*study_->scene(), frame), "");
  }

  double value(std::size_t row, const std::string& column) const {
    const std::vector<holo::Quantity> columns = study_->columns();
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].name == column) return output_.rows.at(row).at(i);
    throw std::runtime_error("no column " + column);
  }

  std::array<double, 3> total_force(std::size_t frame) const {
    std::array<double, 3> sum = {};
    for (const holo::VertexArrow& arrow : output_.frames[frame].arrows.at(0))
      for (std::size_t k = 0; k < 3; ++k) sum[k] += static_cast<double>(arrow.vector[k]);
    return sum;
  }

  void expect_newtons_law() {
    ASSERT_EQ(study_->scene()->arrows.size(), 1u);
    EXPECT_EQ(study_->scene()->arrows[0].unit, "N");
    double largest = 0;
    for (std::size_t n = 1; n + 1 < output_.rows.size(); ++n) {
      const std::array<double, 3> force = total_force(n + 1);
      largest = std::max(largest, force[2]);
      const auto acceleration = [&](const char* column) {
        return (value(n + 1, column) - 2 * value(n, column) + value(n - 1, column)) / (dt * dt);
      };
      EXPECT_NEAR(force[2], mass * (acceleration("center_of_mass_z") + 10), 1e-3 * (1 + force[2])) << n;
      EXPECT_NEAR(force[0], mass * acceleration("center_of_mass_x"), 1e-3 * (1 + force[2])) << n;
    }
    EXPECT_GT(largest, 10);
  }

  std::unique_ptr<holo::Study> study_;
  Frames output_;
};

// Newton's second law: M (x_{n+1} - 2 x_n + x_{n-1}) / dt^2 = M g + F with the center of mass x. Forces are stored with 24
// bits.
TEST_F(ContactForceFrames, AccelerateTheCenterOfMassTogetherWithGravity) {
  run(sliding_block);
  expect_newtons_law();
}

// The forces are those on the points of the body's own mesh.
TEST_F(ContactForceFrames, AccelerateAffineBodiesToo) {
  run(holo_test::replaced(sliding_block, "      density: 1000\n", "      density: 1000\n      deformation: affine\n"));
  expect_newtons_law();
  for (const holo::VertexArrow& arrow : output_.frames.back().arrows[0]) EXPECT_LT(arrow.vertex, 24u);
}

TEST_F(ContactForceFrames, NormalForcesAreThoseOfTheColumnAndFrictionIsCoulombs) {
  run(sliding_block);
  for (std::size_t n = 1; n < output_.frames.size(); ++n) {
    EXPECT_NEAR(total_force(n)[2], value(n, "normal_force"), 1e-5 * (1 + value(n, "normal_force")));
    EXPECT_EQ(static_cast<double>(output_.frames[n].arrows[0].size()), value(n, "touching_vertices"));
    for (const holo::VertexArrow& arrow : output_.frames[n].arrows[0])
      EXPECT_NEAR(-arrow.vector[0], 0.5f * arrow.vector[2], 1e-4f * arrow.vector[2]) << n;
  }
}

TEST_F(ContactForceFrames, SceneWithoutContactHasNoArrows) {
  run(holo_test::replaced(holo_test::replaced(sliding_block, "  obstacles: [{name: ground, type: plane, friction: 0.5}]\n", ""),
                          "  contact: {friction: {stick_speed: 0.001, lag_updates: 5}}\n", ""));
  EXPECT_TRUE(study_->scene()->arrows.empty());
  for (const holo::SceneFrame& frame : output_.frames) EXPECT_TRUE(frame.arrows.empty());
}

}  // namespace
