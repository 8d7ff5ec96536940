#pragma once
// How wrong a derivative is, as a function of the step with which it is taken: named functions with known derivatives, and the
// methods of [Luo2019] that are compared on them (Figs 2, 3, 5, 6).
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
  bool has_point = true;  // false: its argument is drawn at random, from a seed
  double point = 0;       // where it is differentiated unless told otherwise
};
const std::vector<CurveFunction>& curve_functions();

struct CurveMethod {
  std::string name;
  std::string summary;
};
const std::vector<CurveMethod>& curve_methods();

struct CurveChoice {
  std::string function;      // of curve_functions()
  std::string method;        // of curve_methods()
  int order = 1;             // of the derivative
  bool long_double = false;  // arithmetic of 64 bits of mantissa instead of 53
};

// Why there is no such curve, with the curves of that function that there are; "" where there is one.
std::string curve_problem(const CurveChoice& choice);

// The relative error at a step > 0; of a matrix in the Frobenius norm. NaN where the approximation is none. `point` is not
// looked at where the function has none, `seed` where it has one. The exact derivative is evaluated with 50 digits from a
// closed form. Throws Error(input) with curve_problem().
using ErrorCurve = std::function<double(double step)>;
ErrorCurve error_curve(const CurveChoice& choice, double point, std::uint64_t seed);

}  // namespace holo::comparison
