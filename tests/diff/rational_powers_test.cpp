// x^(q/m) of negative numbers for odd m: the real root, with the sign that q gives it, in every scalar.
#include <gtest/gtest.h>

#include <cmath>

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/complex.h"
#include "holo/diff/scalars/jet.h"
#include "holo/diff/scalars/multicomplex.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/scalars/taylor.h"
#include "holo/diff/singular/puiseux.h"

namespace holo {
namespace {

// d_k of x^p at a negative x: sign |x|^p, then d_(k-1) (p - k + 1) / x.
struct Power {
  double p, sign, x;
  double derivative(int order) const {
    double d = sign * std::pow(-x, p);
    for (int k = 1; k <= order; ++k) d *= (p - k + 1) / x;
    return d;
  }
  void expect(double found, int order) const {
    EXPECT_NEAR(found, derivative(order), 1e-14 * std::abs(derivative(order))) << "order " << order << ", " << p;
  }
};

template <int q, int m>
void expect_all_scalars(double x) {
  const Power power{double(q) / m, q % 2 == 0 ? 1.0 : -1.0, x};
  const auto f = [](const auto& y) { return rational_pow<q, m>(y); };
  const Nilpotent<3> a = f(Nilpotent<3>::seed(x, {1, 1, 1}));
  for (int k = 0; k <= 3; ++k) power.expect(a.coefficient((1 << k) - 1), k);
  const Taylor<5> b = f(Taylor<5>::seed(x, 1.0));
  for (int k = 0; k <= 5; ++k) power.expect(b.derivative(k), k);
  const Jet<2, 1> c = f(Jet<2, 1>::variable(0, x));
  power.expect(c.value(), 0), power.expect(c.gradient(0), 1), power.expect(c.hessian(0, 0), 2);
  const Complex<double> d = f(Complex<double>::seed(x, 1.0));
  power.expect(d.value(), 0), power.expect(d.derivative(), 1);
  const Multicomplex<2> e = f(Multicomplex<2>::seed(x, {1, 1}));
  power.expect(e.value(), 0), power.expect(e.derivative(1), 1), power.expect(e.derivative(), 2);
  using L = Nilpotent<1, LaneBlock>;
  LaneBlock points(-x);  // positive in the other lanes
  points.set(1, x);
  const L lanes = f(L::seed(points, {LaneBlock(1.0)}));
  power.expect(lanes.value()[1], 0), power.expect(lanes.derivative()[1], 1);
  EXPECT_GT(lanes.value()[0], 0);
  const Puiseux s = f(Puiseux::seed(x, 1, Puiseux::least_terms));
  power.expect(s.coefficient(0), 0), power.expect(s.coefficient(Puiseux::denominator), 1);
}

TEST(RationalPowers, OfNegativeNumbersAreRealWithTheSignOfTheNumerator) {
  for (double x : {-0.3, -2.0}) {
    expect_all_scalars<1, 3>(x);
    expect_all_scalars<2, 3>(x);
    expect_all_scalars<-4, 3>(x);
    expect_all_scalars<1, 5>(x);
    expect_all_scalars<2, 5>(x);
    expect_all_scalars<-2, 7>(x);
    expect_all_scalars<3, 7>(x);
  }
}

}  // namespace
}  // namespace holo
