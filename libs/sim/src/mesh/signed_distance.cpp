#include <algorithm>
#include <cmath>

#include "holo/sim/mesh/shapes.h"

namespace holo {

namespace {

using Point = std::array<double, 3>;

Point operator-(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point operator+(const Point& a, const Point& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Point operator*(double s, const Point& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Point& a) { return std::hypot(a[0], a[1], a[2]); }

}  // namespace

SignedDistance sphere(const Point& center, double radius) {
  return [=](const Point& x) { return length(x - center) - radius; };
}

// The nearest point y to x solves x_i - y_i = t y_i/a_i^2, hence y_i = a_i^2 x_i/(t + a_i^2). |(y_i/a_i)| falls with s = t +
// m^2 from s = 0 on, m the smallest semi-axis, and is 1 for the nearest point: a bisection. Where it is below 1 from the
// beginning, as at the center, y leaves the plane of symmetry across the smallest semi-axis.
SignedDistance ellipsoid(const Point& center, const Point& semi_axes) {
  constexpr int bisections = 100;          // 2^-100 of the first interval: rounding
  constexpr double on_surface = 1 - 1e-6;  // of |(y_i/a_i)|: where the bisection left it below, it found no zero
  const auto smallest = std::min_element(semi_axes.begin(), semi_axes.end()) - semi_axes.begin();
  const double largest = *std::max_element(semi_axes.begin(), semi_axes.end());
  const auto square = [=](std::size_t i) { return semi_axes[i] * semi_axes[i]; };
  const auto size = [=](const Point& y) { return std::hypot(y[0] / semi_axes[0], y[1] / semi_axes[1], y[2] / semi_axes[2]); };
  return [=](const Point& x) {
    const Point d = x - center;
    const auto candidate = [&](double s) {
      Point y{};
      for (std::size_t i = 0; i < 3; ++i) y[i] = d[i] == 0 ? 0 : square(i) * d[i] / (s + (square(i) - square(smallest)));
      return y;
    };
    double low = 0, high = length(d) * largest;
    for (int i = 0; i < bisections; ++i) (size(candidate((low + high) / 2)) > 1 ? low : high) = (low + high) / 2;
    Point y = candidate(high);
    if (size(y) < on_surface) {
      y[smallest] = 0;
      y[smallest] = std::copysign(semi_axes[smallest] * std::sqrt(1 - size(y) * size(y)), d[smallest]);
    }
    return size(d) < 1 ? -length(d - y) : length(d - y);
  };
}

// The distance to the nearest point of the segment from a to b, less the radius.
SignedDistance capsule(const Point& a, const Point& b, double radius) {
  const Point axis = b - a;
  const double squared = dot(axis, axis);
  return [=](const Point& x) {
    const double along = squared > 0 ? std::clamp(dot(x - a, axis) / squared, 0.0, 1.0) : 0.0;
    return length(x - a - along * axis) - radius;
  };
}

// The cone that touches both balls has the slope `sine` against the axis; the perpendiculars to it from the points where it
// begins and ends meet the axis in the balls' centers. Between them the nearest point lies on the cone, else on a ball.
SignedDistance round_cone(const Point& a, double radius_a, const Point& b, double radius_b) {
  const double height = length(b - a);
  if (height <= std::abs(radius_a - radius_b)) return radius_a >= radius_b ? sphere(a, radius_a) : sphere(b, radius_b);
  const Point axis = (1 / height) * (b - a);
  const double sine = (radius_a - radius_b) / height, cosine = std::sqrt(1 - sine * sine);
  return [=](const Point& x) {
    const double along = dot(x - a, axis), radial = length(x - a - along * axis);
    const double on_cone = cosine * along - sine * radial;  // along the cone's generator, from its beginning
    if (on_cone < 0) return length(x - a) - radius_a;
    if (on_cone > cosine * height) return length(x - b) - radius_b;
    return cosine * radial + sine * along - radius_a;
  };
}

// A plane through the axis cuts the cylinder in a rectangle; outside, the distance is that to its nearest corner or edge.
SignedDistance cylinder(const Point& a, const Point& b, double radius) {
  const double height = length(b - a);
  const Point axis = height > 0 ? (1 / height) * (b - a) : Point{0, 0, 1};
  const Point middle = 0.5 * (a + b);
  return [=](const Point& x) {
    const double along = dot(x - middle, axis);
    const double radial = length(x - middle - along * axis) - radius;
    const double axial = std::abs(along) - height / 2;
    return std::min(std::max(radial, axial), 0.0) + std::hypot(std::max(radial, 0.0), std::max(axial, 0.0));
  };
}

// In a plane through the axis the surface is two end faces and a straight line between their rims; the nearest point is that on
// one of the three.
SignedDistance cone(const Point& a, double radius_a, const Point& b, double radius_b) {
  const double height = length(b - a);
  const Point axis = height > 0 ? (1 / height) * (b - a) : Point{0, 0, 1};
  const double shrink = radius_b - radius_a, squared = height * height + shrink * shrink;
  return [=](const Point& x) {
    const double along = dot(x - a, axis), radial = length(x - a - along * axis);
    const double on_line = squared > 0 ? std::clamp(((radial - radius_a) * shrink + along * height) / squared, 0.0, 1.0) : 0.0;
    const double nearest = std::min({std::hypot(radial - radius_a - on_line * shrink, along - on_line * height),
                                     std::hypot(std::max(radial - radius_a, 0.0), along),
                                     std::hypot(std::max(radial - radius_b, 0.0), along - height)});
    const bool is_inside = along > 0 && along < height && (radial - radius_a) * height < along * shrink;
    return is_inside ? -nearest : nearest;
  };
}

// A box that is smaller by the rounding, grown by it.
SignedDistance box(const Point& center, const Point& half_size, double rounding) {
  const Point core = half_size - Point{rounding, rounding, rounding};
  return [=](const Point& x) {
    Point q = x - center;
    for (int i = 0; i < 3; ++i) q[i] = std::abs(q[i]) - core[i];
    const Point outside{std::max(q[0], 0.0), std::max(q[1], 0.0), std::max(q[2], 0.0)};
    return length(outside) + std::min(std::max({q[0], q[1], q[2]}), 0.0) - rounding;
  };
}

// The quadratic smooth minimum: where the two differ by less than `blend`, up to blend/4 is added to the body.
SignedDistance smooth_union(SignedDistance a, SignedDistance b, double blend) {
  return [a = std::move(a), b = std::move(b), blend](const Point& x) {
    const double da = a(x), db = b(x);
    if (!(blend > 0)) return std::min(da, db);
    const double overlap = std::max(blend - std::abs(da - db), 0.0) / blend;
    return std::min(da, db) - overlap * overlap * blend / 4;
  };
}

// Bounds of the distance with the right sign and surface, Lipschitz 1; away from the surface they may be too small.
SignedDistance intersection(SignedDistance a, SignedDistance b) {
  return [a = std::move(a), b = std::move(b)](const Point& x) { return std::max(a(x), b(x)); };
}

SignedDistance difference(SignedDistance a, SignedDistance b) {
  return [a = std::move(a), b = std::move(b)](const Point& x) { return std::max(a(x), -b(x)); };
}

}  // namespace holo
