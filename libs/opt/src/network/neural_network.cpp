#include "holo/opt/network/neural_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "holo/core/error.h"

namespace holo {

namespace {

using ConstWeights = Eigen::Map<const Eigen::MatrixXd>;
using ConstBiases = Eigen::Map<const Eigen::VectorXd>;

// Calls visit(layer, offset of W_layer, rows, columns) for layers 1, 2, ...; b_layer follows W_layer.
template <class Visit>
void for_each_layer(const NetworkShape& shape, const Visit& visit) {
  Eigen::Index offset = 0;
  for (int layer = 1; layer <= shape.layers(); ++layer) {
    const Eigen::Index rows = shape.widths[std::size_t(layer)], columns = shape.widths[std::size_t(layer - 1)];
    visit(layer, offset, rows, columns);
    offset += rows * columns + rows;
  }
}

ConstWeights weights_of(const Eigen::VectorXd& weights, Eigen::Index offset, Eigen::Index rows, Eigen::Index columns) {
  return {weights.data() + offset, rows, columns};
}

}  // namespace

int NetworkShape::weight_count() const {
  int count = 0;
  for (int layer = 1; layer <= layers(); ++layer) count += widths[std::size_t(layer)] * (widths[std::size_t(layer - 1)] + 1);
  return count;
}

void check_shape(const NetworkShape& shape) {
  const bool is_valid =
      shape.widths.size() >= 2 && std::all_of(shape.widths.begin(), shape.widths.end(), [](int width) { return width >= 1; });
  if (!is_valid)
    throw Error(Failure::internal, fmt::format("a neural network has the widths [{}]; it needs an input and an output, and at "
                                               "least 1 of each width.",
                                               fmt::join(shape.widths, ", ")));
}

Eigen::VectorXd initial_weights(const NetworkShape& shape, double largest, std::uint64_t seed) {
  check_shape(shape);
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(shape.weight_count());
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return largest * (std::ldexp(double(random() >> 11), -52) - 1); };  // 53 bits, in [-1, 1)
  for_each_layer(shape, [&](int, Eigen::Index offset, Eigen::Index rows, Eigen::Index columns) {
    for (Eigen::Index i = 0; i < rows * columns; ++i) weights[offset + i] = uniform();
  });
  return weights;
}

NetworkBatch::NetworkBatch(const NetworkShape& shape, int samples) {
  check_shape(shape);
  if (samples < 1)
    throw Error(Failure::internal, fmt::format("a batch of a neural network has {} samples; it needs at least 1.", samples));
  for (int width : shape.widths)
    for (auto* matrices : {&values_, &slopes_, &adjoints_}) matrices->push_back(Eigen::MatrixXd::Zero(width, samples));
}

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double softplus_slope(double x) {
  const double decay = std::exp(-std::abs(x));
  return (x >= 0 ? 1 : decay) / (1 + decay);
}

void evaluate(const NetworkShape& shape, const Eigen::VectorXd& weights, NetworkBatch& batch, int first, int count) {
  for_each_layer(shape, [&](int layer, Eigen::Index offset, Eigen::Index rows, Eigen::Index columns) {
    auto values = batch.values(layer).middleCols(first, count);
    values.noalias() = weights_of(weights, offset, rows, columns) * batch.values(layer - 1).middleCols(first, count);
    values.colwise() += ConstBiases(weights.data() + offset + rows * columns, rows);
    if (layer == shape.layers()) return;
    batch.slopes(layer).middleCols(first, count) = values.unaryExpr([](double x) { return softplus_slope(x); });
    values = values.unaryExpr([](double x) { return softplus(x); });
  });
}

// The adjoints of a hidden layer are those of W y + b: by the slope of softplus those of y.
void pull_back(const NetworkShape& shape, const Eigen::VectorXd& weights, NetworkBatch& batch, int first, int count) {
  Eigen::Index offset = shape.weight_count();
  for (int layer = shape.layers(); layer >= 1; --layer) {
    const Eigen::Index rows = shape.widths[std::size_t(layer)], columns = shape.widths[std::size_t(layer - 1)];
    offset -= rows * columns + rows;
    auto adjoints = batch.adjoints(layer - 1).middleCols(first, count);
    adjoints.noalias() =
        weights_of(weights, offset, rows, columns).transpose() * batch.adjoints(layer).middleCols(first, count);
    if (layer > 1) adjoints.array() *= batch.slopes(layer - 1).middleCols(first, count).array();
  }
}

void find_gradient(const NetworkShape& shape, const NetworkBatch& batch, Eigen::VectorXd& gradient) {
  gradient.resize(shape.weight_count());
  for_each_layer(shape, [&](int layer, Eigen::Index offset, Eigen::Index rows, Eigen::Index columns) {
    Eigen::Map<Eigen::MatrixXd> by_weights(gradient.data() + offset, rows, columns);
    by_weights.noalias() = batch.adjoints(layer) * batch.values(layer - 1).transpose();
    gradient.segment(offset + rows * columns, rows) = batch.adjoints(layer).rowwise().sum();
  });
}

NetworkJacobian::NetworkJacobian(const NetworkShape& shape) {
  check_shape(shape);
  for (int width : shape.widths) products_.push_back(Eigen::MatrixXd::Zero(width, shape.inputs()));
}

const Eigen::MatrixXd& NetworkJacobian::find(const NetworkShape& shape, const Eigen::VectorXd& weights,
                                             const NetworkBatch& batch, int sample) {
  for_each_layer(shape, [&](int layer, Eigen::Index offset, Eigen::Index rows, Eigen::Index columns) {
    const ConstWeights matrix = weights_of(weights, offset, rows, columns);
    Eigen::MatrixXd& product = products_[std::size_t(layer)];
    if (layer == 1)
      product = matrix;
    else
      product.noalias() = matrix * products_[std::size_t(layer - 1)];
    if (layer < shape.layers()) product.array().colwise() *= batch.slopes(layer).col(sample).array();
  });
  return products_.back();
}

}  // namespace holo
