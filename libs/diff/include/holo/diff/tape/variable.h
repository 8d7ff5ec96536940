#pragma once
// The scalar that records itself on a tape: for the same function templates as every other scalar. Included by
// holo/diff/tape/tape.h.
//
// Comparisons and choices look at real parts; abs, min, max, clamp and select hand on one of their arguments, so the tape holds
// the branch taken.

#include <cmath>
#include <concepts>

#include "holo/diff/derivative_functions.h"
#include "holo/diff/singular/kinks.h"
#include "holo/diff/tape/tape.h"

namespace holo {

// A value on a tape, or a constant that belongs to none.
template <class T>
class Variable : public StaysItself<Variable<T>> {
 public:
  using Scalar = T;
  static constexpr bool records_itself = true;

  Variable() = default;  // zero
  template <class V>
  requires(std::is_arithmetic_v<V> && !std::same_as<V, bool>) Variable(V value)  // NOLINT: constants mix with variables
      : constant_(double(value)) {}
  Variable(Tape<T>* tape, typename Tape<T>::Index index) : tape_(tape), index_(index) {}

  bool is_constant() const { return tape_ == nullptr; }
  Tape<T>* tape() const { return tape_; }
  typename Tape<T>::Index index() const { return index_; }
  double constant() const { return constant_; }
  T value() const { return tape_ ? tape_->value(index_) : T(constant_); }
  double real() const { return tape_ ? detail::real_part(tape_->value(index_)) : constant_; }

