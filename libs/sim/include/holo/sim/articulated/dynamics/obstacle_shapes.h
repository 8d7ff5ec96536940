#pragma once
// Distances of a sphere and a rounded box at points of their frames, with derivatives, over any scalar.

#include "holo/diff/scalars/elementary.h"
#include "holo/sim/articulated/dynamics/obstacle.h"

namespace holo::articulated {

namespace detail {

template <class S>
HOLO_FN constexpr double real_part(const S& x) {
  if constexpr (requires { x.value(); })
    return double(x.value());
  else
    return double(x);
}

// The normal along a gradient g with the Hessian H, (1 - n n^T) H / |g|. Where g vanishes (the medial points of a sphere or
// box) the normal is z, without a derivative.
template <class S>
HOLO_FN constexpr void set_normal(const Vector3<S>& g, const Matrix3<S>& H, DistanceSample<S>& sample) {
  const S squared = dot(g, g);
  sample.normal = Vector3<S>{S(0.0), S(0.0), S(1.0)};
  sample.normal_gradient = Matrix3<S>{};
  if (squared < 1e-16) return;
  const S length = sqrt(squared);
  sample.normal = g / length;
  sample.normal_gradient = (H - outer(sample.normal, transpose(H) * sample.normal)) / length;
}

template <class S>
HOLO_FN constexpr DistanceSample<S> sphere_distance(double radius, const Vector3<S>& point) {
  DistanceSample<S> sample{};
  set_normal(point, identity3<S>(), sample);
  sample.distance = dot(sample.normal, point) - radius;
  sample.gradient = sample.normal;
  return sample;
}

// (1/beta) log sum exp(beta s) over the distances s from the six faces: smooth, and between max s and max s + log(6) / beta.
template <class S>
HOLO_FN constexpr DistanceSample<S> box_distance(const Vector3<double>& half_sizes, double sharpness, const Vector3<S>& point) {
  double largest = -half_sizes[0] - abs(real_part(point[0]));
  for (int i = 0; i < 3; ++i) largest = max(largest, abs(real_part(point[i])) - half_sizes[i]);
  S sum(0.0);
  Vector3<S> difference{}, total{};  // of the weights of opposite faces
  for (int i = 0; i < 3; ++i) {
    const S above = exp(sharpness * (point[i] - half_sizes[i] - largest)),
            below = exp(sharpness * (-point[i] - half_sizes[i] - largest));
    sum = sum + above + below;
    difference[i] = above - below;
    total[i] = above + below;
  }
  DistanceSample<S> sample{};
  sample.distance = log(sum) / sharpness + largest;
  sample.gradient = difference / sum;
  const Matrix3<S> hessian = sharpness * (diagonal(total / sum) - outer(sample.gradient, sample.gradient));
  set_normal(sample.gradient, hessian, sample);
  return sample;
}

}  // namespace detail

}  // namespace holo::articulated
