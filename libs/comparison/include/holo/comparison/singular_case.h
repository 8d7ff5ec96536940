#pragma once
// Functions at points where the rules of differentiation divide 0 by 0: what is true there, and what each arithmetic returns.

#include <optional>
#include <string>
#include <vector>

namespace holo::comparison {

struct SingularCase {
  std::string name, formula;
  double point = 0;
  int order = 1;               // of the derivative
  double left = 0, right = 0;  // the true one-sided derivatives; NaN: the function has no real value there

  // The derivative, where it exists: from both sides the same, or from the only side.
  std::optional<double> derivative() const;
};
// [Luo2019] section 8 and Eqs 32, 33, 39, and their like.
const std::vector<SingularCase>& singular_cases();

struct SingularOutcome {
  double nilpotent = 0;
  std::optional<double> accelerated_paper;  // of first order alone
  double mcsfd_full = 0;                    // step 2^-133
  double left = 0, right = 0;               // by one-sided series; NaN: no real value
  std::string status;                       // of the derivative call
};
SingularOutcome evaluate(const SingularCase& singular_case);

// Whether `value` is the derivative to 1e-10; where there is none, no number is right.
bool is_right(const SingularCase& singular_case, double value);
// Whether both sides are the true ones to 1e-10, infinities and missing sides included.
bool sides_are_right(const SingularCase& singular_case, const SingularOutcome& outcome);

}  // namespace holo::comparison
