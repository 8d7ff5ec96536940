#include "holo/comparison/singular_case.h"

#include <array>
#include <cmath>
#include <limits>

#include "holo/diff/drivers.h"
#include "holo/diff/scalars/accelerated_paper.h"
#include "holo/diff/scalars/multicomplex.h"
#include "singular_points/singular_functions.h"

namespace holo::comparison {

namespace {

// Values of a case for a side without a real derivative, and for an infinite one.
constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// Evaluates the derivative of this order at x by each arithmetic: nilpotent numbers, the paper's accelerated rule (first order
// only), the full multicomplex step, and the drivers' one-sided series.
template <int order, class F>
SingularOutcome outcome_of(const F& f, double x) {
  SingularOutcome outcome;
  double ones[order];
  for (double& one : ones) one = 1;
  outcome.nilpotent = f(Nilpotent<order>::seed(x, ones)).derivative();
  if constexpr (order == 1) outcome.accelerated_paper = f(AcceleratedPaper<double>::seed(x, 1.0)).derivative();
  outcome.mcsfd_full = f(Multicomplex<order>::seed(x, ones)).derivative();

  const auto of_array = [&f](const auto& argument) { return f(argument[0]); };
  const std::array<double, 1> point{x}, v{1.0};
  const auto keep = [&outcome](const auto& result) {
    outcome.status = to_string(result.status, 1, result.entries);
    // Without a singularity the drivers evaluate no series: both sides are the ordinary derivative.
    if (!result.singular) {
      outcome.left = outcome.right = result.derivative;
      return;
    }
    outcome.left = result.singular->left.back().value;
    outcome.right = result.singular->right.back().value;
  };
  if constexpr (order == 1) keep(directional(of_array, point, v));
  if constexpr (order == 2) keep(directional(of_array, point, v, v));
  if constexpr (order == 3) keep(directional(of_array, point, v, v, v));
  return outcome;
}

template <class F>
SingularOutcome outcome(const F& f, const SingularCase& singular_case) {
  switch (singular_case.order) {
    case 1:
      return outcome_of<1>(f, singular_case.point);
    case 2:
      return outcome_of<2>(f, singular_case.point);
    default:
      return outcome_of<3>(f, singular_case.point);
  }
}

// Equal to 1e-10, relative to the true value where this is above 1; NaN and infinities must be the same.
bool close(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= 1e-10 * std::max(1.0, std::abs(b));
}

}  // namespace

// A derivative exists if both sides agree, or if the function is real on one side only.
std::optional<double> SingularCase::derivative() const {
  const double value = std::isnan(left) ? right : left;
  const bool one = std::isnan(left) || std::isnan(right) || left == right;
  return one && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

const std::vector<SingularCase>& singular_cases() {
  static const char* printed = "log(1 - sqrt(x - 1))^2";
  static const char* intended = "log(1 - sqrt((x - 1)^2))^2";
  static const char* kink = "sqrt(1 - cos(4 (x - 1))^2)";
  static const char* smooth = "sqrt((cos(4 (x - 1))^2 - 1)^2)";
  // Name, formula, point, order, and the true derivatives from the left and the right
  static const std::vector<SingularCase> all{{"printed_logarithm", printed, 1, 1, none, 1},
                                             {"printed_logarithm", printed, 1, 2, none, infinity},
                                             {"intended_logarithm", intended, 1, 1, 0, 0},
                                             {"intended_logarithm", intended, 1, 2, 2, 2},
                                             {"intended_logarithm", intended, 1, 3, -6, 6},
                                             {"root_of_square", "sqrt(x^2)", 0, 1, -1, 1},
                                             {"root_of_square", "sqrt(x^2)", 0, 2, 0, 0},
                                             {"root_of_square", "sqrt(x^2)", 0, 3, 0, 0},
                                             {"kink", kink, 1, 1, -4, 4},
                                             {"kink", kink, 1, 2, 0, 0},
                                             {"kink", kink, 1, 3, 64, -64},
                                             {"smooth", smooth, 1, 1, 0, 0},
                                             {"smooth", smooth, 1, 2, 32, 32},
                                             {"three_halves", "x sqrt(x)", 0, 1, none, 0},
                                             {"fourth_power_of_root", "sqrt(x)^4", 0, 2, none, 2},
                                             {"fourth_power_of_root", "sqrt(x)^4", 0, 3, none, 0}};
  return all;
}

SingularOutcome evaluate(const SingularCase& c) {
  return with_singular_function(c, [&](const auto& f) { return outcome(f, c); });
}

bool is_right(const SingularCase& singular_case, double value) {
  const std::optional<double> truth = singular_case.derivative();
  return truth && close(value, *truth);
}

bool sides_are_right(const SingularCase& singular_case, const SingularOutcome& outcome) {
  return close(outcome.left, singular_case.left) && close(outcome.right, singular_case.right);
}

}  // namespace holo::comparison
