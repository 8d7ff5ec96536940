#pragma once
// Functions at points where the rules of differentiation divide 0 by 0: the true derivatives, and the results of each
// arithmetic.

#include <optional>
#include <string>
#include <vector>

namespace holo::comparison {

struct SingularCase {
  std::string name, formula;
  double point = 0;
  int order = 1;               // of the derivative
  double left = 0, right = 0;  // the true one-sided derivatives; NaN: the function has no real value there

  // The derivative if it exists: both sides have the same, or the function is real on one side only.
  std::optional<double> derivative() const;
};
// The functions of [Luo2019] section 8 and Eqs 32, 33, 39, and similar ones.
const std::vector<SingularCase>& singular_cases();

struct SingularOutcome {
  double nilpotent = 0;
  std::optional<double> accelerated_paper;  // first order only
  double mcsfd_full = 0;                    // step 2^-133
  double left = 0, right = 0;               // by one-sided series; NaN: no real value
  std::string status;                       // of the derivative call
};
SingularOutcome evaluate(const SingularCase& singular_case);

// Whether `value` is the derivative to 1e-10; false if the case has none.
bool is_right(const SingularCase& singular_case, double value);
// Whether both sides are the true ones to 1e-10, infinities and missing sides included.
bool sides_are_right(const SingularCase& singular_case, const SingularOutcome& outcome);

}  // namespace holo::comparison
