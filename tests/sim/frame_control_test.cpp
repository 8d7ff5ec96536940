// The activations of one frame: warm start, passes over normal forces, what happens where none are found.
#include "holo/sim/control/frame_control.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "controlled_block.h"
#include "holo/sim/control/controlled_segments.h"
#include "holo/sim/control/derivative_certificate.h"

namespace holo::test {
namespace {

class ControlledFrames : public testing::Test {
 protected:
  ControlledFrames() : scene(controlled_block()), integrator(scene), state(settled_block(scene)) {}

  FrameResult solve(StepLoss& loss, const FrameControlOptions& options, InverseStepOptions step = {}) {
    step.unit = block_shear_modulus;
    inverse_step = std::make_unique<InverseStep>(integrator, loss, step);
    FrameControl control(*inverse_step, options);
    return control.solve(state, rest);
  }
  static FrameControlOptions options() {
    FrameControlOptions result;
    result.minimization.tolerance = 1e-5;
    result.minimization.max_halvings = 12;
    return result;
  }

  ElasticScene scene;
  ImplicitEuler integrator;
  ElasticState state;
  Eigen::VectorXd rest = Eigen::VectorXd::Zero(12);
  std::unique_ptr<InverseStep> inverse_step;
};

TEST_F(ControlledFrames, GiveTheCenterOfMassItsVelocity) {
  BlockVelocityLoss loss(scene, {0.1, 0, 0.4});
  loss.begin(state);
  const FrameResult frame = solve(loss, options());
  EXPECT_EQ(frame.status, FrameStatus::solved) << frame.diagnosis;
  EXPECT_TRUE(frame.converged) << frame.diagnosis;
  EXPECT_LT((loss.velocity(inverse_step->x()) - Eigen::Vector3d(0.1, 0, 0.4)).norm(), 0.01);
  EXPECT_LT(frame.value, 0.1 * frame.start_value);
}

TEST_F(ControlledFrames, RepeatWithTheNormalForcesOfTheirEndUntilTheseStay) {
  BlockVelocityLoss loss(scene, {0.1, 0, 0.4});
  loss.begin(state);
  FrameControlOptions one = options(), several = options();
  one.lag_passes = 1;
  several.lag_passes = 8;
  const double change_of_one = solve(loss, one).lag_change;
  const FrameResult frame = solve(loss, several);
  EXPECT_GT(change_of_one, several.lag_tolerance);
  EXPECT_LE(frame.lag_change, several.lag_tolerance);
  EXPECT_GT(frame.passes, 1);
  EXPECT_LT(frame.passes, 8);
  EXPECT_EQ(frame.lag_positions.size(), state.positions.size());
}

TEST_F(ControlledFrames, BeginWithTheWarmStartOnce) {
  BlockVelocityLoss loss(scene, {0.1, 0, 0.4});
  loss.begin(state);
  FrameControlOptions warm = options();
  warm.warm_start = 2;
  const FrameResult frame = solve(loss, warm);
  int steps = 0;
  for (std::size_t i = 0; i < frame.iterations.size(); ++i) {
    if (!frame.iterations[i].is_warm_start) continue;
    EXPECT_EQ(frame.iterations[i].pass, 0);
    EXPECT_EQ(i, std::size_t(steps));
    ++steps;
  }
  EXPECT_EQ(steps, 3) << "two iterations, and the one that sees the limit";
}

TEST_F(ControlledFrames, KeepActivationsWithinTheirBounds) {
  BlockVelocityLoss loss(scene, {0, 0, 3});
  loss.begin(state);
  FrameControlOptions bounded = options();
  bounded.bounds = {Eigen::VectorXd::Constant(12, -0.25), Eigen::VectorXd::Constant(12, 0.5)};
  solve(loss, bounded);
  const Eigen::VectorXd u = inverse_step->activations() / block_shear_modulus;
  EXPECT_GE(u.minCoeff(), -0.25);
  EXPECT_LE(u.maxCoeff(), 0.5);
  EXPECT_NEAR(u.cwiseAbs().maxCoeff(), 0.25, 0.26) << "a bound is reached";
}

// The same frame gives the same bits, whatever was solved in between.
TEST_F(ControlledFrames, DependOnTheirArgumentsAlone) {
  BlockVelocityLoss loss(scene, {0.1, 0, 0.4});
  loss.begin(state);
  InverseStep step(integrator, loss, {.unit = block_shear_modulus});
  FrameControl control(step, options());
  control.solve(state, rest);
  const Eigen::VectorXd first = step.activations(), x = step.x();
  control.solve(state, Eigen::VectorXd::Constant(12, 0.3 * block_shear_modulus));
  control.solve(state, rest);
  EXPECT_EQ(first, step.activations());
  EXPECT_EQ(x, step.x());
}

// The loss of a block that ends with values after so many of them.
class EndingLoss final : public BlockVelocityLoss {
 public:
  using BlockVelocityLoss::BlockVelocityLoss;
  double value(const Eigen::VectorXd& x) override {
    return ++count_ <= most ? BlockVelocityLoss::value(x) : std::numeric_limits<double>::infinity();
  }
  int count() const { return count_; }
  int most = std::numeric_limits<int>::max();

