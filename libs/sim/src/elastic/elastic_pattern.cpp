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

// A unit, or a partial sum, and where in the matrix it belongs.
struct Contribution {
  int chunk, column, row, index;
};

std::vector<Contribution> units_by_chunk(const std::vector<int>& slot_vertices, const std::vector<int>& slot_elements) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  std::vector<Contribution> result;
  result.reserve(slot_elements.size() * 10);
  for (std::size_t slot = 0; slot < slot_elements.size(); ++slot) {
    if (slot_elements[slot] < 0) continue;
    const int* vertices = slot_vertices.data() + slot / lanes * 4 * lanes + slot % lanes;
    const int chunk = static_cast<int>(slot / lanes / ElasticPattern::chunk_blocks);
    for (int unit = 0; unit < 10; ++unit)
      result.push_back({chunk, vertices[unit_vertices[unit][1] * lanes], vertices[unit_vertices[unit][0] * lanes],
                        static_cast<int>(slot) * 10 + unit});
  }
  std::sort(result.begin(), result.end(), [](const Contribution& a, const Contribution& b) {
    return std::tie(a.chunk, a.column, a.row, a.index) < std::tie(b.chunk, b.column, b.row, b.index);
  });
  return result;
}

// Gives each place that a chunk reaches a partial sum, and each chunk one more for its padding.
std::vector<Contribution> make_partials(const std::vector<int>& slot_vertices, const std::vector<int>& slot_elements,
                                        ElasticPattern& pattern) {
  const std::size_t slots_per_chunk = ElasticPattern::chunk_blocks * ElasticModel::lanes;
  const int chunks = static_cast<int>((slot_elements.size() + slots_per_chunk - 1) / slots_per_chunk);
  pattern.unit_partials.assign(slot_elements.size() * 10, -1);
  pattern.chunk_partials = {0};
  std::vector<Contribution> result;
  int next = -1, column = -1, row = -1;
  auto close_chunks = [&](int until) {
    for (int chunk = static_cast<int>(pattern.chunk_partials.size()) - 1; chunk < until; ++chunk) {
      const std::size_t end = std::min(slot_elements.size(), static_cast<std::size_t>(chunk + 1) * slots_per_chunk);
      ++next;
      for (std::size_t i = static_cast<std::size_t>(chunk) * slots_per_chunk * 10; i < end * 10; ++i)
        if (pattern.unit_partials[i] < 0) pattern.unit_partials[i] = next;
      pattern.chunk_partials.push_back(static_cast<std::size_t>(next) + 1);
      column = row = -1;
    }
  };
  for (const Contribution& unit : units_by_chunk(slot_vertices, slot_elements)) {
    close_chunks(unit.chunk);
    if (unit.column != column || unit.row != row) {
      column = unit.column;
      row = unit.row;
      result.push_back({unit.chunk, column, row, ++next});
    }
    pattern.unit_partials[unit.index] = next;
  }
  close_chunks(chunks);
  return result;
}

void make_matrix(int vertex_count, ElasticPattern& pattern) {
  SparseMatrix& matrix = pattern.matrix;
  matrix.resize(3 * vertex_count, 3 * vertex_count);
  const auto nonzeros = static_cast<Eigen::Index>(9 * pattern.place_row.size() - 3 * static_cast<std::size_t>(vertex_count));
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

ElasticPattern make_pattern(int vertex_count, const std::vector<int>& slot_vertices, const std::vector<int>& slot_elements) {
  ElasticPattern pattern;
  pattern.place_begin.assign(vertex_count + 1, 0);
  std::vector<Contribution> partials = make_partials(slot_vertices, slot_elements, pattern);
  std::sort(partials.begin(), partials.end(), [](const Contribution& a, const Contribution& b) {
    return std::tie(a.column, a.row, a.chunk) < std::tie(b.column, b.row, b.chunk);
  });
  int column = -1, row = -1;
  for (const Contribution& partial : partials) {
    if (partial.column != column || partial.row != row) {
      column = partial.column;
      row = partial.row;
      pattern.place_row.push_back(row);
      pattern.partial_begin.push_back(static_cast<int>(pattern.partials.size()));
      ++pattern.place_begin[column + 1];
    }
    pattern.partials.push_back(partial.index);
  }
  pattern.partial_begin.push_back(static_cast<int>(pattern.partials.size()));
  pattern.partials.insert(pattern.partials.end(), ElasticPattern::read_ahead, 0);
  std::partial_sum(pattern.place_begin.begin(), pattern.place_begin.end(), pattern.place_begin.begin());
  make_matrix(vertex_count, pattern);
  return pattern;
}

}  // namespace holo
