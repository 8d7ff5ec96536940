// The reference mode: a tape in full complex arithmetic, with the step 2^-133, agrees with the tape over nilpotent numbers.
#include <gtest/gtest.h>

#include "diff_tape/functions.h"
#include "diff_tape/nodes.h"
#include "holo/diff/tape/drivers.h"

namespace holo::test {
namespace {

using C = Complex<double>;

struct Product {
  double value;
  std::vector<double> gradient, product;
};
template <class F>
Product in_complex_numbers(const F& f, const std::vector<double>& x, const std::vector<double>& v) {
  Tape<C> tape;
  std::vector<Variable<C>> z;
  for (std::size_t i = 0; i < x.size(); ++i) z.push_back(tape.variable(C::seed(x[i], v[i])));
  const Variable<C> y = f(std::span<const Variable<C>>(z));
  tape.reverse(y);
  Product result{y.value().value(), {}, {}};
  for (const auto& entry : z) {
    result.gradient.push_back(tape.adjoint(entry).value());
    result.product.push_back(tape.adjoint(entry).derivative());
  }
  return result;
}

TEST(ComplexTape, AllScalarFunctionsAgree) {
  const std::vector<double> v{0.3, -1.0, 2.0, 0.5};
  const auto expected = taped_hessian_product(everything, point(), v);
  const Product found = in_complex_numbers(everything, point(), v);
  EXPECT_NEAR(expected.value, found.value, 1e-14 * std::abs(expected.value));
  EXPECT_LE(difference(expected.gradient, found.gradient), 1e-14 * largest(expected.gradient));
  EXPECT_LE(difference(expected.product, found.product), 2e-14 * largest(expected.product));
}

// Their slopes have series within 3 and quotients beyond.
TEST(ComplexTape, RemovableSingularitiesHaveSlopesEverywhere) {
  const auto f = [](const auto& x) { return sinc(x[0]) + 2.0 * sinhc(0.5 * x[0]) + 3.0 * one_minus_cos_over_square(x[0]); };
  for (double x : {0.0, 1e-9, 0.3, 2.9, 3.1, -7.0}) {
    const auto expected = taped_hessian_product(f, std::vector{x}, std::vector{1.0});
    const Product found = in_complex_numbers(f, {x}, {1.0});
    EXPECT_NEAR(expected.gradient[0], found.gradient[0], 4e-15 * (1 + std::abs(expected.gradient[0]))) << x;
    EXPECT_NEAR(expected.product[0], found.product[0], 4e-15 * (1 + std::abs(expected.product[0]))) << x;
    EXPECT_GT(std::abs(found.product[0]), 1e-3);
  }
}

// A solve keeps all powers of the step: its square is there, where nilpotent numbers have none.
TEST(ComplexTape, SolvesAreThoseOfComplexMatrices) {
  Tape<C> tape;
  std::vector<Variable<C>> x;
  for (const C& entry : {C(2.0, 0.5), C(0.3, -0.2), C(-0.4, 0.1), C(1.5, 0.7), C(1.0, 0.25), C(-0.5, 1.0)})
    x.push_back(tape.variable(entry));
  const auto A = gather(std::vector(x.begin(), x.begin() + 4), 2, 2), b = gather(std::vector(x.begin() + 4, x.end()), 2);
  const auto z = solve(A, b), residual = A * z - b;
  const Variable<C> d = log_determinant(A), expected = log(x[0] * x[3] - x[1] * x[2]);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(residual.value(i).value(), 0, 1e-15);
    EXPECT_NEAR(residual.value(i).imaginary(), 0, 1e-15);
  }
  EXPECT_GT(std::abs(z.value(0).imaginary()), 0.01);
  EXPECT_NEAR(d.value().value(), expected.value().value(), 1e-15);
  EXPECT_NEAR(d.value().imaginary(), expected.value().imaginary(), 1e-15);
}

TEST(ComplexTapeBadInput, StepsTooLargeForANodeAreRefused) {
  Tape<C> tape;
  std::vector<Variable<C>> x;
  for (int k = 0; k < 9; ++k) x.push_back(tape.variable(C(k % 4 == 0 ? 1.0 + k : 0.0, k % 4 == 0 ? 0.01 : 0.0)));
  const auto F = gather(x, 3, 3);
  EXPECT_THROW(spectral_function(F, [](const auto& y) { return exp(y); }), Error);
  EXPECT_THROW(function_of_stretches(F, [](const auto& a, const auto& b, const auto& c) { return a * b * c; }), Error);
  const auto R = polar_rotation(F), L = cholesky_factor(F);  // these converge
  const auto one = transpose(R) * R, same = L * transpose(L) - F;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(one.value(i, i).value(), 1, 1e-14);
    EXPECT_NEAR(same.value(i, i).imaginary(), 0, 1e-14);
  }
}

}  // namespace
}  // namespace holo::test
