#pragma once
// The algebra of a tape's scalar on real matrices: a matrix of numbers T is one real matrix ("plane") for each coefficient of
// T, plane by plane in memory, each by columns. Products and solves in the algebra are then real products and solves.

#include <cstddef>
#include <span>
#include <utility>

#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/tape/dense_kernels.h"

namespace holo::detail {

// The planes of T fall into groups, one for each product of units (a mask); a group is as wide as T has directions.
template <class T>
struct Planes {  // Complex and its like: real and imaginary part
  static constexpr bool is_nilpotent = false;
  static constexpr int masks = 2, count = 2;
  static constexpr int first(int mask) { return mask; }
  static constexpr int width(int) { return 1; }
  static void split(const T& x, double* to, std::size_t stride) { to[0] = x.value(), to[stride] = x.imaginary(); }
  static void add(const T& x, double* to, std::size_t stride) { to[0] += x.value(), to[stride] += x.imaginary(); }
  static T join(const double* from, std::size_t stride) { return T(from[0], from[stride]); }
  // f(a, b, sign) for all pairs whose product lies in the mask.
  template <class F>
  static void for_each_product(int mask, F f) {
    f(0, mask, 1.0);
    f(1, 1 - mask, mask == 0 ? -1.0 : 1.0);
  }
};

template <>
struct Planes<double> {
  static constexpr bool is_nilpotent = true;
  static constexpr int masks = 1, count = 1;
  static constexpr int first(int) { return 0; }
  static constexpr int width(int) { return 1; }
  static void split(double x, double* to, std::size_t) { *to = x; }
  static void add(double x, double* to, std::size_t) { *to += x; }
  static double join(const double* from, std::size_t) { return *from; }
  template <class F>
  static void for_each_product(int, F f) {
    f(0, 0, 1.0);
  }
};

template <int Order, class Last>
struct Planes<Nilpotent<Order, double, Last>> {
  using T = Nilpotent<Order, double, Last>;
  static constexpr bool is_nilpotent = true;
  static constexpr int masks = 1 << Order, half = masks / 2;
  static constexpr int lanes = [] {
    if constexpr (requires { Last::width; })
      return Last::width;
    else
      return 1;
  }();
  static constexpr int count = half + half * lanes;
  static constexpr int first(int mask) { return mask < half ? mask : half + (mask - half) * lanes; }
  static constexpr int width(int mask) { return mask < half ? 1 : lanes; }

  template <class F>
  static void for_each_coefficient(F f) {
    [&]<int... mask>(std::integer_sequence<int, mask...>) { (f(std::integral_constant<int, mask>{}), ...); }
    (std::make_integer_sequence<int, masks>());
  }
  template <class Put>
  static void visit(const T& x, const Put& put) {
    for_each_coefficient([&](auto mask) {
      const auto& c = x.template coefficient<mask>();
      if constexpr (requires { c[0]; }) {
        for (int k = 0; k < lanes; ++k) put(first(mask) + k, c[k]);
      } else {
        put(first(mask), c);
      }
    });
  }
  static void split(const T& x, double* to, std::size_t stride) {
    visit(x, [&](int plane, double c) { to[std::size_t(plane) * stride] = c; });
  }
  static void add(const T& x, double* to, std::size_t stride) {
    visit(x, [&](int plane, double c) { to[std::size_t(plane) * stride] += c; });
  }
  static T join(const double* from, std::size_t stride) {
    T x;
    for_each_coefficient([&](auto mask) {
      std::remove_cvref_t<decltype(x.template coefficient<mask>())> c{};
      if constexpr (requires { c[0]; }) {
        for (int k = 0; k < lanes; ++k) c.set(k, from[std::size_t(first(mask) + k) * stride]);
      } else {
        c = from[std::size_t(first(mask)) * stride];
      }
      x.template set_coefficient<mask>(c);
    });
    return x;
  }
  template <class F>
  static void for_each_product(int mask, F f) {
    for (int a = 0; a <= mask; ++a)
      if ((a & mask) == a) f(a, mask ^ a, 1.0);
  }
};

// A view of a matrix in the tape's algebra.
struct PlaneMatrix {
  const double* data;
  int rows, columns;
  std::size_t size() const { return std::size_t(rows) * std::size_t(columns); }
};

// C += factor op(A) op(B), op: the transpose where asked for.
template <class T>
void multiply_add(double factor, PlaneMatrix A, bool transpose_a, PlaneMatrix B, bool transpose_b, double* C) {
  using P = Planes<T>;
  const int rows = transpose_a ? A.columns : A.rows, columns = transpose_b ? B.rows : B.columns;
  const std::size_t size = std::size_t(rows) * std::size_t(columns);
  for (int mask = 0; mask < P::masks; ++mask)
    P::for_each_product(mask, [&](int a, int b, double sign) {
      const int wa = P::width(a), wb = P::width(b);
      if (wb > 1 && wa == 1 && !transpose_b) {  // planes of B side by side are one wide matrix
        real_multiply_add(factor * sign, A.data + P::first(a) * A.size(), A.rows, A.columns, transpose_a,
                          B.data + P::first(b) * B.size(), B.rows, B.columns * wb, false, C + P::first(mask) * size);
        return;
      }
      for (int k = 0; k < std::max(wa, wb); ++k)
        real_multiply_add(factor * sign, A.data + (P::first(a) + (wa > 1 ? k : 0)) * A.size(), A.rows, A.columns, transpose_a,
                          B.data + (P::first(b) + (wb > 1 ? k : 0)) * B.size(), B.rows, B.columns, transpose_b,
                          C + (P::first(mask) + k) * size);
    });
}

}  // namespace holo::detail
