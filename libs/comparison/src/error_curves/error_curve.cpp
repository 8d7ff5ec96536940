#include "holo/comparison/error_curve.h"

#include <algorithm>

#include "error_curves/curve_entries.h"
#include "holo/core/error.h"

namespace holo::comparison {

namespace {

// All existing combinations of function, method, order and precision.
const std::vector<CurveEntry>& entries() {
  static const std::vector<CurveEntry> all = [] {
    std::vector<CurveEntry> list = scalar_function_curves();
    for (CurveEntry& entry : matrix_inverse_curves()) list.push_back(std::move(entry));
    return list;
  }();
  return all;
}

bool same(const CurveChoice& a, const CurveChoice& b) {
  return a.function == b.function && a.method == b.method && a.order == b.order && a.long_double == b.long_double;
}

const CurveEntry* find(const CurveChoice& choice) {
  for (const CurveEntry& entry : entries())
    if (same(entry.choice, choice)) return &entry;
  return nullptr;
}

// "central_difference of order 2 in long double", for messages.
std::string text(const CurveChoice& choice) {
  return choice.method + " of order " + std::to_string(choice.order) + (choice.long_double ? " in long double" : "");
}

}  // namespace

const std::vector<CurveFunction>& curve_functions() {
  static const std::vector<CurveFunction> all{{"exponential_over_quartic", "exp(x) / (x^4 + x^2 + 1)", true, 4},
                                              {"cube_root", "x^(1/3)", true, 2},
                                              {"matrix_inverse", "X^-1 of a random 3x3 matrix, in its entry X_22", false, 0}};
  return all;
}

const std::vector<CurveMethod>& curve_methods() {
  static const std::vector<CurveMethod> all{
      {"forward_difference", "[Luo2019] Eq 1 and its iterates"},
      {"central_difference", "[Luo2019] Eqs 5 and 18"},
      {"complex_step", "Im f(x + ih) / h with full complex arithmetic, [Luo2019] Eqs 7, 8 and 44"},
      {"accelerated_paper", "the accelerated rule as the paper prints it, r = hypot(x, h), [Luo2019] Eqs 10 and 17"},
      {"csfd", "the accelerated (multi)complex step without terms of order h^2, [Luo2019] Eqs 26 to 28"},
      {"mcsfd_full", "full multicomplex arithmetic, [Luo2019] Eqs 22 to 26"},
      {"cr_form", "the Cauchy-Riemann block matrix, [Luo2019] Eqs 30 and 31"},
      {"real_part_difference", "2 (f(x) - Re f(x + ih)) / h^2, [Luo2019] Eq 19"},
      {"fourier_differentiation", "steps along i^(1/2), [Luo2019] Eqs 20 and 21"}};
  return all;
}

std::string curve_problem(const CurveChoice& choice) {
  if (find(choice)) return {};
  std::string allowed;
  for (const CurveEntry& entry : entries())
    if (entry.choice.function == choice.function) allowed += (allowed.empty() ? "" : ", ") + text(entry.choice);
  return "the function '" + choice.function + "' has no curve of " + text(choice) +
         "; it has: " + (allowed.empty() ? "none" : allowed);
}

ErrorCurve error_curve(const CurveChoice& choice, double point, std::uint64_t seed) {
  const CurveEntry* entry = find(choice);
  if (!entry) throw Error(Failure::input, curve_problem(choice));
  return entry->make(point, seed);
}

}  // namespace holo::comparison