 private:
  int count_ = 0;
};

// The normal forces of a pass's end can make the next pass impossible. What the pass found is kept.
TEST_F(ControlledFrames, KeepThePassBeforeWhereTheNextOneCannotBegin) {
  EndingLoss loss(scene, {0.1, 0, 0.4});
  loss.begin(state);
  FrameControlOptions one = options(), several = options();
  one.lag_passes = 1;
  const FrameResult first = solve(loss, one);
  EndingLoss ending(scene, {0.1, 0, 0.4});
  ending.begin(state);
  ending.most = loss.count();
  const FrameResult frame = solve(ending, several);
  EXPECT_GT(ending.count(), ending.most) << "a second pass was tried";
  EXPECT_EQ(frame.status, FrameStatus::solved) << frame.diagnosis;
  EXPECT_FALSE(frame.converged);
  EXPECT_FALSE(frame.diagnosis.empty());
  EXPECT_EQ(frame.passes, 1);
  EXPECT_EQ(frame.activations, first.activations);
  EXPECT_EQ(frame.end.positions, first.end.positions);
}

// A loss without values.
class NoLoss final : public StepLoss {
 public:
  double value(const Eigen::VectorXd&) override { return std::numeric_limits<double>::infinity(); }
  void add_gradient(const Eigen::VectorXd&, Eigen::VectorXd&) override {}
  void add_hessian_products(const Eigen::VectorXd&, const Eigen::MatrixXd&, bool, Eigen::MatrixXd&) override {}
};

TEST_F(ControlledFrames, FallBackToTheActivationsOfTheFrameBefore) {
  NoLoss loss;
  rest.setConstant(0.1 * block_shear_modulus);
  const FrameResult frame = solve(loss, options());
  EXPECT_EQ(frame.status, FrameStatus::fallback);
  EXPECT_FALSE(frame.converged);
  EXPECT_NE(frame.diagnosis.find("no start"), std::string::npos) << frame.diagnosis;
  EXPECT_LT((inverse_step->activations() - rest).norm(), 1e-12 * rest.norm());
  Eigen::VectorXd gradient;
  SparseMatrix hessian;
  integrator.potential().derivatives(inverse_step->x(), Curvature::exact, gradient, hessian);
  EXPECT_LT(gradient.lpNorm<Eigen::Infinity>(), 1e-6) << "the step is a step with them";
}

// The end of a frame may be refused by the caller; then what comes next is tried.
TEST_F(ControlledFrames, WhoseEndIsRefusedKeepTheActivationsOfTheFrameBefore) {
  BlockVelocityLoss loss(scene, {0.1, 0, 0.4});
  loss.begin(state);
  int asked = 0;
  FrameControlOptions strict = options();
  strict.objection = [&](const Eigen::VectorXd&, double) { return ++asked == 1 ? "too fast" : ""; };
  rest.setConstant(0.1 * block_shear_modulus);
  const FrameResult frame = solve(loss, strict);
  EXPECT_EQ(frame.status, FrameStatus::fallback);
  EXPECT_NE(frame.diagnosis.find("refused: too fast"), std::string::npos) << frame.diagnosis;
  EXPECT_EQ(frame.substeps, 1);
  EXPECT_EQ(frame.activations, rest);
  EXPECT_EQ(frame.end.positions, inverse_step->x());
  EXPECT_EQ(frame.end.step, state.step + 1);
}

// Ends of the whole step are refused: the frame is that of a simulation with half the time step and constant activations.
TEST_F(ControlledFrames, TakeSubstepsWhereTheWholeStepIsRefused) {
  BlockVelocityLoss loss(scene, {0.1, 0, 0.4});
  loss.begin(state);
  int asked = 0;
  FrameControlOptions strict = options();
  strict.objection = [&](const Eigen::VectorXd&, double) { return ++asked <= 3 ? "too fast" : ""; };
  rest.setConstant(0.1 * block_shear_modulus);
  const FrameResult frame = solve(loss, strict);
  EXPECT_EQ(frame.status, FrameStatus::fallback) << frame.diagnosis;
  EXPECT_EQ(frame.substeps, 2);
  EXPECT_EQ(frame.activations, rest);
  EXPECT_EQ(frame.end.step, state.step + 1);
  EXPECT_EQ(frame.end.time, scene.integration.time_at(state.step + 1));

  const ElasticScene halves = controlled_block(0.1 * block_shear_modulus, scene.integration.time_step / 2);
  ImplicitEuler simulation(halves, {.tolerance = 1e-12});
  ElasticState expected = state;
  expected.step *= 2;
  for (int i = 0; i < 2; ++i) ASSERT_EQ(simulation.step(expected).newton.status, NewtonStatus::converged);
  EXPECT_LT((frame.end.positions - expected.positions).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LT((frame.end.velocities - expected.velocities).lpNorm<Eigen::Infinity>(), 1e-7);
}

TEST_F(ControlledFrames, FailWithTheirReasonWhereEveryEndIsRefused) {
  BlockVelocityLoss loss(scene, {0.1, 0, 0.4});
  loss.begin(state);
  FrameControlOptions strict = options();
  strict.objection = [](const Eigen::VectorXd&, double) { return "too fast"; };
  const FrameResult frame = solve(loss, strict);
  EXPECT_EQ(frame.status, FrameStatus::failed);
  EXPECT_NE(frame.diagnosis.find("too fast"), std::string::npos) << frame.diagnosis;
  EXPECT_NE(frame.diagnosis.find("in 8 substeps"), std::string::npos) << frame.diagnosis;
}

// The block's points move through a plane to their mirror images in one step: the inertia's minimum is turned inside out, and
// no frame may end there.
TEST_F(ControlledFrames, NeverEndWithInvertedElements) {
  BlockVelocityLoss loss(scene, {0, 0, 0});
  const double center = center_of_mass(*scene.model, state)[0];
  for (int v = 0; v < scene.model->vertex_count(); ++v)
    state.velocities[3 * v] = -2 * (state.positions[3 * v] - center) / scene.integration.time_step;
  loss.begin(state);
  const FrameResult frame = solve(loss, options());
  EXPECT_GT(inverse_step->counts().restarts, 0);
  if (frame.status == FrameStatus::failed)
    EXPECT_FALSE(frame.diagnosis.empty());
  else
    EXPECT_EQ(determinants(*scene.model, frame.end.positions).inverted_elements, 0);
}

TEST_F(ControlledFrames, RefuseActivationsThatCrushElements) {
  BlockVelocityLoss loss(scene, {0, 0, -4});
  loss.begin(state);
  InverseStepOptions step;
  solve(loss, options(), step);
  EXPECT_LT(determinants(*scene.model, inverse_step->x()).minimum, 0.975);
  step.least_determinant = 0.98;
  solve(loss, options(), step);
  EXPECT_GT(inverse_step->counts().crushed_points, 0);
  // The last update of normal forces moves elements a little, unseen by the minimization.
  EXPECT_GT(determinants(*scene.model, inverse_step->x()).minimum, 0.975);
}

// The frame before had activations that crush elements now: it begins with smaller ones.
TEST_F(ControlledFrames, BeginWithSmallerActivationsWhereThoseOfTheFrameBeforeAreRefused) {
  BlockVelocityLoss loss(scene, {0, 0, 0});
  loss.begin(state);
  rest.setConstant(3 * block_shear_modulus);
  InverseStepOptions step;
  solve(loss, options(), step);
  step.least_determinant = 0.95;
  const FrameResult frame = solve(loss, options(), step);
  EXPECT_GT(inverse_step->counts().crushed_points, 0);
  EXPECT_EQ(frame.status, FrameStatus::solved) << frame.diagnosis;
  EXPECT_LT(inverse_step->activations().lpNorm<Eigen::Infinity>(), 2 * block_shear_modulus);
}

TEST_F(ControlledFrames, RefuseActivationsThatLeaveTheirBranch) {
  BlockVelocityLoss loss(scene, {0, 0, 0.4});
  loss.begin(state);
  InverseStepOptions step;
  step.largest_jump = 2e-3;
  solve(loss, options(), step);
  EXPECT_GT(inverse_step->counts().branch_jumps, 0);
  solve(loss, options());
  EXPECT_EQ(inverse_step->counts().branch_jumps, 0);
}

TEST_F(ControlledFrames, LaggedForcesChangeOnce) {
  BlockVelocityLoss loss(scene, {0.1, 0, 0.4});
  loss.begin(state);
  solve(loss, options());
  const Eigen::VectorXd x = inverse_step->x();
  EXPECT_TRUE(inverse_step->begin(state, rest));
  ASSERT_TRUE(inverse_step->update_lag(x));
  EXPECT_GT(inverse_step->lag_change(), 0);
  EXPECT_TRUE(inverse_step->update_lag(x));
  EXPECT_EQ(inverse_step->lag_change(), 0);
}

class Certificates : public ControlledFrames {
 protected:
  DerivativeCertificate certificate_of(BlockVelocityLoss& loss) {
    loss.begin(state);
    const FrameResult frame = solve(loss, options());
    return certify_derivatives(scene, loss, {state, inverse_step->activations(), frame.lag_positions}, block_shear_modulus);
  }
};

TEST_F(Certificates, ConfirmExactDerivatives) {
  BlockVelocityLoss loss(scene, {0, 0, 0.4});
  const DerivativeCertificate certificate = certificate_of(loss);
  EXPECT_LT(certificate.gradient, 1e-8);
  EXPECT_LT(certificate.hessian, 1e-8);
}

TEST_F(Certificates, SeeErrorsOfAPerMille) {
  BlockVelocityLoss loss(scene, {0, 0, 0.4});
  certificate_of(loss);
  const ControlledFrame frame{state, inverse_step->activations(), {}};
  loss.gradient_factor = 1.001;
  EXPECT_GT(certify_derivatives(scene, loss, frame, block_shear_modulus).gradient, 1e-4);
  loss.gradient_factor = 1;
  loss.hessian_factor = 1.001;
  const DerivativeCertificate certificate = certify_derivatives(scene, loss, frame, block_shear_modulus);
  EXPECT_LT(certificate.gradient, 1e-8);
  EXPECT_GT(certificate.hessian, 1e-4);
}

TEST(ControlledSegments, HaveTheLimitsOfTheirBody) {
  const ElasticScene scene = controlled_block();
  const std::vector<ControlledSegment> segments = controlled_segments(*scene.model);
  ASSERT_EQ(segments.size(), 12u);
  EXPECT_NEAR(activation_unit(segments), block_shear_modulus, 1e-3);
  const DenseBounds bounds = activation_bounds(segments, activation_unit(segments));
  EXPECT_NEAR(bounds.upper.minCoeff(), 3, 1e-6);
  EXPECT_NEAR(bounds.lower.maxCoeff(), -3, 1e-6);
  for (const ControlledSegment& each : segments) EXPECT_EQ(each.name, each.segment->name);
}

}  // namespace
}  // namespace holo::test
