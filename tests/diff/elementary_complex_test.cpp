// Complex and multicomplex numbers in the test of the elementary functions, with the step 2^-133.
#include "elementary_scalars.h"
#include "holo/diff/scalars/complex.h"
#include "holo/diff/scalars/multicomplex.h"

namespace holo {
namespace {

struct OneUnit {
  template <class F>
  static MixedDerivatives run(const DirectionalPoint& p, F f) {
    using C = Complex<double>;
    const C result = f(C::seed(p.x, p.dx[0]), C::seed(p.y, p.dy[0]));
    MixedDerivatives d{};
    d[0] = result.value();
    for (int s : {1, 2, 4}) d[s] = result.derivative();
    return d;
  }
};

template <int n>
struct Units {
  template <class F>
  static MixedDerivatives run(const DirectionalPoint& p, F f) {
    using M = Multicomplex<n>;
    double dx[n], dy[n];
    for (int k = 0; k < n; ++k) dx[k] = p.dx[k], dy[k] = p.dy[k];
    const M result = f(M::seed(p.x, dx), M::seed(p.y, dy));
    MixedDerivatives d{};
    for (int s = 0; s < 8; ++s)
      if (bit_count(s) <= n) d[s] = result.derivative((1 << bit_count(s)) - 1);
    if (n == 3)
      for (int s = 0; s < 8; ++s) d[s] = result.derivative(s);
    return d;
  }
};
using TwoUnits = Units<2>;
using ThreeUnits = Units<3>;
HOLO_ADD_TESTED_SCALAR(OneUnit, "Complex", equal, 1)
HOLO_ADD_TESTED_SCALAR(TwoUnits, "Multicomplex<2>", equal, 2)
HOLO_ADD_TESTED_SCALAR(ThreeUnits, "Multicomplex<3>", any, 3)

}  // namespace
}  // namespace holo
