#include "holo/comparison/function_curve.h"

#include <cmath>
#include <limits>

#include "holo/core/error.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo::comparison {

namespace {

// lambda/2 log^2(1 - 4 e^2), [Luo2019] Eq 38
struct LogarithmicPenalty {
  template <class S>
  S operator()(const S& e) const {
    const S logarithm = log(1.0 - 4.0 * e * e);
    return 0.5 * logarithm * logarithm;
  }
  static double exact(int derivative, double e) {
    const double logarithm = std::log1p(-4 * e * e);
    return derivative == 0 ? 0.5 * logarithm * logarithm : -8 * e * logarithm / (1 - 4 * e * e);
  }
};

// lambda e^2, [Luo2019] Eq 36
struct QuadraticPenalty {
  template <class S>
  S operator()(const S& e) const {
    return e * e;
  }
  static double exact(int derivative, double e) { return derivative == 0 ? e * e : 2 * e; }
};

template <class Function>
FunctionCurve derived(int derivative) {
  if (derivative == 0) return [](double x) { return Function{}(x); };
  return [](double x) { return Function{}(Nilpotent<1>::seed(x, {1.0})).derivative(); };
}

template <class Function>
FunctionCurve exact(int derivative) {
  return [derivative](double x) { return Function::exact(derivative, x); };
}

void check(const std::string& name, int derivative) {
  for (const DrawnFunction& function : drawn_functions())
    if (function.name == name && (derivative == 0 || derivative == 1)) return;
  throw Error(Failure::input, "no curve of '" + name + "', derivative " + std::to_string(derivative) +
                                  "; there are logarithmic_volume_penalty and quadratic_volume_penalty, derivatives 0 and 1");
}

}  // namespace

const std::vector<DrawnFunction>& drawn_functions() {
  static const std::vector<DrawnFunction> all{
      {"logarithmic_volume_penalty", "log(1 - 4 e^2)^2 / 2", -0.5, 0.5},
      {"quadratic_volume_penalty", "e^2", -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}};
  return all;
}

FunctionCurve function_curve(const std::string& name, int derivative) {
  check(name, derivative);
  return name == "quadratic_volume_penalty" ? derived<QuadraticPenalty>(derivative) : derived<LogarithmicPenalty>(derivative);
}

FunctionCurve exact_function_curve(const std::string& name, int derivative) {
  check(name, derivative);
  return name == "quadratic_volume_penalty" ? exact<QuadraticPenalty>(derivative) : exact<LogarithmicPenalty>(derivative);
}

double crossing(const FunctionCurve& a, const FunctionCurve& b, double low, double high) {
  const auto above = [&](double x) { return a(x) > b(x); };
  const bool at_low = above(low);
  if (above(high) == at_low) return std::nan("");
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (above(middle) == at_low ? low : high) = middle;
  }
}

}  // namespace holo::comparison
