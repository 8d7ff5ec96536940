#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "holo/sim/mesh/shapes.h"

namespace holo {

namespace {

using Cells = std::array<std::int64_t, 3>;  // along x, y, z

constexpr double element_count_tolerance = 0.03;

// The number of cubic cells along each axis; one for an axis shorter than a cell, which makes the cells larger along the
// others.
std::array<double, 3> ideal_cells(const std::array<double, 3>& size, double wanted) {
  std::array<double, 3> ideal{};
  std::array<bool, 3> single{};
  for (int round = 0; round < 3; ++round) {
    double product = 1;
    int free_axes = 0;
    for (int axis = 0; axis < 3; ++axis)
      if (!single[axis]) product *= size[axis], ++free_axes;
    const double edge = std::pow(product / wanted, 1.0 / std::max(free_axes, 1));
    for (int axis = 0; axis < 3; ++axis) {
      ideal[axis] = single[axis] ? 1.0 : size[axis] / edge;
      single[axis] = ideal[axis] <= 1;
    }
  }
  return ideal;
}

// Among the grids whose count is within 3 % of the wanted one, that of the most cubic cells; else that of the nearest count.
Cells choose_cells(const std::array<double, 3>& size, int elements) {
  const double wanted = elements / 6.0;
  const std::array<double, 3> ideal = ideal_cells(size, wanted);
  const auto first = [&](int axis) { return std::max<std::int64_t>(1, std::llround(std::floor(ideal[axis] * 0.75))); };
  const auto last = [&](int axis) { return std::max<std::int64_t>(1, std::llround(std::ceil(ideal[axis] * 1.33))); };
  Cells best{1, 1, 1};
  std::array<double, 2> best_cost{HUGE_VAL, HUGE_VAL};
  const auto try_cells = [&](const Cells& cells) {
    const double error = std::abs(double(cells[0]) * double(cells[1]) * double(cells[2]) / wanted - 1);
    const std::array<double, 3> edges{size[0] / cells[0], size[1] / cells[1], size[2] / cells[2]};
    const double aspect = *std::max_element(edges.begin(), edges.end()) / *std::min_element(edges.begin(), edges.end());
    const std::array<double, 2> cost{std::max(error, element_count_tolerance), aspect};
    if (cost >= best_cost) return;
    best_cost = cost;
    best = cells;
  };
  for (std::int64_t x = first(0); x <= last(0); ++x)
    for (std::int64_t y = first(1); y <= last(1); ++y) {
      const auto z = static_cast<std::int64_t>(wanted / (double(x) * double(y)));
      try_cells({x, y, std::max<std::int64_t>(1, z)});
      try_cells({x, y, z + 1});
    }
  return best;
}

// The six paths from corner 000 to corner 111 of a cell, one for each order of the axes; bits of a corner: x 1, y 2, z 4.
// Every cell is cut alike, so that neighbors share their faces' diagonals. Each determinant is positive.
constexpr int kuhn[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

}  // namespace

TetrahedralMesh box_mesh(const std::array<double, 3>& size, int elements) {
  for (double length : size)
    if (!(length > 0 && length < 1e6))
      throw Error(Failure::input, fmt::format("box: an edge is {} m, above 0 and below 1e6 is required", length));
  if (elements < 6) throw Error(Failure::input, fmt::format("box: {} elements, at least 6 are required", elements));
  const Cells n = choose_cells(size, elements);
  if (double(n[0] + 1) * double(n[1] + 1) * double(n[2] + 1) > 2e9)
    throw Error(Failure::input, fmt::format("box: {} x {} x {} cells are more than this mesh can number", n[0], n[1], n[2]));

  TetrahedralMesh mesh;
  mesh.source = fmt::format("{} tetrahedra in {} x {} x {} cells", 6 * n[0] * n[1] * n[2], n[0], n[1], n[2]);
  const auto vertex = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<int>(x + (n[0] + 1) * (y + (n[1] + 1) * z));
  };
  for (std::int64_t z = 0; z <= n[2]; ++z)
    for (std::int64_t y = 0; y <= n[1]; ++y)
      for (std::int64_t x = 0; x <= n[0]; ++x)
        mesh.vertices.push_back({size[0] * (double(x) / double(n[0])), size[1] * (double(y) / double(n[1])),
                                 size[2] * (double(z) / double(n[2]))});  // the last is the size itself
  for (std::int64_t z = 0; z < n[2]; ++z)
    for (std::int64_t y = 0; y < n[1]; ++y)
      for (std::int64_t x = 0; x < n[0]; ++x)
        for (const auto& path : kuhn) {
          std::array<int, 4> corners;
          for (int i = 0; i < 4; ++i) corners[i] = vertex(x + (path[i] & 1), y + (path[i] >> 1 & 1), z + (path[i] >> 2));
          mesh.tetrahedra.push_back(corners);
        }
  return mesh;
}

}  // namespace holo
