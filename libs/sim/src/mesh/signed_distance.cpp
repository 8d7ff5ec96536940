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

// The distance to the nearest point of the segment from a to b, less the radius.
SignedDistance capsule(const Point& a, const Point& b, double radius) {
  const Point axis = b - a;
  const double squared = dot(axis, axis);
  return [=](const Point& x) {
    const double along = squared > 0 ? std::clamp(dot(x - a, axis) / squared, 0.0, 1.0) : 0.0;
    return length(x - a - along * axis) - radius;
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
