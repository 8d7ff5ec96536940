#include "elastic/element/feasible_step.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "holo/core/numerics/parallel.h"
#include "holo/diff/lanes/lanes.h"

namespace holo {
namespace {

constexpr double kept_fraction = 0.1;  // of the distance to a bound, which a step must leave

double evaluate(const double (&c)[4], double t) { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }

// The extrema of the cubic, ascending and clamped to [0, 1]: the roots of c1 + 2 c2 t + 3 c3 t^2 without cancellation.
std::array<double, 2> turning_points(const double (&c)[4]) {
  const double discriminant = c[2] * c[2] - 3 * c[1] * c[3];
  if (!(discriminant > 0)) return {1, 1};  // monotone: one piece
  const double q = -(c[2] + std::copysign(std::sqrt(discriminant), c[2]));
  double a = q / (3 * c[3]), b = c[1] / q;
  auto inside = [](double t) { return std::isfinite(t) ? std::clamp(t, 0.0, 1.0) : 1.0; };
  a = inside(a);
  b = inside(b);
  return {std::min(a, b), std::max(a, b)};
}

// Root of a monotone piece with c(low) > 0 >= c(high), from below.
double bisect(const double (&c)[4], double low, double high) {
  for (int i = 0; i < 60 && high - low > 1e-15 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (evaluate(c, middle) > 0 ? low : high) = middle;
  }
  return low;
}

// det(F + t D) = det F + t (cof F : D) + t^2 (F : cof D) + t^3 det D, of each lane.
struct Cubic {
  LaneBlock coefficients[4];
};

Cubic determinant_along(const double* F, const double* D) {
  LaneBlock f[9], d[9];
  for (int k = 0; k < 9; ++k) f[k] = LaneBlock::load(F + k * W), d[k] = LaneBlock::load(D + k * W);
  auto cofactors = [](const LaneBlock* m, LaneBlock* result) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        result[3 * i + j] = m[3 * i1 + j1] * m[3 * i2 + j2] - m[3 * i1 + j2] * m[3 * i2 + j1];
      }
  };
  LaneBlock f_cofactors[9], d_cofactors[9];
  cofactors(f, f_cofactors);
  cofactors(d, d_cofactors);
  Cubic cubic{{f[0] * f_cofactors[0] + f[1] * f_cofactors[1] + f[2] * f_cofactors[2], f_cofactors[0] * d[0],
               d_cofactors[0] * f[0], d[0] * d_cofactors[0] + d[1] * d_cofactors[1] + d[2] * d_cofactors[2]}};
  for (int k = 1; k < 9; ++k) {
    cubic.coefficients[1] += f_cofactors[k] * d[k];
    cubic.coefficients[2] += d_cofactors[k] * f[k];
  }
  return cubic;
}

// Largest t in (0, 1] where the distance of the determinant from a bound is not below its part at the start.
double bound_limit(const Cubic& cubic, double bound) {
  const LaneBlock inverse = LaneBlock(1.0) / (cubic.coefficients[0] - LaneBlock(bound)), zero(0.0);
  LaneBlock c[4] = {LaneBlock(1 - kept_fraction), cubic.coefficients[1] * inverse, cubic.coefficients[2] * inverse,
                    cubic.coefficients[3] * inverse};
  const LaneBlock lower_bound = c[0] + min(c[1], zero) + min(c[2], zero) + min(c[3], zero);  // of c on [0, 1]
  double limit = 1;
  for (std::size_t lane = 0; lane < W; ++lane) {
    if (lower_bound[lane] > 0) continue;
    const double scalar[4] = {c[0][lane], c[1][lane], c[2][lane], c[3][lane]};
    limit = std::min(limit, smallest_root(scalar));
  }
  return limit;
}

double block_limit(const ElasticBody& body, const double* F, const double* D, bool keeps_orientation) {
  const Cubic cubic = determinant_along(F, D);
  double limit = bound_limit(cubic, keeps_orientation ? std::max(body.determinant_minimum, 0.0) : body.determinant_minimum);
  if (std::isfinite(body.determinant_maximum)) limit = std::min(limit, bound_limit(cubic, body.determinant_maximum));
  return limit;
}

double cluster_limit(const ElasticModel& model, const double* x, const double* direction, bool of_all_bodies, std::size_t begin,
                     std::size_t end) {
  ElementBatch batch;
  double limit = 1;
  for_each_batch(model, begin, end, [&](const ElasticBody& body, std::size_t first, std::size_t count) {
    if (!of_all_bodies && !body.limits_determinant()) return;
    deformation_gradients(model, x, first, count, batch.deformation);
    deformation_gradients(model, direction, first, count, batch.stress);
    for (std::size_t n = 0; n < count; ++n)
      limit = std::min(limit, block_limit(body, batch.deformation + n * 9 * W, batch.stress + n * 9 * W, of_all_bodies));
  });
  return limit;
}

}  // namespace

// The pieces between turning points are monotone: the first one that ends at or below 0 has the root.
double smallest_root(const double (&c)[4]) {
  const auto turning = turning_points(c);
  double low = 0;
  for (double high : {turning[0], turning[1], 1.0}) {
    if (high > low && !(evaluate(c, high) > 0)) return bisect(c, low, high);
    low = high;
  }
  return 1;
}

double feasible_step(const ElasticModel& model, const double* x, const double* direction, bool of_all_bodies) {
  struct Work {
    const ElasticModel& model;
    const double *x, *direction;
    bool of_all_bodies;
  } work{model, x, direction, of_all_bodies};
  return std::min(1.0, parallel_minimum(model.block_count(), cluster_blocks, [&work](std::size_t begin, std::size_t end) {
                    return cluster_limit(work.model, work.x, work.direction, work.of_all_bodies, begin, end);
                  }));
}

}  // namespace holo
