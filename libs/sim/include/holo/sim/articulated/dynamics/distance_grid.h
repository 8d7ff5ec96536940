#pragma once
// Distance of a grid, a uniform tricubic B-spline of signed distances, at a point of its frame, with derivatives, over any
// scalar. signed_distance_grid.h makes grids.

#include <cstddef>

#include "holo/sim/articulated/dynamics/cubic_spline.h"
#include "holo/sim/articulated/dynamics/obstacle_shapes.h"

namespace holo::articulated::detail {

// Sums over a line of four coefficients along x, with the weights of the value and of the first two derivatives by x.
template <class S>
struct LineSums {
  S value, x, xx;
};

template <class S>
HOLO_FN constexpr LineSums<S> line_sums(const Obstacle& grid, const double* line, int column, const CubicWeights<S>& a) {
  LineSums<S> sums{S(0.0), S(0.0), S(0.0)};
  for (int i = 0; i < 4; ++i) {
    const double c = line[nearest_index(column + i - 1, grid.columns)];
    sums.value = sums.value + c * a.value[i];
    sums.x = sums.x + c * a.first[i];
    sums.xx = sums.xx + c * a.second[i];
  }
  return sums;
}

// The same over a plane of lines, with the derivatives by x and y.
template <class S>
struct PlaneSums {
  S value, x, y, xx, xy, yy;
};

template <class S>
HOLO_FN constexpr PlaneSums<S> plane_sums(const Obstacle& grid, const double* plane, int column, int row,
                                          const CubicWeights<S>& a, const CubicWeights<S>& b) {
  PlaneSums<S> sums{S(0.0), S(0.0), S(0.0), S(0.0), S(0.0), S(0.0)};
  for (int j = 0; j < 4; ++j) {
    const LineSums<S> line = line_sums(grid, plane + nearest_index(row + j - 1, grid.rows) * grid.columns, column, a);
    sums.value = sums.value + b.value[j] * line.value;
    sums.x = sums.x + b.value[j] * line.x;
    sums.y = sums.y + b.first[j] * line.value;
    sums.xx = sums.xx + b.value[j] * line.xx;
    sums.xy = sums.xy + b.first[j] * line.x;
    sums.yy = sums.yy + b.second[j] * line.value;
  }
  return sums;
}

// The spline, its gradient and, as the normal's derivative, its Hessian: the normal has continuous first derivatives.
template <class S>
HOLO_FN constexpr DistanceSample<S> grid_distance(const Obstacle& grid, const Vector3<S>& point) {
  const Vector3<S> place = point / grid.spacing;
  const double cells[3] = {std::floor(real_part(place[0])), std::floor(real_part(place[1])), std::floor(real_part(place[2]))};
  const int column = cell_number(cells[0], grid.columns), row = cell_number(cells[1], grid.rows),
            layer = cell_number(cells[2], grid.layers);
  const CubicWeights<S> a = cubic_weights(S(place[0] - cells[0])), b = cubic_weights(S(place[1] - cells[1])),
                        c = cubic_weights(S(place[2] - cells[2]));
  S value(0.0);
  Vector3<S> gradient{};
  Matrix3<S> hessian{};
  for (int k = 0; k < 4; ++k) {
    const double* plane = grid.distances + std::ptrdiff_t(nearest_index(layer + k - 1, grid.layers)) * grid.rows * grid.columns;
    const PlaneSums<S> sums = plane_sums(grid, plane, column, row, a, b);
    const S &weight = c.value[k], &first = c.first[k];
    value = value + weight * sums.value;
    gradient += Vector3<S>{weight * sums.x, weight * sums.y, first * sums.value};
    hessian += Matrix3<S>{weight * sums.xx, weight * sums.xy, first * sums.x, weight * sums.xy,        weight * sums.yy,
                          first * sums.y,   first * sums.x,   first * sums.y, c.second[k] * sums.value};
  }
  const double scale = 1 / grid.spacing;
  DistanceSample<S> sample{};
  sample.distance = value;
  sample.gradient = scale * gradient;
  set_normal(sample.gradient, Matrix3<S>(scale * scale * hessian), sample);
  return sample;
}

}  // namespace holo::articulated::detail
