#pragma once
// The relative error of a derivative as a function of its step: named functions with known derivatives, and the methods of
// [Luo2019] that are compared on them (Figs 2, 3, 5, 6).
//
//   ErrorCurve curve = error_curve({"exponential_over_quartic", "complex_step"}, 4.0, 1);
//   curve(0x1p-20);    // |approximation - exact| / |exact| at the step 2^-20

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace holo::comparison {

struct CurveFunction {
  std::string name;
  std::string formula;
  bool has_point = true;  // false: the argument, a matrix, is random and depends on a seed
  double point = 0;       // the default point of differentiation; no dimension
};
const std::vector<CurveFunction>& curve_functions();  // all functions

struct CurveMethod {
  std::string name;
  std::string summary;
};
const std::vector<CurveMethod>& curve_methods();  // all methods

struct CurveChoice {
  std::string function;      // a name of curve_functions()
  std::string method;        // a name of curve_methods()
  int order = 1;             // of the derivative, 1 to 3; not every method has all
  bool long_double = false;  // arithmetic with 64 bits of mantissa instead of 53
};

// "" if the curve exists; else the reason, with a list of the curves of that function.
std::string curve_problem(const CurveChoice& choice);

// The relative error |approximation - exact| / |exact| (for a matrix in the Frobenius norm) at a step > 0; NaN if the
// approximation is not a number. `point` is ignored for a function without a point, `seed` for the others. The exact derivative
// is evaluated with 50 digits from a closed form. Throws Error(input) with curve_problem() if there is no such curve.
using ErrorCurve = std::function<double(double step)>;
ErrorCurve error_curve(const CurveChoice& choice, double point, std::uint64_t seed);

}  // namespace holo::comparison
