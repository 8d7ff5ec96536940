// Builds the matrix entries of elements' contributions, and the order of their summation.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "elastic/elastic_model_builder.h"

namespace holo {
namespace {

constexpr std::array<std::array<int, 2>, 10> stencil_vertices = {
    {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {1, 0}, {2, 0}, {3, 0}, {2, 1}, {3, 1}, {3, 2}}};  // (row, column)

// A stencil entry, or a partial sum, and where in the matrix it belongs.
struct Contribution {
  int cluster, column, row, index;
};

// All stencil entries, sorted by cluster, then by the matrix entry that they add to, then by number.
std::vector<Contribution> entries_by_cluster(const std::vector<int>& packed_vertices, const std::vector<int>& packed_elements) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  std::vector<Contribution> result;
  result.reserve(packed_elements.size() * 10);
  for (std::size_t packed = 0; packed < packed_elements.size(); ++packed) {
    if (packed_elements[packed] < 0) continue;
    const int* vertices = packed_vertices.data() + packed / lanes * 4 * lanes + packed % lanes;
    const int cluster = static_cast<int>(packed / lanes / ElasticPattern::cluster_blocks);
    for (int entry = 0; entry < 10; ++entry)
      result.push_back({cluster, vertices[stencil_vertices[entry][1] * lanes], vertices[stencil_vertices[entry][0] * lanes],
                        static_cast<int>(packed) * 10 + entry});
  }
  std::sort(result.begin(), result.end(), [](const Contribution& a, const Contribution& b) {
    return std::tie(a.cluster, a.column, a.row, a.index) < std::tie(b.cluster, b.column, b.row, b.index);
  });
  return result;
}

// Gives each matrix entry that a cluster reaches a partial sum, and each cluster a further one for its padding.
std::vector<Contribution> make_partials(const std::vector<int>& packed_vertices, const std::vector<int>& packed_elements,
                                        ElasticPattern& pattern) {
  const std::size_t elements_per_cluster = ElasticPattern::cluster_blocks * ElasticModel::lanes;
  const int clusters = static_cast<int>((packed_elements.size() + elements_per_cluster - 1) / elements_per_cluster);
  pattern.sum_of_entry.assign(packed_elements.size() * 10, -1);
  pattern.cluster_begin = {0};
  std::vector<Contribution> result;
  int next = -1, column = -1, row = -1;
  // Ends all clusters before `until`: each gets its last partial sum, which takes the stencil entries of padding and is never
  // read.
  auto close_clusters = [&](int until) {
    for (int cluster = static_cast<int>(pattern.cluster_begin.size()) - 1; cluster < until; ++cluster) {
      const std::size_t end = std::min(packed_elements.size(), static_cast<std::size_t>(cluster + 1) * elements_per_cluster);
      ++next;
      for (std::size_t i = static_cast<std::size_t>(cluster) * elements_per_cluster * 10; i < end * 10; ++i)
        if (pattern.sum_of_entry[i] < 0) pattern.sum_of_entry[i] = next;
      pattern.cluster_begin.push_back(static_cast<std::size_t>(next) + 1);
      column = row = -1;
    }
  };
  for (const Contribution& entry : entries_by_cluster(packed_vertices, packed_elements)) {
    close_clusters(entry.cluster);
    if (entry.column != column || entry.row != row) {
      column = entry.column;
      row = entry.row;
      result.push_back({entry.cluster, column, row, ++next});
    }
    pattern.sum_of_entry[entry.index] = next;
  }
  close_clusters(clusters);
  return result;
}

// The scalar pattern: each of a vertex's three columns has its part of the triangle on the diagonal, then the rows of the
// entries below.
void make_matrix(int vertex_count, ElasticPattern& pattern) {
  SparseMatrix& matrix = pattern.matrix;
  matrix.resize(3 * vertex_count, 3 * vertex_count);
  const auto nonzeros = static_cast<Eigen::Index>(9 * pattern.entry_row.size() - 3 * static_cast<std::size_t>(vertex_count));
  matrix.resizeNonZeros(nonzeros);
  int next = 0;
  for (int vertex = 0; vertex < vertex_count; ++vertex)
    for (int j = 0; j < 3; ++j) {
      matrix.outerIndexPtr()[3 * vertex + j] = next;
      for (int i = j; i < 3; ++i) matrix.innerIndexPtr()[next++] = 3 * vertex + i;
      for (int entry = pattern.entry_begin[vertex] + 1; entry < pattern.entry_begin[vertex + 1]; ++entry)
        for (int i = 0; i < 3; ++i) matrix.innerIndexPtr()[next++] = 3 * pattern.entry_row[entry] + i;
    }
  matrix.outerIndexPtr()[3 * vertex_count] = next;
  std::fill(matrix.valuePtr(), matrix.valuePtr() + nonzeros, 0.0);
}

// Bits of a 21-bit number, two places apart.
std::uint64_t spread(std::uint64_t bits) {
  bits = (bits | bits << 32) & 0x1f00000000ffffull;
  bits = (bits | bits << 16) & 0x1f0000ff0000ffull;
  bits = (bits | bits << 8) & 0x100f00f00f00f00full;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3ull;
  return (bits | bits << 2) & 0x1249249249249249ull;
}

}  // namespace

// Coordinates are rounded to 21 bits of the largest extent, and their bits interleaved: points with near keys are near in
// space.
std::vector<int> space_filling_order(const std::vector<std::array<double, 3>>& points) {
  std::array<double, 3> low = points.empty() ? std::array<double, 3>{} : points[0];
  double extent = 0;
  for (const auto& point : points)
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], point[i]);
  for (const auto& point : points)
    for (int i = 0; i < 3; ++i) extent = std::max(extent, point[i] - low[i]);
  std::vector<std::uint64_t> keys;
  keys.reserve(points.size());
  for (const auto& point : points) {
    std::uint64_t key = 0;
    for (int i = 0; i < 3 && extent > 0; ++i)
      key |= spread(static_cast<std::uint64_t>((point[i] - low[i]) / extent * 2097151)) << i;
    keys.push_back(key);
  }
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  return order;
}

// First the partial sums of all clusters, then, sorted by matrix entry, which of them each entry adds up.
ElasticPattern make_pattern(int vertex_count, const std::vector<int>& packed_vertices,
                            const std::vector<int>& packed_elements) {
  ElasticPattern pattern;
  pattern.entry_begin.assign(vertex_count + 1, 0);
  std::vector<Contribution> partials = make_partials(packed_vertices, packed_elements, pattern);
  std::sort(partials.begin(), partials.end(), [](const Contribution& a, const Contribution& b) {
    return std::tie(a.column, a.row, a.cluster) < std::tie(b.column, b.row, b.cluster);
  });
  int column = -1, row = -1;
  for (const Contribution& partial : partials) {
    if (partial.column != column || partial.row != row) {
      column = partial.column;
      row = partial.row;
      pattern.entry_row.push_back(row);
      pattern.partial_begin.push_back(static_cast<int>(pattern.partials.size()));
      ++pattern.entry_begin[column + 1];
    }
    pattern.partials.push_back(partial.index);
  }
  pattern.partial_begin.push_back(static_cast<int>(pattern.partials.size()));
  pattern.partials.insert(pattern.partials.end(), ElasticPattern::read_ahead, 0);
  std::partial_sum(pattern.entry_begin.begin(), pattern.entry_begin.end(), pattern.entry_begin.begin());
  make_matrix(vertex_count, pattern);
  return pattern;
}

}  // namespace holo
