#pragma once
// A multilayer perceptron with softplus units as plain functions on a flat array of weights: outputs, gradients by
// backpropagation, and Jacobians, for batches of samples. docs/neural-network.md has the formulas.
//
//   const NetworkShape shape{{12, 128, 128, 128, 12}};
//   const Eigen::VectorXd weights = initial_weights(shape, 0.1, seed);
//   NetworkBatch batch(shape, samples);
//   batch.inputs() = ...;
//   evaluate(shape, weights, batch, 0, samples);  // batch.outputs()

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace holo {

// y_0 = input, y_l = softplus(W_l y_{l-1} + b_l), and the last layer without softplus. The weights are W_1 [row][column] with
// contiguous columns, b_1, W_2, b_2, ...
struct NetworkShape {
  std::vector<int> widths;  // of the input, the hidden layers and the output

  int layers() const { return int(widths.size()) - 1; }  // of weights
  int inputs() const { return widths.front(); }
  int outputs() const { return widths.back(); }
  int weight_count() const;
};
// Throws Error(internal) for less than two widths and for a width below 1.
void check_shape(const NetworkShape& shape);

// Weights of W uniform in (-largest, largest), b = 0; the same numbers for the same seed on all platforms. About 1 over the
// root of the widths is a good start; much smaller ones are near a saddle point of the losses.
Eigen::VectorXd initial_weights(const NetworkShape& shape, double largest, std::uint64_t seed);

// Samples and what is found of them. Matrices are [entry][sample].
class NetworkBatch {
 public:
  // Zeros. Throws as check_shape does, and for less than one sample.
  NetworkBatch(const NetworkShape& shape, int samples);

  int samples() const { return int(values_.front().cols()); }
  Eigen::MatrixXd& inputs() { return values_.front(); }
  Eigen::MatrixXd& outputs() { return values_.back(); }
  Eigen::MatrixXd& output_adjoints() { return adjoints_.back(); }  // derivatives of a loss by the outputs
  Eigen::MatrixXd& input_adjoints() { return adjoints_.front(); }

  // Of layer 0, the input, to the last one, the output.
  Eigen::MatrixXd& values(int layer) { return values_[std::size_t(layer)]; }
  const Eigen::MatrixXd& values(int layer) const { return values_[std::size_t(layer)]; }
  Eigen::MatrixXd& adjoints(int layer) { return adjoints_[std::size_t(layer)]; }
  const Eigen::MatrixXd& adjoints(int layer) const { return adjoints_[std::size_t(layer)]; }
  Eigen::MatrixXd& slopes(int layer) { return slopes_[std::size_t(layer)]; }  // of softplus
  const Eigen::MatrixXd& slopes(int layer) const { return slopes_[std::size_t(layer)]; }

 private:
  std::vector<Eigen::MatrixXd> values_, slopes_, adjoints_;  // [layer]
};

// log(1 + e^x) without overflow, and its slope, the sigmoid.
double softplus(double x);
double softplus_slope(double x);

// The functions use samples first .. first + count - 1 of a batch of this shape, and weights [weight_count]. Results have the
// same bits in each call; those of a sample may differ in the last bits with the number of samples.

// Outputs of inputs.
void evaluate(const NetworkShape& shape, const Eigen::VectorXd& weights, NetworkBatch& batch, int first, int count);
// Input adjoints from output adjoints, after `evaluate`.
void pull_back(const NetworkShape& shape, const Eigen::VectorXd& weights, NetworkBatch& batch, int first, int count);
// gradient [weight_count] of the loss by the weights, from the adjoints of all samples, after `pull_back` of all.
void find_gradient(const NetworkShape& shape, const NetworkBatch& batch, Eigen::VectorXd& gradient);

// d output / d input [output][input] of one sample, after `evaluate`: forward accumulation.
class NetworkJacobian {
 public:
  explicit NetworkJacobian(const NetworkShape& shape);
  const Eigen::MatrixXd& find(const NetworkShape& shape, const Eigen::VectorXd& weights, const NetworkBatch& batch, int sample);

 private:
  std::vector<Eigen::MatrixXd> products_;  // [layer], d values / d input
};

}  // namespace holo
