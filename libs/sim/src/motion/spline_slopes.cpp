#include "motion/spline_slopes.h"

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "holo/core/error.h"

namespace holo {

namespace {

// Widths of the pieces and the slopes of their chords, [component][piece].
struct Pieces {
  Eigen::VectorXd widths;
  Eigen::MatrixXd chords;
  Eigen::Index count() const { return widths.size(); }
};

// ---- twice differentiable: the curvatures of two pieces agree at their knot, for m slopes, h widths, d chords
// h_i m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_{i-1} m_{i+1} = 3 (h_i d_{i-1} + h_{i-1} d_i)
class SlopeEquations {
 public:
  SlopeEquations(const Pieces& pieces, Eigen::Index unknowns)
      : pieces_(pieces), matrix_(unknowns, unknowns), right_(Eigen::MatrixXd::Zero(unknowns, pieces.chords.rows())) {}

  void add_knot(Eigen::Index left, Eigen::Index right, Eigen::Index before, Eigen::Index at, Eigen::Index after) {
    const double h = pieces_.widths[left], g = pieces_.widths[right];
    entries_.emplace_back(at, before, g), entries_.emplace_back(at, at, 2 * (h + g)), entries_.emplace_back(at, after, h);
    right_.row(at) = 3 * (g * pieces_.chords.col(left) + h * pieces_.chords.col(right)).transpose();
  }
  // 2 m + m' = 3 d: no curvature at the end.
  void add_natural_end(Eigen::Index piece, Eigen::Index at, Eigen::Index next) {
    entries_.emplace_back(at, at, 2), entries_.emplace_back(at, next, 1);
    right_.row(at) = 3 * pieces_.chords.col(piece).transpose();
  }
  // The end's piece and the one beside it are one cubic.
  void add_joined_end(Eigen::Index piece, Eigen::Index beside, Eigen::Index at, Eigen::Index next) {
    const double h = pieces_.widths[piece], g = pieces_.widths[beside], both = h + g;
    entries_.emplace_back(at, at, g), entries_.emplace_back(at, next, both);
    right_.row(at) = (((h + 2 * both) * g * pieces_.chords.col(piece) + h * h * pieces_.chords.col(beside)) / both).transpose();
  }
  Eigen::MatrixXd solve() {
    matrix_.setFromTriplets(entries_.begin(), entries_.end());
    Eigen::SparseLU<Eigen::SparseMatrix<double>> factor(matrix_);
    if (factor.info() != Eigen::Success)
      throw Error(Failure::input, "spline: the knots' distances differ too much, their slopes cannot be computed");
    return factor.solve(right_).transpose();
  }

 private:
  const Pieces& pieces_;
  std::vector<Eigen::Triplet<double>> entries_;  // of one place are added: two knots are neighbors on both sides
  Eigen::SparseMatrix<double> matrix_;
  Eigen::MatrixXd right_;
};

Eigen::MatrixXd closed_slopes(const Pieces& pieces) {
  const Eigen::Index count = pieces.count();
  SlopeEquations equations(pieces, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::Index before = (i + count - 1) % count;
    equations.add_knot(before, i, before, i, (i + 1) % count);
  }
  Eigen::MatrixXd slopes(pieces.chords.rows(), count + 1);
  slopes.leftCols(count) = equations.solve();
  slopes.col(count) = slopes.col(0);
  return slopes;
}

Eigen::MatrixXd open_slopes(const Pieces& pieces, bool natural) {
  const Eigen::Index last = pieces.count();
  SlopeEquations equations(pieces, last + 1);
  for (Eigen::Index i = 1; i < last; ++i) equations.add_knot(i - 1, i, i - 1, i, i + 1);
  if (natural) {
    equations.add_natural_end(0, 0, 1);
    equations.add_natural_end(last - 1, last, last - 1);
  } else {
    equations.add_joined_end(0, 1, 0, 1);
    equations.add_joined_end(last - 1, last - 2, last, last - 1);
  }
  return equations.solve();
}

// ---- local
double parabola_slope(double h, double d, double g, double e) { return (g * d + h * e) / (h + g); }
double parabola_end_slope(double h, double d, double g, double e) { return d + h * (d - e) / (h + g); }

// The weighted harmonic mean of the chords, 0 at a turning point.
double monotone_slope(double h, double d, double g, double e) {
  if (!(d * e > 0)) return 0;
  const double a = 2 * g + h, b = g + 2 * h;
  return (a + b) / (a / d + b / e);
}

double monotone_end_slope(double h, double d, double g, double e) {
  const double slope = parabola_end_slope(h, d, g, e);
  if (!(slope * d > 0)) return 0;
  return d * e <= 0 && std::abs(slope) > 3 * std::abs(d) ? 3 * d : slope;
}

using SlopeRule = double (*)(double, double, double, double);

Eigen::MatrixXd local_slopes(const Pieces& pieces, SlopeRule inner, SlopeRule end, SignalEnds ends) {
  const Eigen::Index count = pieces.count();
  Eigen::MatrixXd slopes(pieces.chords.rows(), count + 1);
  const auto slope = [&](SlopeRule rule, Eigen::Index left, Eigen::Index right, Eigen::Index component) {
    return rule(pieces.widths[left], pieces.chords(component, left), pieces.widths[right], pieces.chords(component, right));
  };
  for (Eigen::Index c = 0; c < slopes.rows(); ++c) {
    for (Eigen::Index i = 1; i < count; ++i) slopes(c, i) = slope(inner, i - 1, i, c);
    if (ends == SignalEnds::closed) {
      slopes(c, 0) = slopes(c, count) = slope(inner, count - 1, 0, c);
    } else {
      slopes(c, 0) = slope(end, 0, 1, c);
      slopes(c, count) = slope(end, count - 1, count - 2, c);
    }
  }
  return slopes;
}

}  // namespace

Eigen::MatrixXd spline_slopes(const Eigen::VectorXd& times, const Eigen::MatrixXd& values, SplineKind kind, SignalEnds ends) {
  const Eigen::Index count = times.size() - 1;
  Pieces pieces{times.tail(count) - times.head(count), values.rightCols(count) - values.leftCols(count)};
  for (Eigen::Index i = 0; i < count; ++i) pieces.chords.col(i) /= pieces.widths[i];
  if (count == 1) return pieces.chords.replicate(1, 2);  // a straight line
  const bool closed = ends == SignalEnds::closed;
  switch (kind) {
    case SplineKind::catmull_rom:
      return local_slopes(pieces, parabola_slope, parabola_end_slope, ends);
    case SplineKind::monotone:
      return local_slopes(pieces, monotone_slope, monotone_end_slope, ends);
    case SplineKind::natural:
      return open_slopes(pieces, true);
    case SplineKind::smooth:
      break;
  }
  if (closed) return closed_slopes(pieces);
  // Three knots carry one parabola.
  return count == 2 ? local_slopes(pieces, parabola_slope, parabola_end_slope, ends) : open_slopes(pieces, false);
}

}  // namespace holo
