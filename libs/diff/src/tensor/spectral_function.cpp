#include "holo/diff/tensor/spectral_function.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tensor/checks.h"

namespace holo {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Gauss-Legendre rules on [0, 1].
struct Rule {
  int count;
  double nodes[6], weights[6];
};
constexpr Rule five{
    5,
    {0.046910077030668003601, 0.23076534494715845448, 0.5, 0.76923465505284154552, 0.95308992296933199640},
    {0.11846344252809454376, 0.23931433524968323402, 0.28444444444444444444, 0.23931433524968323402, 0.11846344252809454376}};
constexpr Rule six{6,
                   {0.033765242898423986094, 0.16939530676686774317, 0.38069040695840154568, 0.61930959304159845432,
                    0.83060469323313225683, 0.96623475710157601391},
                   {0.085662246189585172520, 0.18038078652406930378, 0.23395696728634552369, 0.23395696728634552369,
                    0.18038078652406930378, 0.085662246189585172520}};

// The integral of f^(k) over the simplex of points[0 ... k], of volume 1/k!: with x_0 + t_1 (x_1 - x_0) + ... + t_k (x_k -
// x_{k-1}), 1 >= t_1 >= ... >= t_k >= 0.
double over_simplex(const Rule& rule, const ScalarDerivative& derivative, const std::vector<double>& points, std::size_t next,
                    double x, double length) {
  if (next == points.size()) return derivative(x, int(points.size()) - 1);
  double sum = 0;
  for (int k = 0; k < rule.count; ++k) {
    const double t = length * rule.nodes[k];
    sum += rule.weights[k] * length *
           over_simplex(rule, derivative, points, next + 1, x + t * (points[next] - points[next - 1]), t);
  }
  return sum;
}

constexpr double rounding = 2.220446049250313e-16;  // relative, of a double

// Whether f^(k) at `end` is the extrapolation of the polynomial through f^(k) at the rule's nodes between `end` and `inner`. If
// not, f has a kink at `end`.
bool end_is_as_within(const ScalarDerivative& derivative, int k, double end, double inner) {
  double expected = 0, largest = 0;
  for (int i = 0; i < six.count; ++i) {
    double weight = 1;
    for (int j = 0; j < six.count; ++j)
      if (j != i) weight *= six.nodes[j] / (six.nodes[j] - six.nodes[i]);
    const double within = derivative(end + (inner - end) * six.nodes[i], k);
    expected += weight * within;
    largest = std::max(largest, std::abs(within));
  }
  return std::abs(derivative(end, k) - expected) <= 1e-11 * largest;
}
// A kink between an end of an interval and the next node, which no rule sees, shows in a sixteenth of the interval.
bool ends_are_as_within(const ScalarDerivative& derivative, int k, double low, double high) {
  const double part = (high - low) / 16;
  return end_is_as_within(derivative, k, low, low + part) && end_is_as_within(derivative, k, high, high - part);
}

constexpr int most_intervals = 1024;  // a jump of f' takes about a hundred

// The integral of f' over an interval, halved where f' is not smooth on it down to the resolution of numbers: right to
// rounding also where f' jumps. NaN once `intervals` are spent: rounding errors of f' hide whether it is smooth.
double integral_of_slope(const ScalarDerivative& derivative, double low, double high, int& intervals, int halvings = 0) {
  if (intervals-- <= 0) return std::numeric_limits<double>::quiet_NaN();
  const double width = high - low, middle = low + width / 2;
  if (halvings == 64 || width <= 4 * rounding * std::max(std::abs(low), std::abs(high))) return derivative(middle, 1) * width;
  double by_five = 0, by_six = 0, size = 0;
  for (int k = 0; k < five.count; ++k) by_five += five.weights[k] * derivative(low + width * five.nodes[k], 1);
  for (int k = 0; k < six.count; ++k) {
    const double slope = derivative(low + width * six.nodes[k], 1);
    by_six += six.weights[k] * slope;
    size += six.weights[k] * std::abs(slope);
  }
  if (!std::isfinite(size)) return size;
  if (std::abs(by_six - by_five) <= 1e-14 * size && ends_are_as_within(derivative, 1, low, high)) return by_six * width;
  const double lower = integral_of_slope(derivative, low, middle, intervals, halvings + 1);
  if (!std::isfinite(lower)) return lower;
  return lower + integral_of_slope(derivative, middle, high, intervals, halvings + 1);
}

// The points in increasing order. Two rules that agree to rounding, with the ends and with the difference of the lower divided
// differences, are exact: the points are near on the scale on which f changes, which nobody tells us, and no kink lies between.
double ordered_difference(const ScalarDerivative& derivative, const std::vector<double>& points) {
  const int order = int(points.size()) - 1;
  const double spread = points.back() - points.front();
  if (spread == 0) {
    double factorial = 1;
    for (int k = 2; k <= order; ++k) factorial *= k;
    return derivative(points[0], order) / factorial;
  }
  const std::vector<double> first(points.begin(), points.end() - 1), last(points.begin() + 1, points.end());
  const double low = ordered_difference(derivative, first), high = ordered_difference(derivative, last);
  const double difference = high - low, size = std::abs(high) + std::abs(low);
  const double integral = over_simplex(six, derivative, points, 1, points[0], 1);
  const double change = integral - over_simplex(five, derivative, points, 1, points[0], 1);
  if (std::abs(change) <= 1e-14 * std::abs(integral) && std::abs(integral * spread - difference) <= 1e-14 * size &&
      ends_are_as_within(derivative, order, points.front(), points.back()))
    return integral;
  constexpr double harmless_cancellation = 16;
  if (order == 1 && size > harmless_cancellation * std::abs(difference)) {
    int intervals = most_intervals;
    const double by_slope = integral_of_slope(derivative, points.front(), points.back(), intervals);
    if (intervals >= 0) return by_slope / spread;
  }
  return difference / spread;
}

}  // namespace

