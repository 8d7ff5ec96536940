#include "reference_algebra.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace holo::reference {

Dense operator*(const Dense& a, const Dense& b) {
  Dense result(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.columns; ++j)
      for (int k = 0; k < a.columns; ++k) result(i, j) += a(i, k) * b(k, j);
  return result;
}
Dense combine(const Number& a, const Dense& x, const Number& b, const Dense& y) {
  Dense result = x;
  for (std::size_t k = 0; k < x.entries.size(); ++k) result.entries[k] = a * x.entries[k] + b * y.entries[k];
  return result;
}
Dense transpose(const Dense& a) {
  Dense result(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j) result(j, i) = a(i, j);
  return result;
}

Dense solve(Dense a, Dense b, Number* determinant) {
  Number product = 1;
  for (int k = 0; k < a.rows; ++k) {
    int pivot = k;
    for (int i = k + 1; i < a.rows; ++i)
      if (digits::abs(a(i, k)) > digits::abs(a(pivot, k))) pivot = i;
    if (pivot != k) product = -product;
    for (int j = 0; j < a.columns; ++j) std::swap(a(k, j), a(pivot, j));
    for (int j = 0; j < b.columns; ++j) std::swap(b(k, j), b(pivot, j));
    product *= a(k, k);
    for (int i = 0; i < a.rows; ++i) {
      if (i == k) continue;
      const Number factor = a(i, k) / a(k, k);
      for (int j = 0; j < a.columns; ++j) a(i, j) -= factor * a(k, j);
      for (int j = 0; j < b.columns; ++j) b(i, j) -= factor * b(k, j);
    }
  }
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.columns; ++j) b(i, j) /= a(i, i);
  if (determinant) *determinant = product;
  return b;
}
Dense identity(int n) { return Dense(Eigen::MatrixXd::Identity(n, n)); }
Dense inverse(const Dense& a) { return solve(a, identity(a.rows)); }
Number determinant(const Dense& a) {
  Number result;
  solve(a, identity(a.rows), &result);
  return result;
}

std::vector<Eigen::MatrixXd> mixed_differences(const DerivativeSet& set, const std::vector<const MatrixSeries*>& arguments,
                                               const std::function<Dense(const std::vector<Dense>&)>& f) {
  const Number h("1e-25");  // error 1e-50
  std::vector<Eigen::MatrixXd> result;
  for (int mask = 0; mask < set.size(); ++mask) {
    Dense sum;
    for (int signs = 0; signs < set.size(); ++signs) {
      if ((signs & ~mask) != 0) continue;
      std::vector<Dense> at;
      for (const MatrixSeries* argument : arguments) {
        Dense a((*argument)[0]);
        for (int part = 1; part < set.size(); ++part) {
          if ((part & ~mask) != 0) continue;
          Number step = 1;
          for (int k = 0; k < set.order(); ++k)
            if (part >> k & 1) step *= (signs >> k & 1) ? h : -h;
          a = combine(1, a, step, Dense((*argument)[part]));
        }
        at.push_back(a);
      }
      Number weight = 1;
      for (int k = 0; k < set.order(); ++k)
        if (mask >> k & 1) weight *= ((signs >> k & 1) ? 1 : -1) / (2 * h);
      const Dense value = f(at);
      sum = sum.rows == 0 ? combine(weight, value, 0, value) : combine(1, sum, weight, value);
    }
    Eigen::MatrixXd rounded(sum.rows, sum.columns);
    for (int i = 0; i < sum.rows; ++i)
      for (int j = 0; j < sum.columns; ++j) rounded(i, j) = double(sum(i, j));
    result.push_back(rounded);
  }
  return result;
}

MatrixSeries random_series(const DerivativeSet& set, int rows, int columns, unsigned seed, double diagonal, bool symmetric) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  MatrixSeries result(set, rows, columns);
  for (int index = 0; index < set.size(); ++index) {
    Eigen::MatrixXd a(rows, columns);
    for (Eigen::Index k = 0; k < a.size(); ++k) a.data()[k] = uniform(random);
    if (symmetric) a = (0.5 * (a + a.transpose())).eval();
    if (index == 0) a += diagonal * Eigen::MatrixXd::Identity(rows, columns);
    result.set_coefficient(index, a);
  }
  return result;
}

void expect_near(const std::vector<Eigen::MatrixXd>& expected, const MatrixSeries& found, double tolerance) {
  ASSERT_EQ(int(expected.size()), found.set().size());
  for (std::size_t index = 0; index < expected.size(); ++index) {
    const double scale = expected[index].cwiseAbs().maxCoeff();
    EXPECT_LE((found[int(index)] - expected[index]).cwiseAbs().maxCoeff(), tolerance * scale) << "coefficient " << index;
  }
}

void expect_equal(const MatrixSeries& a, const MatrixSeries& b, double tolerance) {
  for (int index = 0; index < a.set().size(); ++index) {
    const double scale = std::fmax(1, std::fmax(a[index].cwiseAbs().maxCoeff(), b[index].cwiseAbs().maxCoeff()));
    EXPECT_LE((a[index] - b[index]).cwiseAbs().maxCoeff(), tolerance * scale) << "coefficient " << index;
  }
}

}  // namespace holo::reference
