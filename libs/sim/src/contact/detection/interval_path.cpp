#include "holo/sim/contact/detection/interval_path.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"

namespace holo {
namespace {

// The difference of a point of the first and one of the second primitive, F(t, u, v) = A(t) + u B(t) + v C(t), with A, B and C
// linear in t. A pair collides where F = 0, with u and v in [0, 1], and u + v <= 1 of a triangle.
struct DifferenceOfPoints {
  Eigen::Vector3d A, B, C;     // at t = 0 [m]
  Eigen::Vector3d dA, dB, dC;  // their changes until t = 1 [m]
  bool is_triangle;
  double error;  // bound of the rounding errors of each coordinate of F and of the positions [m]
  double size;   // bound of the coordinates of A, B and C [m]

  // F at the corners of a box: bit 0 for t, bit 1 for u, bit 2 for v.
  using Corners = Eigen::Matrix<double, 3, 8>;
};

struct ParameterBox {
  std::array<double, 3> lower, upper;  // t, u, v
};

// With the largest coordinates X and P of positions and displacements, and the unit roundoff e: A, B and C have the error
// 6 e (X + P) and at most the size 2 (X + P); with two products and two sums F has 32 e (X + P); the positions x + t p, which
// are computed, have 2 e (X + P) each. Together less than 40 e (X + P).
DifferenceOfPoints difference_of_points(const PairColumns& x, const PairColumns& p, bool is_triangle) {
  const double size = x.cwiseAbs().maxCoeff() + p.cwiseAbs().maxCoeff();
  const double error = 20 * std::numeric_limits<double>::epsilon() * size + std::numeric_limits<double>::min();
  if (is_triangle)
    return {x.col(0) - x.col(1),
            x.col(1) - x.col(2),
            x.col(1) - x.col(3),
            p.col(0) - p.col(1),
            p.col(1) - p.col(2),
            p.col(1) - p.col(3),
            true,
            error,
            2 * size};
  return {x.col(0) - x.col(2),
          x.col(1) - x.col(0),
          x.col(2) - x.col(3),
          p.col(0) - p.col(2),
          p.col(1) - p.col(0),
          p.col(2) - p.col(3),
          false,
          error,
          2 * size};
}

DifferenceOfPoints::Corners difference_corners(const DifferenceOfPoints& F, const ParameterBox& box) {
  DifferenceOfPoints::Corners corners;
  for (int i = 0; i < 2; ++i) {
    const double t = i == 0 ? box.lower[0] : box.upper[0];
    const Eigen::Vector3d A = F.A + t * F.dA, B = F.B + t * F.dB, C = F.C + t * F.dC;
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k)
        corners.col(i + 2 * j + 4 * k) =
            A + (j == 0 ? box.lower[1] : box.upper[1]) * B + (k == 0 ? box.lower[2] : box.upper[2]) * C;
  }
  return corners;
}

// Whether the products of the corners with a direction have one sign, by more than rounding errors: those of F and those of a
// product of at most three times the size. F is linear in each of t, u and v, so that its products have no others in the box.
bool has_one_sign(const DifferenceOfPoints& F, const DifferenceOfPoints::Corners& corners, Eigen::Vector3d direction) {
  const double length = direction.cwiseAbs().maxCoeff();
  if (!(length > 0) || !std::isfinite(length)) return false;
  direction /= length;
  const double error = (F.error + 9 * std::numeric_limits<double>::epsilon() * F.size) * direction.cwiseAbs().sum();
  const Eigen::Matrix<double, 1, 8> products = direction.transpose() * corners;
  return products.minCoeff() > error || products.maxCoeff() < -error;
}

// Whether F has certainly no zero in the box: tried along the axes, across both primitives, along F at the box's center, and
// along the part of that across the longer one, which is across both of parallel edges.
bool excludes_zero(const DifferenceOfPoints& F, const ParameterBox& box, const DifferenceOfPoints::Corners& corners) {
  if (F.is_triangle && box.lower[1] + box.lower[2] > 1) return true;
  for (int axis = 0; axis < 3; ++axis)
    if (corners.row(axis).minCoeff() > F.error || corners.row(axis).maxCoeff() < -F.error) return true;
  const double t = 0.5 * (box.lower[0] + box.upper[0]);
  const Eigen::Vector3d B = F.B + t * F.dB, C = F.C + t * F.dC, center = corners.rowwise().mean();
  const Eigen::Vector3d& longer = B.squaredNorm() > C.squaredNorm() ? B : C;
  return has_one_sign(F, corners, B.cross(C)) || has_one_sign(F, corners, center) ||
         has_one_sign(F, corners, center - center.dot(longer) / longer.squaredNorm() * longer);
}

// The largest change of F along t, u and v within the box [m].
std::array<double, 3> changes_along(const DifferenceOfPoints::Corners& corners) {
  std::array<double, 3> changes = {};
  for (int parameter = 0; parameter < 3; ++parameter)
    for (int corner = 0; corner < 8; ++corner)
      if (const int bit = 1 << parameter; (corner & bit) == 0)
        changes[static_cast<std::size_t>(parameter)] =
            std::max(changes[static_cast<std::size_t>(parameter)],
                     (corners.col(corner | bit) - corners.col(corner)).cwiseAbs().maxCoeff());
  return changes;
}

// Of two boxes the first one waits longer: that which begins later, or is larger.
bool waits_longer(const ParameterBox& a, const ParameterBox& b) {
  if (a.lower[0] != b.lower[0]) return a.lower[0] > b.lower[0];
  return a.upper[0] - a.lower[0] + (a.upper[1] - a.lower[1]) + (a.upper[2] - a.lower[2]) >
         b.upper[0] - b.lower[0] + (b.upper[1] - b.lower[1]) + (b.upper[2] - b.lower[2]);
}

// Bisection of boxes that may contain a zero. The earliest one is examined first, so that the first one that is too small to
// divide is the earliest possible collision, and so is the next one when the limit is reached. `waiting` is a heap and scratch.
PathCheck bisect(const DifferenceOfPoints& F, double end, const IntervalBisection& bisection,
                 std::vector<ParameterBox>& waiting) {
  std::size_t boxes = 0;
  const double resolution = std::max(bisection.resolution, 2 * F.error);
  waiting.assign(1, {{0, 0, 0}, {end, 1, 1}});
  while (!waiting.empty()) {
    std::pop_heap(waiting.begin(), waiting.end(), waits_longer);
    const ParameterBox box = waiting.back();
    waiting.pop_back();
    if (boxes == static_cast<std::size_t>(bisection.box_limit)) return {false, box.lower[0], box.upper[0], boxes};
    ++boxes;
    const DifferenceOfPoints::Corners corners = difference_corners(F, box);
    if (excludes_zero(F, box, corners)) continue;
    const std::array<double, 3> changes = changes_along(corners);
    const auto largest = std::max_element(changes.begin(), changes.end());
    const auto parameter = static_cast<std::size_t>(largest - changes.begin());
    const double middle = 0.5 * (box.lower[parameter] + box.upper[parameter]);
    const bool is_divisible = box.lower[parameter] < middle && middle < box.upper[parameter];
    if (*largest <= resolution || !is_divisible) return {false, box.lower[0], box.upper[0], boxes};
    for (const bool is_lower : {true, false}) {
      waiting.push_back(box);
      (is_lower ? waiting.back().upper : waiting.back().lower)[parameter] = middle;
      std::push_heap(waiting.begin(), waiting.end(), waits_longer);
    }
  }
  return {true, 0, 0, boxes};
}

PathCheck check_pair(const PairColumns& x, const PairColumns& p, bool is_triangle, double end,
                     const IntervalBisection& bisection, std::vector<ParameterBox>& waiting) {
  if (!x.allFinite() || !p.allFinite()) return {false, 0, end, 0};
  const DifferenceOfPoints F = difference_of_points(x, p, is_triangle);
  if (!std::isfinite(3 * F.size)) return {false, 0, end, 0};
  return bisect(F, end, bisection, waiting);
}

// The earlier result of two, with the boxes of both.
void merge_checks(PathCheck& earliest, const PathCheck& other) {
  const std::size_t boxes = earliest.boxes + other.boxes;
  if (!other.is_clear && (earliest.is_clear || other.first < earliest.first)) earliest = other;
  earliest.boxes = boxes;
}

}  // namespace

