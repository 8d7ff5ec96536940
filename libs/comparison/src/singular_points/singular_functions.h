#pragma once
// The functions of the singular cases, for any scalar. Functions of the scalar are found by its own namespace.

#include <cmath>

#include "holo/comparison/singular_case.h"
#include "holo/core/error.h"

namespace holo::comparison {

// [Luo2019] Eq 39 as printed. At x = 1 it is real on the right only, where it is d + d^(3/2) + ... for x = 1 + d.
struct PrintedLogarithm {
  template <class S>
  S operator()(const S& x) const {
    const S l = log(1.0 - sqrt(x - 1.0));
    return l * l;
  }
};
// The same with |x - 1| in place of x - 1: differentiable at 1 to second order, and its third derivative jumps.
struct IntendedLogarithm {
  template <class S>
  S operator()(const S& x) const {
    const S t = x - 1.0, l = log(1.0 - sqrt(t * t));
    return l * l;
  }
};
// |x|, as a square root whose argument vanishes: its slope is 0 * inf by the rules of differentiation.
struct RootOfSquare {
  template <class S>
  S operator()(const S& x) const {
    return sqrt(x * x);
  }
};
// |sin(4 (J - 1))|: one-sided derivatives of every order at J = 1, which differ in odd orders.
struct Kink {
  template <class S>
  S operator()(const S& J) const {
    const S c = cos(4.0 * (J - 1.0));
    return sqrt(1.0 - c * c);
  }
};
// sin(4 (J - 1))^2: smooth at J = 1, although the outer square root divides 0 by 0 there.
struct Smooth {
  template <class S>
  S operator()(const S& J) const {
    const S c = cos(4.0 * (J - 1.0)), g = c * c - 1.0;
    return sqrt(g * g);
  }
};
// x^(3/2): its first derivative exists at 0 from the right, its second one is infinite.
struct ThreeHalves {
  template <class S>
  S operator()(const S& x) const {
    return x * sqrt(x);
  }
};
// x^2, by way of a square root whose slope is infinite at 0.
struct FourthPowerOfRoot {
  template <class S>
  S operator()(const S& x) const {
    const S r = sqrt(x);
    return (r * r) * (r * r);
  }
};

// call(function) with the function of a case.
template <class Call>
auto with_singular_function(const SingularCase& c, const Call& call) {
  if (c.name == "printed_logarithm") return call(PrintedLogarithm{});
  if (c.name == "intended_logarithm") return call(IntendedLogarithm{});
  if (c.name == "root_of_square") return call(RootOfSquare{});
  if (c.name == "kink") return call(Kink{});
  if (c.name == "smooth") return call(Smooth{});
  if (c.name == "three_halves") return call(ThreeHalves{});
  if (c.name == "fourth_power_of_root") return call(FourthPowerOfRoot{});
  throw Error(Failure::input, "no singular case is named '" + c.name + "'");
}

}  // namespace holo::comparison
