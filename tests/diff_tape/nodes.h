#pragma once
// Matrix-level nodes of the tape as functions of scalar variables, as node_properties_test.cpp tests them: the lists stand in
// the files
// *_nodes_test.cpp. A node of the headers that is in none of them fails NodeList.HoldsEveryNodeOfTheHeaders.

#include <Eigen/LU>
#include <array>
#include <random>
#include <tuple>
#include <vector>

#include "holo/diff/tape/directions.h"
#include "holo/diff/tape/nodes.h"

namespace holo::test {

inline std::vector<double> numbers(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> x(n);
  for (double& entry : x) entry = uniform(random);
  return x;
}
inline Eigen::MatrixXd matrix(int rows, int columns, unsigned seed) {
  const std::vector<double> x = numbers(std::size_t(rows * columns), seed);
  return Eigen::Map<const Eigen::MatrixXd>(x.data(), rows, columns);
}
// The point at which nodes of so many inputs are tested.
inline std::vector<double> point_of(int inputs) { return numbers(std::size_t(inputs), 1); }

// A matrix on the tape as its entries; a number as itself.
template <class T>
std::vector<Variable<T>> entries(const MatrixVariable<T>& z) {
  std::vector<Variable<T>> result;
  for (int j = 0; j < z.columns(); ++j)
    for (int i = 0; i < z.rows(); ++i) result.push_back(z(i, j));
  return result;
}
template <class T>
std::vector<Variable<T>> entries(const Variable<T>& z) {
  return {z};
}
template <class T>
std::vector<Variable<T>> entries(const PolarVariables<T>& z) {
  std::vector<Variable<T>> result = entries(z.R);
  for (const Variable<T>& entry : entries(z.S)) result.push_back(entry);
  return result;
}

// A node for each scalar that a tape is used with.
using Wide = Nilpotent<1, double, Directions<4 * LaneBlock::width>>;
template <class T>
using NodeFunction = std::vector<Variable<T>> (*)(std::span<const Variable<T>>);
struct Node {
  const char *name, *text;
  int inputs;
  std::tuple<NodeFunction<double>, NodeFunction<Nilpotent<1>>, NodeFunction<Nilpotent<2>>, NodeFunction<Wide>,
             NodeFunction<Complex<double>>>
      functions;

  template <class T>
  std::vector<Variable<T>> operator()(std::span<const Variable<T>> x) const {
    return std::get<NodeFunction<T>>(functions)(x);
  }
};

#define HOLO_NODE(count, Name, ...)                                                                 \
  Node {                                                                                            \
#Name, #__VA_ARGS__, count, {                                                                   \
      [](auto x) { return entries(__VA_ARGS__); }, [](auto x) { return entries(__VA_ARGS__); },     \
          [](auto x) { return entries(__VA_ARGS__); }, [](auto x) { return entries(__VA_ARGS__); }, \
          [](auto x) { return entries(__VA_ARGS__); }                                               \
    }                                                                                               \
  }

// Each in a file of its own: *_nodes_test.cpp.
std::vector<Node> arithmetic_nodes();
std::vector<Node> solve_nodes();
std::vector<Node> determinant_nodes();
std::vector<Node> decomposition_nodes();
std::vector<Node> stretch_nodes();
inline std::vector<Node> all_nodes() {
  std::vector<Node> result;
  for (const auto& list : {arithmetic_nodes(), solve_nodes(), determinant_nodes(), decomposition_nodes(), stretch_nodes()})
    result.insert(result.end(), list.begin(), list.end());
  return result;
}

// x as a square matrix, moved so that the matrix is `center` at the point of the test.
template <class V>
auto around(std::span<const V> x, const Eigen::MatrixXd& center) {
  const int n = int(center.rows());
  const std::vector<double> at = point_of(n * n);
  const auto X = gather(x.first(std::size_t(n * n)), n, n);
  return X + constant_matrix(X.tape(), center - Eigen::Map<const Eigen::MatrixXd>(at.data(), n, n));
}
// The same, symmetric.
template <class V>
auto symmetric_around(std::span<const V> x, const Eigen::MatrixXd& center) {
  const auto X = around(x, 0.5 * center);
  return X + transpose(X);
}
inline Eigen::MatrixXd well_conditioned() { return matrix(5, 5, 1) + 4 * Eigen::MatrixXd::Identity(5, 5); }
// Of four rows and the given rank, which no rounding can tell from larger ones.
inline Eigen::MatrixXd of_rank(int rank) { return matrix(4, rank, 21) * matrix(rank, 4, 22); }
inline Eigen::MatrixXd diagonal(std::vector<double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), Eigen::Index(values.size())).asDiagonal();
}
// Orthogonally turned.
inline Eigen::MatrixXd with_eigenvalues(const std::vector<double>& values) {
  const Eigen::MatrixXd X = matrix(int(values.size()), int(values.size()), 31), K = X - X.transpose();
  const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(K.rows(), K.rows()), Q = (I + K).inverse() * (I - K);
  const Eigen::MatrixXd A = Q * diagonal(values) * Q.transpose();
  return 0.5 * (A + A.transpose());
}

}  // namespace holo::test
