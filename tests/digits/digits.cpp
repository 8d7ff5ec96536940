#include "digits/digits.h"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <new>
#include <type_traits>

namespace holo::digits {

namespace mp = boost::multiprecision;

template <int digits>
struct Number<digits>::Boost {
  using Value = mp::number<mp::cpp_bin_float<digits>, mp::et_off>;
  static_assert(sizeof(Value) <= size && alignof(Value) <= 16);
  static_assert(std::is_trivially_destructible_v<Value>);

  static Value& of(Number& x) { return *std::launder(reinterpret_cast<Value*>(x.storage_)); }
  static const Value& of(const Number& x) { return *std::launder(reinterpret_cast<const Value*>(x.storage_)); }
  static Number number(const Value& value) {
    Number result;
    of(result) = value;
    return result;
  }
  static Value cube_root(const Value& x) {
    if (x == 0) return x;
    const Value root = mp::exp(mp::log(mp::abs(x)) / 3);
    return x < 0 ? Value(-root) : root;
  }
};

template <int digits>
Number<digits>::Number(double x) {
  new (storage_) typename Boost::Value(x);
}
template <int digits>
Number<digits>::Number(const char* decimal) {
  new (storage_) typename Boost::Value(decimal);
}
template <int digits>
Number<digits>::Number(const Number& x) {
  new (storage_) typename Boost::Value(Boost::of(x));
}
template <int digits>
Number<digits>& Number<digits>::operator=(const Number& x) {
  Boost::of(*this) = Boost::of(x);
  return *this;
}
template <int digits>
Number<digits>::operator double() const {
  return static_cast<double>(Boost::of(*this));
}

template <int digits>
Number<digits>& Number<digits>::operator+=(const Number& x) {
  Boost::of(*this) += Boost::of(x);
  return *this;
}
template <int digits>
Number<digits>& Number<digits>::operator-=(const Number& x) {
  Boost::of(*this) -= Boost::of(x);
  return *this;
}
template <int digits>
Number<digits>& Number<digits>::operator*=(const Number& x) {
  Boost::of(*this) *= Boost::of(x);
  return *this;
}
template <int digits>
Number<digits>& Number<digits>::operator/=(const Number& x) {
  Boost::of(*this) /= Boost::of(x);
  return *this;
}
template <int digits>
Number<digits> Number<digits>::operator-() const {
  return Boost::number(-Boost::of(*this));
}
template <int digits>
bool Number<digits>::is_less(const Number& b) const {
  return Boost::of(*this) < Boost::of(b);
}
template <int digits>
bool Number<digits>::is_equal(const Number& b) const {
  return Boost::of(*this) == Boost::of(b);
}

// Small arguments of expm1 and log1p lose the digits that they are small by.
template <int digits>
Number<digits> Number<digits>::of(Function function) const {
  const auto& x = Boost::of(*this);
  switch (function) {
    case Function::abs:
      return Boost::number(mp::abs(x));
    case Function::sqrt:
      return Boost::number(mp::sqrt(x));
    case Function::cbrt:
      return Boost::number(Boost::cube_root(x));
    case Function::exp:
      return Boost::number(mp::exp(x));
    case Function::expm1:
      return Boost::number(mp::exp(x) - 1);
    case Function::log:
      return Boost::number(mp::log(x));
    case Function::log1p:
      return Boost::number(mp::log(1 + x));
    case Function::sin:
      return Boost::number(mp::sin(x));
    case Function::cos:
      return Boost::number(mp::cos(x));
    case Function::tan:
      return Boost::number(mp::tan(x));
    case Function::asin:
      return Boost::number(mp::asin(x));
    case Function::acos:
      return Boost::number(mp::acos(x));
    case Function::atan:
      return Boost::number(mp::atan(x));
    case Function::sinh:
      return Boost::number(mp::sinh(x));
    case Function::cosh:
      return Boost::number(mp::cosh(x));
    case Function::tanh:
      return Boost::number(mp::tanh(x));
    case Function::floor:
      return Boost::number(mp::floor(x));
    case Function::ceil:
      return Boost::number(mp::ceil(x));
    case Function::round:
      return Boost::number(mp::round(x));
  }
  return *this;
}
template <int digits>
Number<digits> Number<digits>::to_the(const Number& exponent) const {
  return Boost::number(mp::pow(Boost::of(*this), Boost::of(exponent)));
}
template <int digits>
Number<digits> Number<digits>::to_the_integer(int exponent) const {
  return Boost::number(mp::pow(Boost::of(*this), exponent));
}
template <int digits>
Number<digits> Number<digits>::angle(const Number& x) const {
  return Boost::number(mp::atan2(Boost::of(*this), Boost::of(x)));
}

template class Number<120>;
template class Number<300>;

}  // namespace holo::digits