 private:
  Tape<T>* tape_ = nullptr;
  typename Tape<T>::Index index_ = 0;
  double constant_ = 0.0;
};
template <class T>
Variable(Tape<T>*, typename Tape<T>::Index) -> Variable<T>;

namespace detail {

template <class T>
struct IsVariable : std::false_type {};
template <class T>
struct IsVariable<Variable<T>> : std::true_type {};
template <class... T>
struct VariableOf {};
template <class X, class... Rest>
struct VariableOf<X, Rest...> : VariableOf<Rest...> {};
template <class T, class... Rest>
struct VariableOf<Variable<T>, Rest...> {
  using type = Variable<T>;
};
template <class X, class V>
inline constexpr bool joins_variable = std::same_as<X, V> || (std::is_arithmetic_v<X> && !std::same_as<X, bool>);
template <class... T>
concept WithVariables = (IsVariable<T>::value || ...) && (joins_variable<T, typename VariableOf<T...>::type> && ...);
template <class... T>
using VariableFor = typename VariableOf<T...>::type;

template <class T>
Variable<T> unary(TapeOperation operation, const Variable<T>& x, const T& value, double constant = 0.0) {
  Tape<T>& tape = *x.tape();
  return {&tape, tape.record(operation, x.index(), tape.constant(constant), value)};
}
template <class T>
Variable<T> binary(TapeOperation operation, const Variable<T>& x, const Variable<T>& y, const T& value) {
  if (x.tape() != y.tape()) throw Error(Failure::internal, "an operation joins variables of two tapes: record both on one");
  return {x.tape(), x.tape()->record(operation, x.index(), y.index(), value)};
}
template <class T>
Variable<T> simple(TapeOperation operation, const Variable<T>& x, const T& value) {
  return {x.tape(), x.tape()->record(operation, x.index(), 0, value)};
}
// A constant at the real value, without a place on a tape.
template <class T>
Variable<T> on_tape(Tape<T>* tape, const Variable<T>& x) {
  return x.is_constant() ? tape->variable(T(x.constant())) : x;
}

template <class T>
Variable<T> add(const Variable<T>& a, const Variable<T>& b) {
  if (a.is_constant() && b.is_constant()) return a.constant() + b.constant();
  if (b.is_constant()) return simple(TapeOperation::identity, a, T(a.value() + b.constant()));
  if (a.is_constant()) return simple(TapeOperation::identity, b, T(a.constant() + b.value()));
  return binary(TapeOperation::add, a, b, T(a.value() + b.value()));
}
template <class T>
Variable<T> subtract(const Variable<T>& a, const Variable<T>& b) {
  if (a.is_constant() && b.is_constant()) return a.constant() - b.constant();
  if (b.is_constant()) return simple(TapeOperation::identity, a, T(a.value() - b.constant()));
  if (a.is_constant()) return simple(TapeOperation::negate, b, T(a.constant() - b.value()));
  return binary(TapeOperation::subtract, a, b, T(a.value() - b.value()));
}
template <class T>
Variable<T> multiply(const Variable<T>& a, const Variable<T>& b) {
  if (a.is_constant() && b.is_constant()) return a.constant() * b.constant();
  if (b.is_constant()) return unary(TapeOperation::scale, a, T(b.constant() * a.value()), b.constant());
  if (a.is_constant()) return unary(TapeOperation::scale, b, T(a.constant() * b.value()), a.constant());
  return binary(TapeOperation::multiply, a, b, T(a.value() * b.value()));
}
template <class T>
Variable<T> divide(const Variable<T>& a, const Variable<T>& b) {
  if (a.is_constant() && b.is_constant()) return a.constant() / b.constant();
  if (b.is_constant()) return unary(TapeOperation::scale, a, T(a.value() / b.constant()), 1.0 / b.constant());
  if (a.is_constant()) return unary(TapeOperation::quotient, b, T(a.constant() / b.value()), a.constant());
  return binary(TapeOperation::divide, a, b, T(a.value() / b.value()));
}

}  // namespace detail

template <class T>
Variable<T> operator+(const Variable<T>& a) {
  return a;
}
template <class T>
Variable<T> operator-(const Variable<T>& a) {
  return a.is_constant() ? Variable<T>(-a.constant()) : detail::simple(detail::TapeOperation::negate, a, T(-a.value()));
}
#define HOLO_VARIABLE_ARITHMETIC(op, function)               \
  template <class A, class B>                                \
  requires detail::WithVariables<A, B>                       \
  auto operator op(const A& a, const B& b) {                 \
    using V = detail::VariableFor<A, B>;                     \
    return detail::function(V(a), V(b));                     \
  }                                                          \
  template <class T, class B>                                \
  requires detail::WithVariables<Variable<T>, B> Variable<T> \
  &operator op##=(Variable<T>& a, const B& b) { return a = a op b; }
HOLO_VARIABLE_ARITHMETIC(+, add)
HOLO_VARIABLE_ARITHMETIC(-, subtract)
HOLO_VARIABLE_ARITHMETIC(*, multiply)
HOLO_VARIABLE_ARITHMETIC(/, divide)
#undef HOLO_VARIABLE_ARITHMETIC

namespace detail {
// Counts a tie of two variables with equal real parts; not that of a variable with itself, since x != x tests for NaN.
template <class T>
void count_tie(const Variable<T>& x, const Variable<T>& y) {
  const bool is_one = x.tape() == y.tape() && !x.is_constant() && x.index() == y.index();
  count(&KinkCounters::kinks, !is_one && x.real() == y.real());
}
}  // namespace detail

#define HOLO_VARIABLE_COMPARISON(op)         \
  template <class A, class B>                \
  requires detail::WithVariables<A, B>       \
  bool operator op(const A& a, const B& b) { \
    using V = detail::VariableFor<A, B>;     \
    const V x(a), y(b);                      \
    detail::count_tie(x, y);                 \
    return x.real() op y.real();             \
  }
HOLO_VARIABLE_COMPARISON(<)
HOLO_VARIABLE_COMPARISON(<=)
HOLO_VARIABLE_COMPARISON(>)
HOLO_VARIABLE_COMPARISON(>=)
HOLO_VARIABLE_COMPARISON(==)
HOLO_VARIABLE_COMPARISON(!=)
#undef HOLO_VARIABLE_COMPARISON

#define HOLO_VARIABLE_FUNCTION(name, ...)                                      \
  template <class T>                                                           \
  Variable<T> name(const Variable<T>& x) {                                     \
    if (x.is_constant()) return Variable<T>(name(x.constant()));               \
    return detail::simple(detail::TapeOperation::name, x, T(name(x.value()))); \
  }
using std::erf;
HOLO_UNARY_FUNCTIONS(HOLO_VARIABLE_FUNCTION)
HOLO_VARIABLE_FUNCTION(erf)
HOLO_VARIABLE_FUNCTION(sinc)
HOLO_VARIABLE_FUNCTION(sinhc)
HOLO_VARIABLE_FUNCTION(one_minus_cos_over_square)
#undef HOLO_VARIABLE_FUNCTION

}  // namespace holo

#include "holo/diff/tape/variable_functions.h"
