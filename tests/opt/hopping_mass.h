#pragma once
// A small trajectory with contact: heights y_i of a mass over the ground and the forces u_i that it needs.

#include <cmath>

#include "dense_constrained_problem.h"

namespace holo::test {

// Implicit Euler, m (y_i - 2 y_{i-1} + y_{i-2}) / dt^2 + m g - w max(-y_i, 0)^2 - u_i = 0, i = 1..N, from rest in static
// equilibrium; E = scale (weight sum u_i^2 + (y_N - target)^2). Unknowns (y_1..y_N, u_1..u_N). The contact force is
// continuously differentiable, its slope has a kink at y = 0. Nothing allocates.
struct HoppingMass : DenseConstrainedProblem {
  explicit HoppingMass(int steps, double stiffness = 2e4) : DenseConstrainedProblem(2 * steps, steps), N(steps), w(stiffness) {
    rest = -std::sqrt(mass * gravity / w);
    objective = [this](const Vector& x) {
      return scale * (weight * x.tail(N).squaredNorm() + (x[N - 1] - target) * (x[N - 1] - target));
    };
    constraints = [this](const Vector& x, Vector& C) {
      for (int i = 0; i < N; ++i) {
        const double before = i > 0 ? x[i - 1] : rest, earlier = i > 1 ? x[i - 2] : rest, depth = std::max(-x[i], 0.0);
        C[i] = mass * (x[i] - 2 * before + earlier) / (dt * dt) + mass * gravity - w * depth * depth - x[N + i];
      }
    };
    gradient = [this](const Vector& x, Vector& b) {
      b.setZero();
      b.tail(N) = 2 * scale * weight * x.tail(N);
      b[N - 1] = 2 * scale * (x[N - 1] - target);
    };
    hessian = [this](const Vector&, const Vector&, Matrix& H) {
      H.setZero();
      H.diagonal().tail(N).setConstant(2 * scale * weight);
      H(N - 1, N - 1) = 2 * scale;
    };
    jacobian = [this](const Vector& x, Matrix& A) {
      A.setZero();
      const double inertia = mass / (dt * dt);
      for (int i = 0; i < N; ++i) {
        A(i, i) = inertia + 2 * w * std::max(-x[i], 0.0);
        if (i > 0) A(i, i - 1) = -2 * inertia;
        if (i > 1) A(i, i - 2) = inertia;
        A(i, N + i) = -1;
      }
    };
  }
  // At rest on the ground.
  Vector start() const {
    Vector x = Vector::Zero(2 * N);
    x.head(N).setConstant(rest);
    return x;
  }

  const int N;
  const double w, mass = 2, gravity = 9.81, dt = 0.05, weight = 1e-5, target = 0.4;  // N/m^2, kg, m/s^2, s, 1/N^2, m
  double rest;                                                                       // m, in static equilibrium
  double scale = 1;                                                                  // of E
};

}  // namespace holo::test