double divided_difference(const ScalarDerivative& derivative, std::vector<double> points) {
  if (points.empty() || points.size() > 4)
    detail::throw_mismatch("the number of points of a divided difference", std::to_string(points.size()), "1 to 4");
  std::sort(points.begin(), points.end());
  return ordered_difference(derivative, points);
}

SpectralFactorization::SpectralFactorization(const MatrixXd& value, const ScalarDerivative& derivative, int order) {
  detail::require_symmetric(MatrixSeries(DerivativeSet::subsets(1), value), "the argument of a spectral function");
  if (order > 3) detail::throw_mismatch("the order of a spectral function", std::to_string(order), "at most 3");
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(value);
  detail::count_factorization();
  vectors_ = eigen.eigenvectors();
  for (int k = 0; k <= order; ++k) {
    differences_.emplace_back(std::size_t(std::pow(double(value.rows()), k + 1)));
    Tuple tuple(std::size_t(k) + 1, 0);
    fill(derivative, eigen.eigenvalues(), tuple, 0, 0);
  }
}

std::size_t SpectralFactorization::position(const Tuple& tuple) const {
  std::size_t result = 0;
  for (const Index i : tuple) result = result * std::size_t(vectors_.rows()) + std::size_t(i);
  return result;
}
double SpectralFactorization::difference(Tuple tuple) const {
  std::sort(tuple.begin(), tuple.end());
  return differences_[tuple.size() - 1][position(tuple)];
}

void SpectralFactorization::fill(const ScalarDerivative& derivative, const VectorXd& values, Tuple& tuple, std::size_t slot,
                                 Index from) {
  if (slot < tuple.size()) {
    for (tuple[slot] = from; tuple[slot] < values.size(); ++tuple[slot]) fill(derivative, values, tuple, slot + 1, tuple[slot]);
    return;
  }
  std::vector<double> points;
  for (const Index i : tuple) points.push_back(values[i]);
  const double difference = ordered_difference(derivative, points);
  if (!std::isfinite(difference))
    throw TensorError(TensorError::Kind::not_finite, tuple[0],
                      "a spectral function or a derivative of it is not finite at the eigenvalue " +
                          detail::number_text(points[0]) + " (number " + std::to_string(tuple[0]) +
                          ", counted from 0); the eigenvalues must lie where the function is smooth");
  differences_.back()[position(tuple)] = difference;
}

// Adds to `sum` the chain of matrices between rows i_0 ... i_k, weighted by f[l_i0 ... l_ik].
void SpectralFactorization::add_chain(const std::vector<const MatrixXd*>& chain, MatrixXd& sum) const {
  const Index n = sum.rows();
  Tuple tuple(chain.size() + 1);
  const std::function<void(std::size_t, double)> extend = [&](std::size_t slot, double product) {
    if (slot == tuple.size()) {
      sum(tuple.front(), tuple.back()) += product * difference(tuple);
      return;
    }
    for (Index i = 0; i < n; ++i) {
      const double entry = (*chain[slot - 1])(tuple[slot - 1], i);
      tuple[slot] = i;
      if (entry != 0) extend(slot + 1, product * entry);
    }
  };
  for (tuple[0] = 0; tuple[0] < n; ++tuple[0]) extend(1, 1);
}

MatrixSeries SpectralFactorization::operator()(const MatrixSeries& A) const {
  const DerivativeSet& set = A.set();
  const MatrixXd& Q = vectors_;
  std::vector<MatrixXd> in_vectors(std::size_t(set.size()));
  for (int index = 1; index < set.size(); ++index)
    if (!A.is_zero(index)) in_vectors[index] = Q.transpose() * A[index] * Q;
  MatrixSeries result(set, A.rows(), A.rows());
  const auto store = [&](int index, const MatrixXd& sum) { result.set_coefficient(index, Q * sum * Q.transpose()); };
  MatrixXd value = MatrixXd::Zero(A.rows(), A.rows());
  for (Index i = 0; i < A.rows(); ++i) value(i, i) = difference({i});
  store(0, value);
  for (int index = 1; index < set.size(); ++index) {
    MatrixXd sum = MatrixXd::Zero(A.rows(), A.rows());
    // Ordered partitions: the monomial itself, and each first part followed by those of the rest.
    std::vector<const MatrixXd*> chain;
    const std::function<void(int)> partition = [&](int rest) {
      if (!A.is_zero(rest)) {
        chain.push_back(&in_vectors[rest]);
        add_chain(chain, sum);
        chain.pop_back();
      }
      for (const auto& [first, second] : set.splits(rest)) {
        if (A.is_zero(first)) continue;
        chain.push_back(&in_vectors[first]);
        partition(second);
        chain.pop_back();
      }
    };
    partition(index);
    store(index, sum);
  }
  return result;
}

MatrixSeries spectral_function(const MatrixSeries& A, const ScalarDerivative& derivative) {
  detail::require_symmetric(A, "the argument of a spectral function");
  return SpectralFactorization(A[0], derivative, A.set().order())(A);
}

}  // namespace holo
