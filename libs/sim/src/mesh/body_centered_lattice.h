#pragma once
// The body-centered cubic lattice of isosurface stuffing. Its vertices are the corners of cubic cells and the cells' centers,
// here in half-cell units: three even numbers are a corner, three odd ones a center. Two kinds of edges: long ones (a cell's
// edge, length h) between corners or between centers, short ones (sqrt(3)/2 h) from a corner to a center. Each tetrahedron has
// two long edges, opposite and perpendicular to each other: one between neighboring centers, one on the face that these share.

#include <array>
#include <cmath>
#include <cstdint>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

using LatticePoint = std::array<int, 3>;  // half-cell units

class BodyCenteredLattice {
 public:
  // Covers `box` with one cell to spare on every side; `shift` (cells, each from 0 to 1) moves it against the box's center.
  BodyCenteredLattice(const BoundingBox& box, double spacing, const std::array<double, 3>& shift) : spacing_(spacing) {
    for (int axis = 0; axis < 3; ++axis) {
      const double length = box.maximum[axis] - box.minimum[axis];
      cells_[axis] = static_cast<int>(std::ceil(length / spacing)) + 3;
      origin_[axis] =
          box.minimum[axis] + (length - cells_[axis] * spacing) / 2 + (shift[axis] - std::floor(shift[axis] + 0.5)) * spacing;
    }
    corners_ = product(cells_[0] + 1, cells_[1] + 1, cells_[2] + 1);
    centers_ = product(cells_[0], cells_[1], cells_[2]);
  }

  std::int64_t size() const { return corners_ + centers_; }
  double spacing() const { return spacing_; }
  const std::array<int, 3>& cells() const { return cells_; }

  bool contains(const LatticePoint& p) const {
    const int odd = p[0] & 1;
    for (int axis = 0; axis < 3; ++axis)
      if (p[axis] < odd || p[axis] > 2 * cells_[axis] - odd) return false;
    return true;
  }

  // Corners first, then centers, x fastest.
  std::int64_t index(const LatticePoint& p) const {
    const int odd = p[0] & 1;
    const std::int64_t nx = cells_[0] + 1 - odd, ny = cells_[1] + 1 - odd;
    return (odd ? corners_ : 0) + (p[0] >> 1) + nx * ((p[1] >> 1) + ny * (p[2] >> 1));
  }

  LatticePoint point(std::int64_t index) const {
    const int odd = index >= corners_ ? 1 : 0;
    if (odd) index -= corners_;
    const std::int64_t nx = cells_[0] + 1 - odd, ny = cells_[1] + 1 - odd;
    return {static_cast<int>(2 * (index % nx)) + odd, static_cast<int>(2 * (index / nx % ny)) + odd,
            static_cast<int>(2 * (index / (nx * ny))) + odd};
  }

  std::array<double, 3> position(const LatticePoint& p) const {
    return {origin_[0] + p[0] * (spacing_ / 2), origin_[1] + p[1] * (spacing_ / 2), origin_[2] + p[2] * (spacing_ / 2)};
  }

  // visit(a, b, c, d): a-b is the long edge between centers, c-d the one between corners.
  template <class Visit>
  void for_each_tetrahedron(Visit&& visit) const {
    for (int z = 1; z < 2 * cells_[2]; z += 2)
      for (int y = 1; y < 2 * cells_[1]; y += 2)
        for (int x = 1; x < 2 * cells_[0]; x += 2)
          for (int axis = 0; axis < 3; ++axis) visit_across({x, y, z}, axis, visit);
  }

 private:
  static std::int64_t product(std::int64_t a, std::int64_t b, std::int64_t c) { return a * b * c; }

  // The four tetrahedra around the face between the center and its next neighbor along the axis.
  template <class Visit>
  void visit_across(const LatticePoint& center, int axis, Visit& visit) const {
    LatticePoint next = center;
    next[axis] += 2;
    if (!contains(next)) return;
    constexpr int around[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    const auto corner = [&](int i) {
      LatticePoint p = center;
      p[axis] += 1;
      p[(axis + 1) % 3] += around[i][0];
      p[(axis + 2) % 3] += around[i][1];
      return p;
    };
    for (int side = 0; side < 4; ++side) visit(center, next, corner(side), corner(side + 1));
  }

  double spacing_;  // h, the edge of a cell [m]
  std::array<int, 3> cells_{};
  std::array<double, 3> origin_{};
  std::int64_t corners_ = 0, centers_ = 0;
};

// The 14 neighbors of a lattice point: 6 over long edges, then 8 over short ones.
constexpr int long_edge_count = 6;
constexpr std::array<LatticePoint, 14> lattice_neighbors = {{{2, 0, 0},
                                                             {-2, 0, 0},
                                                             {0, 2, 0},
                                                             {0, -2, 0},
                                                             {0, 0, 2},
                                                             {0, 0, -2},
                                                             {1, 1, 1},
                                                             {-1, 1, 1},
                                                             {1, -1, 1},
                                                             {-1, -1, 1},
                                                             {1, 1, -1},
                                                             {-1, 1, -1},
                                                             {1, -1, -1},
                                                             {-1, -1, -1}}};

inline bool is_long_edge(const LatticePoint& a, const LatticePoint& b) { return ((a[0] ^ b[0]) & 1) == 0; }

}  // namespace holo
