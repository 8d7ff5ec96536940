#pragma once
// Distance of a height field z = h(x, y), a uniform bicubic B-spline, at a point of its frame, with derivatives, over any
// scalar.

#include "holo/sim/articulated/dynamics/cubic_spline.h"
#include "holo/sim/articulated/dynamics/obstacle_shapes.h"

namespace holo::articulated::detail {

// h and its derivatives by x and y.
template <class S>
struct HeightSample {
  S value, x, y, xx, xy, yy;
};

template <class S>
HOLO_FN constexpr HeightSample<S> height_at(const Obstacle& field, const S& x, const S& y) {
  const S u = x / field.spacing, v = y / field.spacing;
  const double floor_u = std::floor(real_part(u)), floor_v = std::floor(real_part(v));
  const int column = cell_number(floor_u, field.columns), row = cell_number(floor_v, field.rows);
  const CubicWeights<S> a = cubic_weights(S(u - floor_u)), b = cubic_weights(S(v - floor_v));
  HeightSample<S> h{S(0.0), S(0.0), S(0.0), S(0.0), S(0.0), S(0.0)};
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) {
      const double c =
          field.heights[nearest_index(row + j - 1, field.rows) * field.columns + nearest_index(column + i - 1, field.columns)];
      h.value = h.value + c * (a.value[i] * b.value[j]);
      h.x = h.x + c * (a.first[i] * b.value[j]);
      h.y = h.y + c * (a.value[i] * b.first[j]);
      h.xx = h.xx + c * (a.second[i] * b.value[j]);
      h.xy = h.xy + c * (a.first[i] * b.first[j]);
      h.yy = h.yy + c * (a.value[i] * b.second[j]);
    }
  const double scale = 1 / field.spacing, squared = scale * scale;
  return {h.value, scale * h.x, scale * h.y, squared * h.xx, squared * h.xy, squared * h.yy};
}

// (z - h) / s with s = sqrt(1 + |grad h|^2) and the normal (-grad h, 1) / s. Neither needs a third derivative of h, which jumps
// between cells.
template <class S>
HOLO_FN constexpr DistanceSample<S> height_field_distance(const Obstacle& field, const Vector3<S>& point) {
  const HeightSample<S> h = height_at(field, point[0], point[1]);
  const Vector3<S> upward = {-h.x, -h.y, S(1.0)};
  const Matrix3<S> slope = {-h.xx, -h.xy, S(0.0), -h.xy, -h.yy, S(0.0), S(0.0), S(0.0), S(0.0)};  // d upward / d point
  DistanceSample<S> sample{};
  set_normal(upward, slope, sample);
  const S length = norm(upward), above = point[2] - h.value;
  sample.distance = above / length;
  sample.gradient = upward / length - (above / (length * length)) * (transpose(slope) * sample.normal);
  return sample;
}

}  // namespace holo::articulated::detail
