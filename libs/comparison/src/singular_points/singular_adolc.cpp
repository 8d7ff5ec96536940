// ADOL-C: Taylor coefficients of a tape along x + t.
#include "singular_points/singular_packages.h"

#ifdef HOLO_COMPARISON_ADOLC
#include <adolc/adolc.h>

#include "singular_points/singular_functions.h"

namespace holo::comparison {

namespace {
constexpr short singular_tag = 99;  // below those of timed tapes
}

std::optional<double> adolc_derivative(const SingularCase& c) {
  return with_singular_function(c, [&](const auto& f) -> std::optional<double> {
    trace_on(singular_tag);
    adouble x, y;
    double value = 0;
    x <<= c.point;
    y = f(x);
    y >>= value;
    trace_off();
    double X[4] = {c.point, 1, 0, 0}, Y[4] = {}, *X_row = X, *Y_row = Y, factorial = 1;
    ::forward(singular_tag, 1, 1, c.order, 0, &X_row, &Y_row);
    for (int k = 2; k <= c.order; ++k) factorial *= k;
    return factorial * Y[c.order];
  });
}

}  // namespace holo::comparison
#else
namespace holo::comparison {
std::optional<double> adolc_derivative(const SingularCase&) { return {}; }
}  // namespace holo::comparison
#endif
