#pragma once
// Lifts the solution of a real equation to the algebra of a tape's scalar. Each step of Newton's method with the real
// derivative makes one more order of the nilpotent units exact. Also loads and stores 3 x 3 matrices of a tape by entries.

#include <cmath>

#include "holo/diff/matrix.h"
#include "holo/diff/tape/matrix_variable.h"

namespace holo::detail {

// step() applies one correction and returns its largest entry. For nilpotent numbers `order` steps are exact. In full complex
// arithmetic the step is repeated until corrections decrease no more; throws Error(input) if they do not decrease, because the
// imaginary parts are too large.
template <class T, class Step>
void lift(const Step& step) {
  if constexpr (requires { T::order; }) {
    for (int k = 0; k < T::order; ++k) step();
  } else if constexpr (!std::is_arithmetic_v<T>) {
    const double first = step();
    double last = first, next = step();
    while (next < 0.5 * last) {
      last = next;
      next = step();
    }
    if (next > 1e-10 * first && next > 1e-14)
      throw Error(Failure::input, "a node in complex arithmetic does not converge: take a smaller step, as 2^-133");
  }
}
// For nodes that expand in the step itself: throws Error(input) unless the step's square is negligible beside 1.
template <class T>
void require_tiny_step(const TapeBlock* a, const char* node) {
  if constexpr (!Planes<T>::is_nilpotent) {
    double real = 0, imaginary = 0;
    for (std::size_t k = 0; k < a->size(); ++k) {
      real = std::fmax(real, std::abs(a->values[k]));
      imaginary = std::fmax(imaginary, std::abs(a->values[a->size() + k]));
    }
    if (imaginary > 1e-10 * real)
      throw Error(Failure::input, std::string(node) +
                                      " in complex arithmetic takes imaginary parts below 1e-10 of the real ones, found " +
                                      std::to_string(imaginary) + " and " + std::to_string(real));
  }
}

inline Matrix3<double> real_matrix3(const TapeBlock* a) {
  Matrix3<double> m{};
  for (int k = 0; k < 9; ++k) m(k % 3, k / 3) = a->values[k];
  return m;
}
template <class T>
Matrix3<T> load_matrix3(const double* planes) {
  Matrix3<T> m{};
  for (int k = 0; k < 9; ++k) m(k % 3, k / 3) = Planes<T>::join(planes + k, 9);
  return m;
}
template <class T>
void store_matrix3(const Matrix3<T>& m, double* planes) {
  for (int k = 0; k < 9; ++k) Planes<T>::split(m(k % 3, k / 3), planes + k, 9);
}
template <class T>
void add_matrix3(const Matrix3<T>& m, double* planes) {
  for (int k = 0; k < 9; ++k) Planes<T>::add(m(k % 3, k / 3), planes + k, 9);
}
template <class T>
double largest_entry(const Matrix3<T>& m) {
  double planes[Planes<T>::count], largest = 0;
  for (int k = 0; k < 9; ++k) {
    Planes<T>::split(m[k], planes, 1);
    for (double entry : planes) largest = std::fmax(largest, std::abs(entry));
  }
  return largest;
}
template <class T>
void require_3x3(const MatrixVariable<T>& F, const char* node) {
  require_shape(F.rows() == 3 && F.columns() == 3, node, F.rows(), F.columns(), 3, 3);
  for (int k = 0; k < 9; ++k)
    if (!std::isfinite(F.block()->values[k]))
      throw TensorError(TensorError::Kind::not_finite, k % 3,
                        std::string(node) + " on a tape: the entry in row " + std::to_string(k % 3) + ", column " +
                            std::to_string(k / 3) + " is not finite");
}

}  // namespace holo::detail