PathCheck check_point_triangle_path(const PairColumns& x, const PairColumns& p, double end,
                                    const IntervalBisection& bisection) {
  std::vector<ParameterBox> waiting;
  return check_pair(x, p, true, end, bisection, waiting);
}

PathCheck check_edge_edge_path(const PairColumns& x, const PairColumns& p, double end, const IntervalBisection& bisection) {
  std::vector<ParameterBox> waiting;
  return check_pair(x, p, false, end, bisection, waiting);
}

PathCheck check_path(const CollisionMesh& mesh, const Eigen::VectorXd& x, const Eigen::VectorXd& direction,
                     const CandidatePairs& candidates, double end, const IntervalBisection& bisection) {
  constexpr std::size_t chunk = 256;
  const std::size_t points = candidates.point_triangle.size(), count = points + candidates.edge_edge.size();
  std::vector<PathCheck> results((count + chunk - 1) / chunk);
  const auto body = [&](std::size_t begin, std::size_t stop) {
    PathCheck& earliest = results[begin / chunk];
    std::vector<ParameterBox> waiting;
    // Only what is earlier than the chunk's first collision is examined.
    for (std::size_t i = begin; i < stop && (earliest.is_clear || earliest.first > 0); ++i) {
      const double until = earliest.is_clear ? end : earliest.first;
      const auto check = [&](const auto& pair, bool is_triangle) {
        return check_pair(columns_of(mesh, pair, x), columns_of(mesh, pair, direction), is_triangle, until, bisection, waiting);
      };
      merge_checks(earliest,
                   i < points ? check(candidates.point_triangle[i], true) : check(candidates.edge_edge[i - points], false));
    }
  };
  parallel_for(count, chunk, std::ref(body));
  PathCheck earliest;
  for (const PathCheck& result : results) merge_checks(earliest, result);
  return earliest;
}

void require_clear_path(const CollisionMesh& mesh, const Eigen::VectorXd& x, const Eigen::VectorXd& direction,
                        const CandidatePairs& candidates, double end) {
  const PathCheck check = check_path(mesh, x, direction, candidates, end);
  if (check.is_clear) return;
  throw Error(
      Failure::internal,
      fmt::format(
          "The step {:.6g} along a direction of at most {:.6g} m was taken for free of collisions, but between {:.6g} and "
          "{:.6g} the interval test does not exclude one. This is a defect of collision detection; without "
          "contact.check_paths the run goes on with that step.",
          end, direction.cwiseAbs().maxCoeff(), check.first, check.last));
}

}  // namespace holo
