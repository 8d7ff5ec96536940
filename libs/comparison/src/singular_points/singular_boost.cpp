// Boost.Math's forward numbers.
#include <boost/math/differentiation/autodiff.hpp>

#include "singular_points/singular_functions.h"
#include "singular_points/singular_packages.h"

namespace holo::comparison {

std::optional<double> boost_derivative(const SingularCase& c) {
  return with_singular_function(c, [&](const auto& f) -> std::optional<double> {
    using boost::math::differentiation::make_fvar;
    return static_cast<double>(f(make_fvar<double, 3>(c.point)).derivative(std::size_t(c.order)));
  });
}

}  // namespace holo::comparison
