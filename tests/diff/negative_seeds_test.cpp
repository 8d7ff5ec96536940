// Roots and logarithms of numbers whose perturbation is negative stay on the principal branch, in every scalar: an argument in
// [0, 2 pi) would give sqrt(4 - x) at 0 the value -2 and a derivative of 1e24.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/accelerated_paper.h"
#include "holo/diff/scalars/jet.h"
#include "holo/diff/scalars/multicomplex.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/scalars/taylor.h"
#include "holo/diff/singular/puiseux.h"
#include "holo/diff/singular/rays.h"

namespace holo {
namespace {

// The value and the derivatives of a function along x, as many as the scalar has.
using Derivatives = std::vector<double>;

template <int n>
struct AlongNilpotent {
  template <class F>
  static Derivatives of(const F& f, double x) {
    double ones[n];
    for (double& one : ones) one = 1;
    const Nilpotent<n> y = f(Nilpotent<n>::seed(x, ones));
    Derivatives d;
    for (int k = 0; k <= n; ++k) d.push_back(y.coefficient((1 << k) - 1));
    return d;
  }
};
template <int n>
struct AlongTaylor {
  template <class F>
  static Derivatives of(const F& f, double x) {
    const Taylor<n> y = f(Taylor<n>::variable(x));
    Derivatives d;
    for (int k = 0; k <= n; ++k) d.push_back(y.derivative(k));
    return d;
  }
};
struct AlongJet {
  template <class F>
  static Derivatives of(const F& f, double x) {
    const Jet<2, 1> y = f(Jet<2, 1>::variable(0, x));
    return {y.value(), y.gradient(0), y.hessian(0, 0)};
  }
};
struct AlongComplex {
  template <class F>
  static Derivatives of(const F& f, double x) {
    const Complex<double> y = f(Complex<double>::seed(x, 1.0));
    return {y.value(), y.derivative()};
  }
};
template <int n>
struct AlongMulticomplex {
  template <class F>
  static Derivatives of(const F& f, double x) {
    double ones[n];
    for (double& one : ones) one = 1;
    const Multicomplex<n> y = f(Multicomplex<n>::seed(x, ones));
    Derivatives d;
    for (int k = 0; k <= n; ++k) d.push_back(y.derivative((1 << k) - 1));
    return d;
  }
};
struct AlongAccelerated {
  template <class F>
  static Derivatives of(const F& f, double x) {
    const AcceleratedPaper<double> y = f(AcceleratedPaper<double>::seed(x, 1.0));
    return {y.value(), y.derivative()};
  }
};
// In the last lane; the others hold other points.
struct AlongLanes {
  template <class F>
  static Derivatives of(const F& f, double x) {
    using L = Nilpotent<2, LaneBlock>;
    LaneBlock points(x - 0.5);
    points.set(LaneBlock::width - 1, x);
    const L y = f(L::seed(points, {LaneBlock(1.0), LaneBlock(1.0)}));
    const int lane = LaneBlock::width - 1;
    return {y.coefficient(0)[lane], y.coefficient(1)[lane], y.coefficient(3)[lane]};
  }
};
template <int side>
struct AlongPuiseux {
  template <class F>
  static Derivatives of(const F& f, double x) {
    const Puiseux y = f(Puiseux::seed(x, side, Puiseux::least_terms));
    Derivatives d;
    for (int k = 0; k <= 3; ++k) d.push_back(detail::derivative_of(y, k, side).value);
    return d;
  }
};

template <class Scalar>
class NegativeSeeds : public ::testing::Test {};
using Scalars = ::testing::Types<AlongNilpotent<1>, AlongNilpotent<2>, AlongNilpotent<3>, AlongNilpotent<4>, AlongTaylor<2>,
                                 AlongTaylor<5>, AlongJet, AlongComplex, AlongMulticomplex<1>, AlongMulticomplex<2>,
                                 AlongMulticomplex<3>, AlongAccelerated, AlongLanes, AlongPuiseux<-1>, AlongPuiseux<1>>;
TYPED_TEST_SUITE(NegativeSeeds, Scalars);

// (c - x)^p: d_k = -d_(k-1) (p - k + 1) / (c - x).
template <class Scalar, class F>
void expect_power(const F& f, double c, double p, double x) {
  const Derivatives found = Scalar::of(f, x);
  double expected = std::pow(c - x, p);
  ASSERT_GE(found.size(), 2u);
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_NEAR(found[k], expected, 4e-15 * std::abs(expected)) << "order " << k;
    expected *= -(p - double(k)) / (c - x);
  }
}

TYPED_TEST(NegativeSeeds, KeepThePrincipalBranch) {
  const auto root = [](const auto& y) { return sqrt(4.0 - y); };
  const auto power = [](const auto& y) { return pow(3.0 - y, 0.3); };
  for (double x : {0.0, 0.7, -2.5}) {
    expect_power<TypeParam>(root, 4, 0.5, x);
    expect_power<TypeParam>(power, 3, 0.3, x);
    const Derivatives logarithm = TypeParam::of([](const auto& y) { return log(5.0 - y); }, x);
    EXPECT_NEAR(logarithm[0], std::log(5 - x), 4e-15);
    double expected = -1 / (5 - x);
    for (std::size_t k = 1; k < logarithm.size(); ++k) {
      EXPECT_NEAR(logarithm[k], expected, 4e-15 * std::abs(expected)) << "order " << k;
      expected *= double(k) / (5 - x);
    }
  }
}

}  // namespace
}  // namespace holo
