// ADOL-C on the scalar function: a tape, recorded once and read at every point, and the tapeless numbers of first order.

#include <adolc/adolc.h>
#include <adolc/adtl.h>

#include "adolc_tags.h"
#include "scalar_function.h"

namespace holo::benchmark {
namespace {

void record(short tag, double at) {
  trace_on(tag);
  adouble x, y;
  double value;
  x <<= at;
  y = scalar_function(x);
  y >>= value;
  trace_off();
}

}  // namespace

void add_adolc(std::vector<Mode>& modes, int order, const std::vector<double>& points) {
  record(scalar_tag, points.front());
  // Taylor coefficients along x + t.
  modes.push_back(point_by_point("ADOL-C, tape reused, forward", Family::peer, points, [order](double x) {
    double X[4] = {x, 1, 0, 0}, Y[4], *X_row = X, *Y_row = Y, factorial = 1;
    ::forward(scalar_tag, 1, 1, order, 0, &X_row, &Y_row);
    for (int k = 2; k <= order; ++k) factorial *= k;
    return factorial * Y[order];
  }));
  if (order != 1) return;
  modes.push_back(point_by_point("ADOL-C, tape reused, reverse", Family::peer, points, [](double x) {
    double slope;
    ::gradient(scalar_tag, 1, &x, &slope);
    return slope;
  }));
  // One direction, which is what ADOL-C begins with; the elements set their own number afterwards.
  modes.push_back(point_by_point("ADOL-C, tapeless", Family::peer, points, [](double at) {
    adtl::adouble x = at;
    const double one = 1;
    x.setADValue(&one);
    return *scalar_function(x).getADValue();
  }));
}

}  // namespace holo::benchmark
