// Jets in the test of the elementary functions.
#include "elementary_scalars.h"
#include "holo/diff/scalars/compact_jet.h"
#include "holo/diff/scalars/jet.h"

namespace holo {
namespace {

// Along the axes x, y, x: masks of two directions are entries of the Hessian.
template <class J, int order>
struct TwoVariables {
  template <class F>
  static MixedDerivatives run(const DirectionalPoint& p, F f) {
    const J result = f(J::variable(0, p.x), J::variable(1, p.y));
    MixedDerivatives d{};
    d[0] = result.value();
    d[1] = d[4] = result.gradient(0);
    d[2] = result.gradient(1);
    if constexpr (order == 2) {
      d[3] = result.hessian(0, 1);
      d[6] = result.hessian(1, 0);
      d[5] = result.hessian(0, 0);
    }
    return d;
  }
};
using FirstOrder = TwoVariables<Jet<1, 2>, 1>;
using SecondOrder = TwoVariables<Jet<2, 2>, 2>;
using Compact = TwoVariables<CompactJet<2>, 2>;
HOLO_ADD_TESTED_SCALAR(FirstOrder, "Jet<1, 2>", axes, 1)
HOLO_ADD_TESTED_SCALAR(SecondOrder, "Jet<2, 2>", axes, 2)
HOLO_ADD_TESTED_SCALAR(Compact, "CompactJet<2>", axes, 2)

}  // namespace
}  // namespace holo
