// Where element contributions go in the matrix, and in which order they are summed.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "elastic/elastic_model_builder.h"

namespace holo {
namespace {

constexpr std::array<std::array<int, 2>, 10> unit_vertices = {
    {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {1, 0}, {2, 0}, {3, 0}, {2, 1}, {3, 1}, {3, 2}}};  // (row, column)

struct Contribution {
  int column, row, unit;
  friend bool operator<(const Contribution& a, const Contribution& b) {
    return std::tie(a.column, a.row, a.unit) < std::tie(b.column, b.row, b.unit);
  }
};

std::vector<Contribution> contributions(const std::vector<int>& slot_vertices, const std::vector<int>& slot_elements) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  std::vector<Contribution> result;
  result.reserve(slot_elements.size() * 10);
  for (std::size_t slot = 0; slot < slot_elements.size(); ++slot) {
    if (slot_elements[slot] < 0) continue;
    const int* vertices = slot_vertices.data() + slot / lanes * 4 * lanes + slot % lanes;
    for (int unit = 0; unit < 10; ++unit)
      result.push_back({vertices[unit_vertices[unit][1] * lanes], vertices[unit_vertices[unit][0] * lanes],
                        static_cast<int>(slot) * 10 + unit});
  }
  std::sort(result.begin(), result.end());
  return result;
}

void make_matrix(int vertex_count, ElasticPattern& pattern) {
  SparseMatrix& matrix = pattern.matrix;
  matrix.resize(3 * vertex_count, 3 * vertex_count);
  Eigen::Index nonzeros = 0;
  for (int vertex = 0; vertex < vertex_count; ++vertex)
    nonzeros += 6 + 9 * (pattern.place_begin[vertex + 1] - pattern.place_begin[vertex] - 1);
  matrix.resizeNonZeros(nonzeros);
  int next = 0;
  for (int vertex = 0; vertex < vertex_count; ++vertex)
    for (int j = 0; j < 3; ++j) {
      matrix.outerIndexPtr()[3 * vertex + j] = next;
      for (int i = j; i < 3; ++i) matrix.innerIndexPtr()[next++] = 3 * vertex + i;
      for (int place = pattern.place_begin[vertex] + 1; place < pattern.place_begin[vertex + 1]; ++place)
        for (int i = 0; i < 3; ++i) matrix.innerIndexPtr()[next++] = 3 * pattern.place_row[place] + i;
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

ElasticPattern make_pattern(int vertex_count, const std::vector<int>& slot_vertices, const std::vector<int>& slot_elements,
                            const Eigen::VectorXd& positions) {
  ElasticPattern pattern;
  pattern.place_begin.assign(vertex_count + 1, 0);
  int column = -1, row = -1;
  for (const Contribution& contribution : contributions(slot_vertices, slot_elements)) {
    if (contribution.column != column || contribution.row != row) {
      column = contribution.column;
      row = contribution.row;
      pattern.place_row.push_back(row);
      pattern.unit_begin.push_back(static_cast<int>(pattern.units.size()));
      ++pattern.place_begin[column + 1];
    }
    pattern.units.push_back(contribution.unit);
  }
  pattern.unit_begin.push_back(static_cast<int>(pattern.units.size()));
  std::partial_sum(pattern.place_begin.begin(), pattern.place_begin.end(), pattern.place_begin.begin());
  make_matrix(vertex_count, pattern);
  std::vector<std::array<double, 3>> points(vertex_count);
  for (int vertex = 0; vertex < vertex_count; ++vertex)
    points[vertex] = {positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]};
  pattern.vertex_order = space_filling_order(points);
  return pattern;
}

}  // namespace holo
