#pragma once
// The graph: a network of 200 nodes with dense constant coupling A0, 64 branches of conductance s(p_k) between two nodes
// each, and sources:
//
//   A(p) = A0 + sum_k s_k (e_i - e_j)(e_i - e_j)',  s = exp(p),     b(p) = b0 + B sin(p),
//   y = A^-1 b,   f = sum_i w_i tanh(y_i)^2.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "holo/diff/tape/solve_nodes.h"

namespace holo::benchmark {

inline constexpr int inputs = 64, nodes = 200;

struct Network {
  Eigen::MatrixXd coupling, sources;         // A0 [nodes][nodes] unsymmetric, B [nodes][inputs]
  Eigen::VectorXd constant_source, weights;  // b0, w [nodes]
  std::vector<int> from, to;                 // [inputs]
  MatrixPattern pattern;                     // four places for each branch
};
Network random_network();
std::vector<double> solve_graph_point();  // p [inputs]

// Value, gradient [inputs] and Hessian [inputs][inputs].
struct Derivatives {
  double value = 0;
  std::vector<double> gradient = std::vector<double>(inputs), hessian = std::vector<double>(inputs * inputs);
};

// One factorization; the solves of all columns in two blocks.
void hand_written_hessian(const Network& network, std::span<const double> p, Derivatives& out);

class TapedNetwork {
 public:
  explicit TapedNetwork(const Network& network);
  ~TapedNetwork();
  void hessian(std::span<const double> p, Derivatives& out);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace holo::benchmark
