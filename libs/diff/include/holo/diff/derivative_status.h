#pragma once
// What a derivative call says of its result, and what it is to do where a function is not smooth.

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace holo {

// What a series along a ray says of one derivative there.
struct OneSidedDerivative {
  enum class Kind {
    finite,
    infinite,         // f ~ d^exponent from this side, an exponent that is no integer or negative
    no_real_value,    // the function has no real value on this side
    undefined,        // it is not finite all along the ray: a division by 0 itself, an overflow
    unrepresentable,  // no series in powers of d^(1/6): logarithms of d, exp(1/d)
    unresolved        // all terms that were computed canceled
  };
  Kind kind = Kind::finite;
  double value = 0;     // +inf or -inf where infinite (NaN for a mixed derivative), NaN where there is none
  double exponent = 0;  // of the term that makes it infinite, 3/2 say

  bool finite() const { return kind == Kind::finite; }
  bool exists() const { return kind == Kind::finite || kind == Kind::infinite; }
};

// The derivatives from both sides. Entries as in DerivativeStatus::index.
struct SingularPoint {
  OneSidedDerivative left_value, right_value;   // limits of the function
  std::vector<OneSidedDerivative> left, right;  // from x - d v and x + d v, along the same v
  // Whether derivatives along sums of directions add up, and limits along all directions agree; else the first entry that does
  // not (DerivativeStatus::value_index: the limits).
  bool consistent = true;
  std::ptrdiff_t inconsistent_index = -1;
  double scale = 0;  // of the derivatives met on the way: rounding errors are of its size times 1e-16
};

struct DerivativeStatus {
  enum class Kind {
    ok,
    kink,               // finite, but the function chose a side at a tie or a step, and no series told more (SingularRule::
                        // report, functions that take none, tapes): the derivatives may be one-sided
    singular_resolved,  // 0/0, a tie or the like on the way, but both sides have the same derivatives: these
    one_sided,          // the function has real values on one side only: the derivatives of that side
    nondifferentiable,  // the sides differ, or the derivative is not linear in the direction: as DerivativeOptions choose
    infeasible,         // the value is +inf or -inf, as of a barrier outside its domain
    not_finite,         // the value is NaN, or a derivative is not finite
    unrepresentable     // not finite here, and no power series tells more
  };
  static constexpr std::ptrdiff_t value_index = -1;

  Kind kind = Kind::ok;
  // Which entry it is: value_index, or the first infinite (else NaN) entry of the gradient, then of the Hessian counted on by
  // rows (n + i n + j), or of DirectionalResult::coefficients without the value. Where one derivative is infinite, others are
  // NaN. HessianVectorResult and ThirdOrderResult: the gradient, then the second array.
  std::ptrdiff_t index = value_index;
  bool uncertified = false;        // by the full multicomplex step, which is wrong in some singular points
  bool without_one_sided = false;  // not finite, and no one-sided evaluation was possible or wanted
  bool too_large = false;          // that entry exceeds the range of double: it is +inf or -inf, and may exist

  bool ok() const { return kind == Kind::ok; }
  // Whether value and derivatives are finite numbers.
  bool usable() const { return kind != Kind::infeasible && kind != Kind::not_finite && kind != Kind::unrepresentable; }
};

// What the entries of a result are, for the names that sentences give them: each result type of holo/diff/drivers.h says it.
enum class DerivativeEntries {
  by_coordinates,  // the gradient by x[i], then the Hessian by x[i] and x[j]
  by_directions,   // of directional(): along v1, v2, v1 and v2, v3, ...
  contracted       // the gradient, then its derivatives along the given directions
};
// A sentence, such as "the derivative with respect to x[3] is not finite"; for a point [dimension].
std::string to_string(const DerivativeStatus& status, std::size_t dimension,
                      DerivativeEntries entries = DerivativeEntries::by_coordinates);

// Where a derivative is not finite although the value is not infinite, and where the function chose a side at a tie or a step.
// For the full multicomplex step instead, see
// holo/diff/singular/full_step.h.
enum class SingularRule {
  one_sided,  // the whole expression again, in one-sided series from both sides
  report      // nothing: status not_finite or kink, whatever NondifferentiableChoice says
};
// What to return where the one-sided derivatives differ.
enum class NondifferentiableChoice { mean, right, left, throw_error };

struct DerivativeOptions {
  SingularRule singular = SingularRule::one_sided;
  NondifferentiableChoice nondifferentiable = NondifferentiableChoice::mean;
};

}  // namespace holo
