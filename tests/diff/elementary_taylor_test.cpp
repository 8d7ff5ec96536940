// Power series in the test of the elementary functions: the variable, a series of known degree, a full one, and a long one,
// whose functions take the recurrences.
#include "elementary_scalars.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/taylor.h"

namespace holo {
namespace {

template <int n, int degree>
struct Series {
  template <class F>
  static MixedDerivatives run(const DirectionalPoint& p, F f) {
    using Number = Taylor<n, double, degree>;
    const Taylor<n> result = f(Number::seed(p.x, p.dx[0]), Number::seed(p.y, p.dy[0]));
    MixedDerivatives d{};
    for (int s = 0; s < entry_count; ++s)
      if (order_of(s) <= n) d[s] = result.derivative(order_of(s));
    return d;
  }
};
// In lanes, the others at another point.
struct InLanes {
  template <class F>
  static MixedDerivatives run(const DirectionalPoint& p, F f) {
    using Number = Taylor<3, LaneBlock>;
    constexpr int lane = LaneBlock::width - 2;
    LaneBlock x(p.other_x), y(p.other_y);
    x.set(lane, p.x), y.set(lane, p.y);
    const Number result = f(Number::seed(x, p.dx[0]), Number::seed(y, p.dy[0]));
    MixedDerivatives d{};
    for (int s = 0; s < 8; ++s) d[s] = result.derivative(bit_count(s))[lane];
    return d;
  }
};
using FirstOrder = Series<1, 1>;
using SecondOrder = Series<2, 2>;
using ThirdOrderVariable = Series<3, 1>;
using ThirdOrder = Series<3, 3>;
using FifthOrder = Series<5, 5>;
HOLO_ADD_TESTED_SCALAR(FirstOrder, "Taylor<1>", equal, 1)
HOLO_ADD_TESTED_SCALAR(SecondOrder, "Taylor<2>", equal, 2)
HOLO_ADD_TESTED_SCALAR(ThirdOrderVariable, "Taylor<3>, variable", equal, 3)
HOLO_ADD_TESTED_SCALAR(ThirdOrder, "Taylor<3>", equal, 3)
HOLO_ADD_TESTED_SCALAR(FifthOrder, "Taylor<5>", equal, 5)
HOLO_ADD_TESTED_SCALAR_WITHIN(InLanes, "Taylor<3, LaneBlock>", equal, 3, lane_ulps)

}  // namespace
}  // namespace holo
