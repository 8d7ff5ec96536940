// Neural networks: values and derivatives against complex steps, losses of motions, and fits.
#include "holo/opt/network/neural_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "allocation_count.h"
#include "error_message.h"
#include "holo/core/error.h"
#include "holo/opt/network/network_losses.h"
#include "holo/opt/trajectory/lbfgs.h"
#include "network_cases.h"

namespace holo {
namespace neural_network_tests {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::ComplexNumber;
using test::ComplexVector;
using test::random_numbers;

const NetworkShape small{{3, 5, 4, 3}};
// Of a character with 18 degrees of freedom.
const NetworkShape large{{36, 128, 128, 128, 36}};

// Weights for which units are neither linear nor saturated.
VectorXd some_weights(const NetworkShape& shape) { return random_numbers(shape.weight_count(), 1, 0.3, 3); }

TEST(NeuralNetwork, HasAsManyWeightsAsItsLayers) {
  EXPECT_EQ(small.weight_count(), 3 * 5 + 5 + 5 * 4 + 4 + 4 * 3 + 3);
  EXPECT_EQ(large.weight_count(), 36 * 128 + 128 + 2 * (128 * 128 + 128) + 128 * 36 + 36);
}

TEST(NeuralNetwork, SoftplusIsAccurateForAllNumbers) {
  for (double x : {-800.0, -40.0, -1.0, -1e-9, 0.0, 1e-9, 0.5, 3.0, 40.0, 800.0}) {
    const long double exact =
        x > 0 ? x + std::log1p(std::exp(-static_cast<long double>(x))) : std::log1p(std::exp(static_cast<long double>(x)));
    EXPECT_NEAR(softplus(x), double(exact), 4e-16 * double(exact)) << x;
    const long double slope = 1 / (1 + std::exp(-static_cast<long double>(x)));
    EXPECT_NEAR(softplus_slope(x), double(slope), 4e-16 * double(slope)) << x;
  }
}

TEST(NeuralNetwork, HasTheOutputsOfItsFormula) {
  for (const NetworkShape& shape : {small, large}) {
    NetworkBatch batch(shape, 4);
    const VectorXd weights = some_weights(shape);
    batch.inputs() = random_numbers(shape.inputs(), 4, 1, 5);
    evaluate(shape, weights, batch, 0, 4);
    for (int sample = 0; sample < 4; ++sample) {
      const ComplexVector expected =
          test::complex_network(shape, weights.cast<ComplexNumber>(), batch.inputs().col(sample).cast<ComplexNumber>());
      EXPECT_LT((batch.outputs().col(sample) - expected.real()).norm(), 1e-14 * expected.norm());
    }
    const MatrixXd first = batch.outputs();
    evaluate(shape, weights, batch, 0, 4);
    EXPECT_EQ(first, batch.outputs());
  }
}

TEST(NeuralNetwork, HasTheJacobianOfComplexSteps) {
  for (const NetworkShape& shape : {small, large}) {
    NetworkBatch batch(shape, 2);
    const VectorXd weights = some_weights(shape);
    batch.inputs() = random_numbers(shape.inputs(), 2, 1, 6);
    evaluate(shape, weights, batch, 0, 2);
    NetworkJacobian jacobian(shape);
    const MatrixXd& J = jacobian.find(shape, weights, batch, 1);
    for (int column = 0; column < shape.inputs(); ++column) {
      ComplexVector input = batch.inputs().col(1).cast<ComplexNumber>();
      input[column] += ComplexNumber(0, 1e-30);
      const VectorXd expected = test::complex_network(shape, weights.cast<ComplexNumber>(), input).imag() / 1e-30;
      EXPECT_LT((J.col(column) - expected).norm(), 1e-12 * expected.norm()) << column;
    }
  }
}

ComplexNumber transition_loss(const NetworkShape& shape, const MatrixXd& inputs, const MatrixXd& targets,
                              const ComplexVector& weights) {
  ComplexNumber sum = 0;
  for (Eigen::Index k = 0; k < inputs.cols(); ++k)
    sum += (test::complex_network(shape, weights, inputs.col(k).cast<ComplexNumber>()) - targets.col(k).cast<ComplexNumber>())
               .array()
               .square()
               .sum();
  return sum;
}

TEST(TransitionLoss, HasTheGradientOfComplexSteps) {
  for (const NetworkShape& shape : {small, large}) {
    const MatrixXd inputs = random_numbers(shape.inputs(), 7, 1, 7), targets = random_numbers(shape.outputs(), 7, 1, 8);
    TransitionLoss loss(shape, inputs, targets);
    const VectorXd weights = some_weights(shape);
    VectorXd gradient(shape.weight_count());
    const auto exact = [&](const ComplexVector& w) { return transition_loss(shape, inputs, targets, w); };
    EXPECT_NEAR(loss.value(weights), exact(weights.cast<ComplexNumber>()).real(), 1e-13 * loss.value(weights));
    loss.gradient(weights, gradient);
    const int count = int(weights.size()), stride = std::max(1, (count - 100) / 6);
    for (int i = 0; i < count; i += stride) {
      const VectorXd direction = VectorXd::Unit(count, i);
      EXPECT_NEAR(gradient[i], test::complex_slope(exact, weights, direction), 1e-12 * gradient.lpNorm<Eigen::Infinity>()) << i;
    }
    const VectorXd direction = random_numbers(count, 1, 1, 9);
    EXPECT_NEAR(gradient.dot(direction), test::complex_slope(exact, weights, direction),
                1e-12 * gradient.norm() * direction.norm());
  }
}

// The default recurrence, or that of a heading.
ComplexNumber rollout_loss(const NetworkShape& shape, const MatrixXd& states, bool with_heading, const ComplexVector& weights) {
  ComplexVector s = states.col(0).cast<ComplexNumber>();
  ComplexNumber sum = 0;
  for (Eigen::Index k = 1; k < states.cols(); ++k) {
    if (with_heading) {
      ComplexVector features(2);
      features << std::cos(s[2]), std::sin(s[2]);
      s = test::HeadingRecurrence::advance<ComplexNumber>(Eigen::Vector3cd(s),
                                                          Eigen::Vector3cd(test::complex_network(shape, weights, features)));
    } else {
      s = test::complex_network(shape, weights, s);
    }
    sum += (s - states.col(k).cast<ComplexNumber>()).array().square().sum();
  }
  return sum;
}

TEST(RolloutLoss, HasTheGradientOfComplexSteps) {
  const test::HeadingRecurrence heading;
  for (const bool with_heading : {false, true}) {
    const NetworkShape shape = with_heading ? NetworkShape{{2, 5, 3}} : small;
    const MatrixXd states = random_numbers(3, 9, 1, 7);
    RolloutLoss loss = with_heading ? RolloutLoss(shape, states, heading, 100) : RolloutLoss(shape, states, 100);
    const VectorXd weights = some_weights(shape);
    VectorXd gradient(shape.weight_count());
    const auto exact = [&](const ComplexVector& w) { return rollout_loss(shape, states, with_heading, w); };
    EXPECT_NEAR(loss.value(weights), exact(weights.cast<ComplexNumber>()).real(), 1e-13 * loss.value(weights));
    loss.gradient(weights, gradient);
    for (Eigen::Index i = 0; i < weights.size(); ++i)
      EXPECT_NEAR(gradient[i], test::complex_slope(exact, weights, VectorXd::Unit(weights.size(), i)),
                  1e-12 * gradient.lpNorm<Eigen::Infinity>())
          << i;
  }
}

TEST(RolloutLoss, OfALargeNetworkHasTheSlopeOfComplexSteps) {
  const MatrixXd states = random_numbers(36, 6, 0.5, 7);
  RolloutLoss loss(large, states, 1e3);
  const VectorXd weights = random_numbers(large.weight_count(), 1, 0.08, 3),
                 direction = random_numbers(large.weight_count(), 1, 1, 9);
  VectorXd gradient(large.weight_count());
  ASSERT_TRUE(std::isfinite(loss.value(weights)));
  loss.gradient(weights, gradient);
  const auto exact = [&](const ComplexVector& w) { return rollout_loss(large, states, false, w); };
  EXPECT_NEAR(gradient.dot(direction), test::complex_slope(exact, weights, direction),
              1e-12 * gradient.norm() * direction.norm());
}

TEST(RolloutLoss, IsInfiniteWhereAStateLeavesItsRange) {
  const MatrixXd states = random_numbers(3, 9, 1, 7);
  const VectorXd weights = 2 * some_weights(small);
  RolloutLoss wide(small, states, 1e6);
  const double value = wide.value(weights);
  ASSERT_TRUE(std::isfinite(value));
  const double largest = wide.repeated_states().cwiseAbs().maxCoeff();
  EXPECT_EQ(RolloutLoss(small, states, 1.01 * largest).value(weights), value);
  EXPECT_TRUE(std::isinf(RolloutLoss(small, states, 0.99 * largest).value(weights)));
}

// A decaying rotation, which the network has to learn from 30 states.
MatrixXd spiral() {
  MatrixXd states(2, 30);
  for (int k = 0; k < 30; ++k) states.col(k) << std::pow(0.97, k) * std::cos(0.4 * k), std::pow(0.97, k) * std::sin(0.4 * k);
  return states;
}

TEST(RolloutLoss, IsFittedToAKnownMap) {
  const NetworkShape shape{{2, 12, 12, 2}};
  const MatrixXd states = spiral();
  TransitionLoss transitions(shape, states.leftCols(29), states.rightCols(29));
  RolloutLoss rollout(shape, states);
  VectorXd weights = initial_weights(shape, 0.5, 1);
  const double start = transitions.value(weights);
  const UnconstrainedResult first = Lbfgs(transitions, {.max_iterations = 400, .stationarity_tolerance = 1e-7}).solve(weights);
  EXPECT_LT(first.value, 1e-5 * start) << first.diagnosis;
  const double before = rollout.value(weights);
  const UnconstrainedResult second = Lbfgs(rollout, {.max_iterations = 400, .stationarity_tolerance = 1e-7}).solve(weights);
  EXPECT_LT(second.value, before / 5) << second.diagnosis;
  EXPECT_LT((rollout.repeated_states() - states).cwiseAbs().maxCoeff(), 1e-2);
}

// The gradient by a hidden layer's weights has the product of the other layers as a factor.
TEST(NeuralNetwork, StartsNearASaddlePointWithSmallWeights) {
  const NetworkShape shape{{2, 12, 12, 2}};
  const MatrixXd states = spiral();
  TransitionLoss loss(shape, states.leftCols(29), states.rightCols(29));
  const auto hidden_slope = [&](double largest) {
    const VectorXd weights = initial_weights(shape, largest, 1);
    VectorXd gradient(shape.weight_count());
    loss.value(weights);
    loss.gradient(weights, gradient);
    return gradient.head(2 * 12).norm();  // by W_1
  };
  EXPECT_NEAR(hidden_slope(1e-4) / hidden_slope(1e-3), 1e-2, 1e-3);
}

TEST(NeuralNetwork, StartsFromTheSameWeightsForTheSameSeed) {
  const VectorXd weights = initial_weights(small, 1e-3, 4);
  EXPECT_EQ(weights, initial_weights(small, 1e-3, 4));
  EXPECT_NE(weights, initial_weights(small, 1e-3, 5));
  EXPECT_LE(weights.lpNorm<Eigen::Infinity>(), 1e-3);
  EXPECT_GT(weights.lpNorm<Eigen::Infinity>(), 8e-4);
  EXPECT_LT(std::abs(weights.mean()), 2e-4);
  EXPECT_EQ(weights.segment(15, 5), VectorXd::Zero(5));  // b
}

TEST(NeuralNetwork, GradientsAllocateNothing) {
  ASSERT_EQ(test::an_allocation_counts(), test::counts_allocations);
  const MatrixXd states = random_numbers(36, 40, 1, 7);
  TransitionLoss transitions(large, states.leftCols(39), states.rightCols(39));
  RolloutLoss rollout(large, states, 1e3);
  const VectorXd weights = random_numbers(large.weight_count(), 1, 0.05, 3);
  VectorXd gradient(large.weight_count());
  NetworkBatch batch(large, 2);
  NetworkJacobian jacobian(large);
  const long before = test::allocation_count;
  transitions.value(weights);
  transitions.gradient(weights, gradient);
  rollout.value(weights);
  rollout.gradient(weights, gradient);
  evaluate(large, weights, batch, 0, 2);
  jacobian.find(large, weights, batch, 1);
  EXPECT_EQ(test::allocation_count - before, 0);
}

TEST(NeuralNetworkBadInput, IsNamed) {
  test::expect_part(test::message([] { NetworkBatch batch({{3}}, 1); }), "the widths [3]; it needs an input and an output");
  test::expect_part(test::message([] { initial_weights({{3, 0, 2}}, 1, 1); }), "the widths [3, 0, 2]");
  test::expect_part(test::message([] { NetworkBatch batch(small, 0); }), "has 0 samples");
  test::expect_part(test::message([] { TransitionLoss loss(small, MatrixXd(3, 4), MatrixXd(3, 5)); }),
                    "inputs [3][4] and targets [3][5]");
  test::expect_part(test::message([] { RolloutLoss loss(small, MatrixXd::Zero(3, 1)); }),
                    "states [3][1]; it needs at least two");
  test::expect_part(test::message([] { RolloutLoss loss(small, MatrixXd::Zero(4, 3)); }), "states [4][3]");
  test::expect_part(test::message([] { RolloutLoss(small, MatrixXd::Zero(3, 3)).value(VectorXd(7)); }), "was given 7");
}

}  // namespace neural_network_tests
}  // namespace holo
