#include <cmath>
#include <random>

#include "graph.h"

namespace holo::benchmark {

Network random_network() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto fill = [&](Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return uniform(random); }).eval();
  };
  Network network{fill(nodes, nodes) + 20 * Eigen::MatrixXd::Identity(nodes, nodes),
                  fill(nodes, inputs),
                  5 * fill(nodes, 1),
                  fill(nodes, 1),
                  {},
                  {},
                  {}};
  network.pattern.size = nodes;
  network.pattern.constant = network.coupling;
  for (int k = 0; k < inputs; ++k) {
    const int i = (3 * k) % nodes, j = (7 * k + 1) % nodes == i ? (i + 1) % nodes : (7 * k + 1) % nodes;
    network.from.push_back(i);
    network.to.push_back(j);
    for (const auto& [row, column] : {std::pair{i, i}, {j, j}, {i, j}, {j, i}}) {
      network.pattern.rows.push_back(row);
      network.pattern.columns.push_back(column);
    }
  }
  return network;
}

std::vector<double> solve_graph_point() {
  std::vector<double> p(inputs);
  for (int k = 0; k < inputs; ++k) p[std::size_t(k)] = 0.5 * std::sin(1.0 + k);
  return p;
}

}  // namespace holo::benchmark
