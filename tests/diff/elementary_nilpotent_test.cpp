// Nilpotent numbers of order 3 in the test of the elementary functions; orders 1 and 2 and lanes: nilpotent_test.cpp.
#include "elementary_scalars.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo {
namespace {

struct ThirdOrder {
  template <class F>
  static MixedDerivatives run(const DirectionalPoint& p, F f) {
    using N = Nilpotent<3>;
    const N result = f(N::seed(p.x, {p.dx[0], p.dx[1], p.dx[2]}), N::seed(p.y, {p.dy[0], p.dy[1], p.dy[2]}));
    MixedDerivatives d{};
    for (int s = 0; s < 8; ++s) d[s] = result.coefficient(s);
    return d;
  }
};
HOLO_ADD_TESTED_SCALAR(ThirdOrder, "Nilpotent<3>", any, 3)

}  // namespace
}  // namespace holo
