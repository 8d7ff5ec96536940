#pragma once
// Numbers of 120 and of 300 decimal digits, what derivatives are compared with: Digits120, Digits300. The arithmetic is that of
// Boost's cpp_bin_float, compiled once, in digits.cpp: its headers take longer to read, and its functions to compile, than what
// most tests test.
//
// A domain error is a NaN, a division of zero by zero too.

#include <concepts>
#include <cstddef>

namespace holo::digits {

// clang-format off
#define HOLO_DIGITS_FUNCTIONS(FUNCTION) \
  FUNCTION(abs) FUNCTION(sqrt) FUNCTION(cbrt) FUNCTION(exp) FUNCTION(expm1) FUNCTION(log) FUNCTION(log1p) FUNCTION(sin) \
  FUNCTION(cos) FUNCTION(tan) FUNCTION(asin) FUNCTION(acos) FUNCTION(atan) FUNCTION(sinh) FUNCTION(cosh) FUNCTION(tanh) \
  FUNCTION(floor) FUNCTION(ceil) FUNCTION(round)
// clang-format on
#define HOLO_DIGITS_NAME(name) name,
enum class Function { HOLO_DIGITS_FUNCTIONS(HOLO_DIGITS_NAME) };
#undef HOLO_DIGITS_NAME

template <int digits>
class Number {
 public:
  Number() : Number(0.0) {}
  Number(double x);  // exact
  template <std::integral I>
  Number(I x) : Number(static_cast<double>(x)) {}
  explicit Number(const char* decimal);
  Number(const Number& x);
  Number& operator=(const Number& x);
  explicit operator double() const;  // the nearest

  Number& operator+=(const Number& x);
  Number& operator-=(const Number& x);
  Number& operator*=(const Number& x);
  Number& operator/=(const Number& x);
  Number operator-() const;
  Number operator+() const { return *this; }
  friend Number operator+(Number a, const Number& b) { return a += b; }
  friend Number operator-(Number a, const Number& b) { return a -= b; }
  friend Number operator*(Number a, const Number& b) { return a *= b; }
  friend Number operator/(Number a, const Number& b) { return a /= b; }

  // False for a NaN.
  friend bool operator<(const Number& a, const Number& b) { return a.is_less(b); }
  friend bool operator>(const Number& a, const Number& b) { return b.is_less(a); }
  friend bool operator<=(const Number& a, const Number& b) { return a.is_less(b) || a.is_equal(b); }
  friend bool operator>=(const Number& a, const Number& b) { return b.is_less(a) || a.is_equal(b); }
  friend bool operator==(const Number& a, const Number& b) { return a.is_equal(b); }

  Number of(Function function) const;
  Number to_the(const Number& exponent) const;
  Number to_the_integer(int exponent) const;
  Number angle(const Number& x) const;  // atan2(*this, x)

 private:
  struct Boost;
  bool is_less(const Number& b) const;
  bool is_equal(const Number& b) const;

  // 1000 / 301 bits a digit in words of 64 bits; sign, exponent and the number of words, aligned.
  static constexpr std::size_t size = (digits * 1000 / 301 / 64 + 1) * 8 + 48;
  alignas(16) std::byte storage_[size];
};

#define HOLO_DIGITS_DEFINE(name)                 \
  template <int digits>                          \
  Number<digits> name(const Number<digits>& x) { \
    return x.of(Function::name);                 \
  }
HOLO_DIGITS_FUNCTIONS(HOLO_DIGITS_DEFINE)
#undef HOLO_DIGITS_DEFINE
#undef HOLO_DIGITS_FUNCTIONS

template <int digits>
Number<digits> pow(const Number<digits>& x, const Number<digits>& exponent) {
  return x.to_the(exponent);
}
template <int digits>
Number<digits> pow(const Number<digits>& x, double exponent) {
  return x.to_the(exponent);
}
template <int digits>
Number<digits> pow(const Number<digits>& x, int exponent) {
  return x.to_the_integer(exponent);
}
template <int digits>
Number<digits> atan2(const Number<digits>& y, const Number<digits>& x) {
  return y.angle(x);
}
template <int digits>
Number<digits> hypot(const Number<digits>& x, const Number<digits>& y) {
  return sqrt(x * x + y * y);
}

using Digits120 = Number<120>;
using Digits300 = Number<300>;
extern template class Number<120>;
extern template class Number<300>;

}  // namespace holo::digits
