// exp(x) / (x^4 + x^2 + 1), as [Luo2019] Table 2 times its derivatives.

#include "error_curves/exact_derivatives.h"
#include "error_curves/functions.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/scalars/taylor.h"
#include "timing/peers.h"
#include "timing/points.h"

namespace holo::comparison {

namespace {

// By logarithmic differentiation: with u = q'/q and g = 1 - u, f' = f g, f'' = f (g^2 + g'), f''' = f (g^3 + 3 g g' + g'').
template <int order>
HOLO_INLINE double factored(double x) {
  const double square = x * x, inverse = 1 / (square * square + square + 1), f = std::exp(x) * inverse;
  const double u = (4 * square + 2) * x * inverse, g = 1 - u;
  if constexpr (order == 1) return f * g;
  const double second = (12 * square + 2) * inverse, dg = u * u - second;
  if constexpr (order == 2) return f * (g * g + dg);
  const double third = 24 * x * inverse;
  return f * (g * (g * g + 3 * dg) - third + u * (3 * second - 2 * u * u));
}

template <int order>
HOLO_INLINE double nilpotent_derivative(double x) {
  double directions[order];
  for (double& d : directions) d = 1;
  return ExponentialOverQuartic{}(Nilpotent<order>::seed(x, directions)).derivative();
}

template <int order>
TimingTask task_of(std::size_t evaluations) {
  const auto points =
      std::make_shared<const Points>(3.5, 4.5, [](double x) { return exact_derivative_of_exponential_over_quartic(order, x); });
  TimingTask task{"derivative", evaluations, {}};
  const auto add = [&](const char* name, const char* summary, bool is_yardstick, auto derivative) {
    task.contestants.push_back(at_points(name, summary, is_yardstick, points, evaluations, derivative));
  };
  add("csfd", "power series with a constant seed, Taylor<n>", false,
      [](double x) HOLO_INLINE_LAMBDA { return ExponentialOverQuartic{}(Taylor<order>::variable(x)).derivative(); });
  add("nilpotent", "one unit for each order, Nilpotent<n>", false,
      [](double x) HOLO_INLINE_LAMBDA { return nilpotent_derivative<order>(x); });
  add("analytic_expanded", "one polynomial over a power of the denominator, as the paper prints it", true,
      [](double x) HOLO_INLINE_LAMBDA { return ExponentialOverQuartic{}.derivative(order, x); });
  add("analytic_factored", "by logarithmic differentiation", true,
      [](double x) HOLO_INLINE_LAMBDA { return factored<order>(x); });
  add_scalar_peers(order, points, evaluations, task.contestants);
  return task;
}

}  // namespace

TimingTask quartic_derivative_task(int order, std::size_t evaluations) {
  if (order == 1) return task_of<1>(evaluations);
  if (order == 2) return task_of<2>(evaluations);
  if (order == 3) return task_of<3>(evaluations);
  throw Error(Failure::input, "the derivative of order " + std::to_string(order) + " is not among the timed ones: 1, 2, 3");
}

}  // namespace holo::comparison
