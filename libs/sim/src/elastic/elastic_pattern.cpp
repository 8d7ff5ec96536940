// Builds the matrix entries of elements' contributions, and the order of their summation.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "elastic/elastic_model_builder.h"

namespace holo {
namespace {

// A stencil entry, or a partial sum, and where in the matrix it belongs.
struct Contribution {
  int cluster, column, row, index;
};

bool is_first_point(const ElasticModel& model, std::size_t block) {
  return block == 0 || model.block(block).vertices != model.block(block - 1).vertices;
}

// The end of the stencil entries of the blocks before `end`.
std::size_t end_of_entries(const ElasticModel& model, std::size_t end) {
  const ElementBlock last = model.block(end - 1);
  return last.first_entry + ElasticPattern::entries_of(last.nodes) * ElasticModel::lanes;
}

// The stencil entries of one element: the diagonal, then the blocks below it by columns.
void add_entries(const ElementBlock& block, std::size_t lane, int cluster, std::vector<Contribution>& result) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  const auto vertex = [&](int v) { return block.vertices[static_cast<std::size_t>(v) * lanes + lane]; };
  auto index = static_cast<int>(block.first_entry + lane * ElasticPattern::entries_of(block.nodes));
  for (int v = 0; v < block.nodes; ++v) result.push_back({cluster, vertex(v), vertex(v), index++});
  for (int column = 0; column < block.nodes; ++column)
    for (int row = column + 1; row < block.nodes; ++row) result.push_back({cluster, vertex(column), vertex(row), index++});
}

// All stencil entries, sorted by cluster, then by the matrix entry that they add to, then by number.
std::vector<Contribution> entries_by_cluster(const ElasticModel& model) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  std::vector<Contribution> result;
  result.reserve(end_of_entries(model, model.block_count()));
  for (std::size_t block = 0; block < model.block_count(); ++block)
    for (std::size_t lane = 0; lane < lanes && is_first_point(model, block); ++lane)
      if (model.packed_elements()[block * lanes + lane] >= 0)
        add_entries(model.block(block), lane, static_cast<int>(block / ElasticPattern::cluster_blocks), result);
  std::sort(result.begin(), result.end(), [](const Contribution& a, const Contribution& b) {
    return std::tie(a.cluster, a.column, a.row, a.index) < std::tie(b.cluster, b.column, b.row, b.index);
  });
  return result;
}

// Gives each matrix entry that a cluster reaches a partial sum, and each cluster a further one for its padding.
std::vector<Contribution> make_partials(const ElasticModel& model, ElasticPattern& pattern) {
  const std::size_t blocks = model.block_count();
  const auto clusters = static_cast<int>((blocks + ElasticPattern::cluster_blocks - 1) / ElasticPattern::cluster_blocks);
  pattern.sum_of_entry.assign(end_of_entries(model, blocks), -1);
  pattern.cluster_begin = {0};
  std::vector<Contribution> result;
  int next = -1, column = -1, row = -1;
  std::size_t closed = 0;  // entries of clusters that have ended
  // Ends all clusters before `until`: each gets its last partial sum, which takes the stencil entries of padding and is never
  // read.
  auto close_clusters = [&](int until) {
    for (int cluster = static_cast<int>(pattern.cluster_begin.size()) - 1; cluster < until; ++cluster) {
      const std::size_t end =
          end_of_entries(model, std::min(blocks, static_cast<std::size_t>(cluster + 1) * ElasticPattern::cluster_blocks));
      ++next;
      for (; closed < end; ++closed)
        if (pattern.sum_of_entry[closed] < 0) pattern.sum_of_entry[closed] = next;
      pattern.cluster_begin.push_back(static_cast<std::size_t>(next) + 1);
      column = row = -1;
    }
  };
  for (const Contribution& entry : entries_by_cluster(model)) {
    close_clusters(entry.cluster);
    if (entry.column != column || entry.row != row) {
      column = entry.column;
      row = entry.row;
      result.push_back({entry.cluster, column, row, ++next});
    }
    pattern.sum_of_entry[static_cast<std::size_t>(entry.index)] = next;
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
ElasticPattern make_pattern(const ElasticModel& model) {
  const int vertex_count = model.vertex_count();
  ElasticPattern pattern;
  pattern.entry_begin.assign(vertex_count + 1, 0);
  std::vector<Contribution> partials = make_partials(model, pattern);
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
