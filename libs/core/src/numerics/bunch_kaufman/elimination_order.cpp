#include "numerics/bunch_kaufman/elimination_order.h"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <numeric>

namespace holo {

namespace {

// The graph of the matrix: entries off the diagonal, of both triangles.
struct Neighbors {
  std::vector<int> starts, vertices;
  std::vector<char> has_diagonal;

  explicit Neighbors(const SparseMatrix& lower) {
    const int n = int(lower.cols());
    starts.assign(std::size_t(n) + 1, 0);
    has_diagonal.assign(std::size_t(n), 0);
    visit(lower, [&](int row, int column) {
      ++starts[std::size_t(row) + 1];
      ++starts[std::size_t(column) + 1];
    });
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    vertices.resize(std::size_t(starts.back()));
    std::vector<int> next(starts.begin(), starts.end() - 1);
    visit(lower, [&](int row, int column) {
      vertices[std::size_t(next[std::size_t(row)]++)] = column;
      vertices[std::size_t(next[std::size_t(column)]++)] = row;
    });
  }
  int degree(int vertex) const { return starts[std::size_t(vertex) + 1] - starts[std::size_t(vertex)]; }

 private:
  template <class Visit>
  void visit(const SparseMatrix& lower, const Visit& visit_edge) {
    for (int column = 0; column < int(lower.cols()); ++column)
      for (int e = lower.outerIndexPtr()[column]; e < lower.outerIndexPtr()[column + 1]; ++e) {
        const int row = lower.innerIndexPtr()[e];
        if (row == column) has_diagonal[std::size_t(column)] = 1;
        if (row > column) visit_edge(row, column);
      }
  }
};

// The partner of each vertex, -1 for none: a greedy matching. Rows with the fewest neighbors choose first, and take the free
// neighbor of the lowest degree, since its elimination fills the fewest entries.
std::vector<int> matched_partners(const Neighbors& graph) {
  const int n = int(graph.has_diagonal.size());
  std::vector<int> partner(std::size_t(n), -1), hollow;
  for (int i = 0; i < n; ++i)
    if (!graph.has_diagonal[std::size_t(i)]) hollow.push_back(i);
  std::stable_sort(hollow.begin(), hollow.end(), [&](int a, int b) { return graph.degree(a) < graph.degree(b); });
  for (int i : hollow) {
    int best = -1;
    for (int e = graph.starts[std::size_t(i)]; e < graph.starts[std::size_t(i) + 1]; ++e) {
      const int j = graph.vertices[std::size_t(e)];
      const bool is_free = graph.has_diagonal[std::size_t(j)] && partner[std::size_t(j)] < 0;
      if (is_free && (best < 0 || graph.degree(j) < graph.degree(best))) best = j;
    }
    if (best < 0) continue;
    partner[std::size_t(i)] = best;
    partner[std::size_t(best)] = i;
  }
  return partner;
}

}  // namespace

std::vector<int> elimination_order(const SparseMatrix& lower) {
  const Neighbors graph(lower);
  const std::vector<int> partner = matched_partners(graph);
  const int n = int(lower.cols());
  // Each pair of partners, and each row alone, is one vertex of a compressed graph, led by its first row.
  std::vector<int> group(std::size_t(n), -1), leaders;
  for (int i = 0; i < n; ++i) {
    if (group[std::size_t(i)] >= 0) continue;
    group[std::size_t(i)] = int(leaders.size());
    if (partner[std::size_t(i)] >= 0) group[std::size_t(partner[std::size_t(i)])] = int(leaders.size());
    leaders.push_back(i);
  }
  std::vector<Eigen::Triplet<double>> edges;
  edges.reserve(graph.vertices.size() + leaders.size());
  for (int i = 0; i < n; ++i)
    for (int e = graph.starts[std::size_t(i)]; e < graph.starts[std::size_t(i) + 1]; ++e)
      edges.emplace_back(group[std::size_t(graph.vertices[std::size_t(e)])], group[std::size_t(i)], 1.0);
  for (int g = 0; g < int(leaders.size()); ++g) edges.emplace_back(g, g, 1.0);
  SparseMatrix compressed(Eigen::Index(leaders.size()), Eigen::Index(leaders.size()));
  compressed.setFromTriplets(edges.begin(), edges.end());
  // AMD orders the compressed graph; each vertex is replaced by its rows, the leader first.
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::internal::minimum_degree_ordering(compressed, permutation);
  std::vector<int> order;
  order.reserve(std::size_t(n));
  for (Eigen::Index k = 0; k < permutation.size(); ++k) {
    const int leader = leaders[std::size_t(permutation.indices()[k])], other = partner[std::size_t(leader)];
    order.push_back(leader);
    if (other >= 0) order.push_back(other);
  }
  return order;
}

}  // namespace holo
