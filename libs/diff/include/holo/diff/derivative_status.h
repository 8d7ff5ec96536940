#pragma once
// The status of a computed derivative, and the options for points at which a function is not smooth.

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace holo {

// One derivative from one side of a point, by a power series along a ray.
struct OneSidedDerivative {
  enum class Kind {
    finite,
    infinite,         // f ~ d^exponent from this side, with a negative exponent or one that is not an integer
    no_real_value,    // the function has no real value on this side
    undefined,        // the function is not finite along the ray: a division by exactly 0, an overflow
    unrepresentable,  // no series in powers of d^(1/6): logarithms of d, exp(1/d)
    unresolved        // all computed terms canceled
  };
  Kind kind = Kind::finite;
  double value = 0;     // +inf or -inf if infinite (NaN for a mixed derivative); NaN if there is none
  double exponent = 0;  // of the term that makes the derivative infinite, such as 3/2

  bool finite() const { return kind == Kind::finite; }
  bool exists() const { return kind == Kind::finite || kind == Kind::infinite; }
};

// The derivatives from both sides. Entries as in DerivativeStatus::index.
struct SingularPoint {
  OneSidedDerivative left_value, right_value;   // limits of the function
  std::vector<OneSidedDerivative> left, right;  // from x - d v and x + d v, along the same v
  // Whether the derivative is linear in the direction and the limits along all directions agree. If not, `inconsistent_index`
  // is the first entry that violates it (DerivativeStatus::value_index for the limits).
  bool consistent = true;
  std::ptrdiff_t inconsistent_index = -1;
  double scale = 0;  // magnitude of intermediate derivatives: rounding errors are about 1e-16 of it
};

struct DerivativeStatus {
  enum class Kind {
    ok,
    kink,               // finite, but the function chose a side at a tie or a step, and no series was evaluated (SingularRule::
                        // report, functions without series, tapes): the derivatives may be one-sided
    singular_resolved,  // 0/0, a tie or the like occurred, but both sides have the same derivatives; these are the result
    one_sided,          // the function has real values on one side only; the result is the derivatives of that side
    nondifferentiable,  // the sides differ, or the derivative is not linear in the direction; DerivativeOptions selects the
                        // result
    infeasible,         // the value is +inf or -inf, such as that of a barrier outside its domain
    not_finite,         // the value is NaN, or a derivative is not finite
    unrepresentable     // a derivative is not finite, and the function has no power series here
  };
  static constexpr std::ptrdiff_t value_index = -1;

  Kind kind = Kind::ok;
  // The entry to which `kind` refers: value_index, or the first infinite (else NaN) entry of the gradient (i) and then of the
  // Hessian by rows (n + i n + j), or of DirectionalResult::coefficients without the value. For HessianVectorResult and
  // ThirdOrderResult the second array follows the gradient. If one derivative is infinite, others are NaN.
  std::ptrdiff_t index = value_index;
  bool uncertified = false;        // from the full multicomplex step, which is wrong at some singular points
  bool without_one_sided = false;  // not finite, and one-sided evaluation was impossible or not requested
  bool too_large = false;          // the entry is +inf or -inf because it exceeds the range of double; the derivative may exist

  bool ok() const { return kind == Kind::ok; }
  // Whether value and derivatives are finite numbers.
  bool usable() const { return kind != Kind::infeasible && kind != Kind::not_finite && kind != Kind::unrepresentable; }
};

// The meaning of a result's entries, for their names in messages; each result type of holo/diff/drivers.h declares its own.
enum class DerivativeEntries {
  by_coordinates,  // the gradient by x[i], then the Hessian by x[i] and x[j]
  by_directions,   // of directional(): along v1, v2, v1 and v2, v3, ...
  contracted       // the gradient, then its derivatives along the given directions
};
// A sentence, such as "the derivative with respect to x[3] is not finite". `dimension` is the number of entries of the point.
std::string to_string(const DerivativeStatus& status, std::size_t dimension,
                      DerivativeEntries entries = DerivativeEntries::by_coordinates);

// The treatment of points at which a derivative is not finite although the value is finite, and of points at which the function
// chose a side at a tie or a step. holo/diff/singular/full_step.h has the full multicomplex step instead.
enum class SingularRule {
  one_sided,  // evaluate the function again in one-sided series, from both sides
  report      // set the status to not_finite or kink; NondifferentiableChoice has no effect
};
// The result if the one-sided derivatives differ.
enum class NondifferentiableChoice { mean, right, left, throw_error };

struct DerivativeOptions {
  SingularRule singular = SingularRule::one_sided;
  NondifferentiableChoice nondifferentiable = NondifferentiableChoice::mean;
};

}  // namespace holo
