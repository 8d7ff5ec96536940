// Boost.Math's automatic differentiation on the scalar function.

#include <boost/math/differentiation/autodiff.hpp>

#include "scalar_function.h"

namespace holo::benchmark {

void add_boost(std::vector<Mode>& modes, int order, const std::vector<double>& points) {
  using boost::math::differentiation::make_fvar;
  const auto add = [&]<int n>(std::integral_constant<int, n>) {
    modes.push_back(point_by_point("Boost autodiff", Family::peer, points, [](double x) {
      return scalar_function(make_fvar<double, std::size_t(n)>(x)).derivative(n);
    }));
  };
  if (order == 1) add(std::integral_constant<int, 1>{});
  if (order == 2) add(std::integral_constant<int, 2>{});
  if (order == 3) add(std::integral_constant<int, 3>{});
}

}  // namespace holo::benchmark
