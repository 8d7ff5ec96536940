// Boost.Math's automatic differentiation: forward numbers, one direction or pair of directions at a time.
#include <boost/math/differentiation/autodiff.hpp>

#include "timing/peer_functions.h"
#include "timing/peers.h"

namespace holo::comparison {
namespace {

using First = boost::math::differentiation::detail::fvar<double, 1>;
using Second = boost::math::differentiation::detail::fvar<First, 1>;

template <int order>
Contestant contestant_of(const std::shared_ptr<const Points>& points, std::size_t evaluations) {
  return at_points("boost_autodiff", "Boost.Math's forward numbers", false, points, evaluations, [](double x) {
    return peer_quartic(boost::math::differentiation::make_fvar<double, std::size_t(order)>(x)).derivative(order);
  });
}

}  // namespace

PeerMode boost_mode(const std::string& material, int order, const std::vector<double>& coefficients) {
  if (order == 1)
    return {"boost_autodiff", "Boost.Math's forward numbers, 9 directions", [=](const double* F, double* P) {
              for (int i = 0; i < 9; ++i) {
                First entries[9];
                for (int k = 0; k < 9; ++k) entries[k] = First(F[k], k == i);
                P[i] = peer_energy(material, entries, coefficients).derivative(1);
              }
            }};
  return {"boost_autodiff", "Boost.Math's forward numbers, 45 pairs of directions", [=](const double* F, double* H) {
            const Second unit = Second(First(0.0, true)), other(0.0, true);
            for (int i = 0; i < 9; ++i)
              for (int j = i; j < 9; ++j) {
                Second entries[9];
                for (int k = 0; k < 9; ++k) entries[k] = Second(F[k]);
                entries[i] += unit;
                entries[j] += other;
                *H++ = peer_energy(material, entries, coefficients).derivative(1, 1);
              }
          }};
}

Contestant boost_contestant(int order, const std::shared_ptr<const Points>& points, std::size_t evaluations) {
  if (order == 1) return contestant_of<1>(points, evaluations);
  return order == 2 ? contestant_of<2>(points, evaluations) : contestant_of<3>(points, evaluations);
}

}  // namespace holo::comparison
