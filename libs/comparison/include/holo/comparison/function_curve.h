#pragma once
// Functions of one number that an experiment plots, with their derivatives by complex steps and in closed form.

#include <functional>
#include <string>
#include <vector>

namespace holo::comparison {

struct DrawnFunction {
  std::string name;
  std::string formula;
  double low = 0, high = 0;  // the open interval of its domain
};
// The volume penalties of [Luo2019] Fig 10 over the change of volume e = J - 1, with lambda = 1.
const std::vector<DrawnFunction>& drawn_functions();

using FunctionCurve = std::function<double(double x)>;

// The derivative of order 0 or 1, by complex steps, and in closed form. Throws Error(input) for an unknown name or order.
FunctionCurve function_curve(const std::string& name, int derivative);
FunctionCurve exact_function_curve(const std::string& name, int derivative);

// The point between low and high at which a - b changes its sign, to the last bit, by bisection. NaN if both ends have the same
// sign.
double crossing(const FunctionCurve& a, const FunctionCurve& b, double low, double high);

}  // namespace holo::comparison
