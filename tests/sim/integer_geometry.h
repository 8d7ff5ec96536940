#pragma once
// The part of a segment that lies in a triangle or an edge, in integer arithmetic: an oracle of intersections that shares no
// formula with them.

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

namespace holo::test {

using Integer = boost::multiprecision::int1024_t;
using IntegerPoint = std::array<Integer, 3>;
using Corners = std::array<std::array<double, 3>, 5>;  // of a segment, then of a triangle

// Coordinates are multiples of 2^-80 below 2^6.
inline IntegerPoint in_integers(const std::array<double, 3>& x) {
  IntegerPoint result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = Integer(std::ldexp(x[i], 80));
  return result;
}
inline IntegerPoint integer_difference(const IntegerPoint& a, const IntegerPoint& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline IntegerPoint integer_cross(const IntegerPoint& a, const IntegerPoint& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Integer integer_dot(const IntegerPoint& a, const IntegerPoint& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The numbers t in [0, 1] for which linear functions a + b t are not negative, as an interval of fractions.
class Interval {
 public:
  void require_nonnegative(const Integer& a, const Integer& b) {
    if (b == 0) {
      if (a < 0) empty_ = true;
    } else if (b > 0) {
      if (-a * lower_den_ > lower_ * b) lower_ = -a, lower_den_ = b;
    } else {
      if (a * upper_den_ < upper_ * -b) upper_ = a, upper_den_ = -b;
    }
  }
  bool is_empty() const { return empty_ || lower_ * upper_den_ > upper_ * lower_den_; }
  bool has_positive() const { return !is_empty() && upper_ > 0; }

 private:
  Integer lower_ = 0, lower_den_ = 1, upper_ = 1, upper_den_ = 1;
  bool empty_ = false;
};

// The part of a segment in a triangle with an area, by the half spaces whose intersection the triangle is.
inline Interval part_in_triangle(const Corners& corners) {
  std::array<IntegerPoint, 5> x;
  for (std::size_t i = 0; i < 5; ++i) x[i] = in_integers(corners[i]);
  const IntegerPoint n = integer_cross(integer_difference(x[3], x[2]), integer_difference(x[4], x[2])),
                     direction = integer_difference(x[1], x[0]);
  Interval part;
  const auto require = [&](const IntegerPoint& normal, const IntegerPoint& point) {
    part.require_nonnegative(integer_dot(normal, integer_difference(x[0], point)), integer_dot(normal, direction));
  };
  require(n, x[2]);
  require({-n[0], -n[1], -n[2]}, x[2]);
  for (std::size_t i = 0; i < 3; ++i) require(integer_cross(n, integer_difference(x[2 + (i + 1) % 3], x[2 + i])), x[2 + i]);
  return part;
}

// The part of a segment in another, from corner i to corner j: by its line, unless it is a point, and its ends.
inline Interval part_in_edge(const Corners& corners, std::size_t i, std::size_t j) {
  const IntegerPoint p = in_integers(corners[0]), a = in_integers(corners[i]),
                     direction = integer_difference(in_integers(corners[1]), p),
                     edge = integer_difference(in_integers(corners[j]), a), r = integer_difference(p, a);
  const bool is_point = integer_dot(edge, edge) == 0;
  const IntegerPoint at = is_point ? r : integer_cross(edge, r), along = is_point ? direction : integer_cross(edge, direction);
  Interval part;
  for (std::size_t k = 0; k < 3; ++k) {
    part.require_nonnegative(at[k], along[k]);
    part.require_nonnegative(-at[k], -along[k]);
  }
  part.require_nonnegative(integer_dot(edge, r), integer_dot(edge, direction));
  part.require_nonnegative(integer_dot(edge, edge) - integer_dot(edge, r), -integer_dot(edge, direction));
  return part;
}

inline bool has_area(const Corners& corners) {
  const IntegerPoint a = in_integers(corners[2]);
  const IntegerPoint n =
      integer_cross(integer_difference(in_integers(corners[3]), a), integer_difference(in_integers(corners[4]), a));
  return integer_dot(n, n) != 0;
}

}  // namespace holo::test
