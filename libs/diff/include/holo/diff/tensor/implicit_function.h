#pragma once
// Derivatives of any order of a function given by equations: u(p) with r(u(p), p) = 0, from the residual written once and ONE
// factorization of J_0 = dr/du:
//   u_S = -J_0^-1 [r(u with u_S := 0, p)]_S       in order of |S|: one evaluation of the residual for each degree.
//
//   std::vector<N> p = ...;                                         // parameters with their directions
//   auto residual = [](std::span<const N> u, std::span<const N> p, std::span<N> r) { ... };
//   ImplicitFunction<N> u = implicit_function<N>(residual, u0, p, *factorize_lu(J0));
//
// u0 solves r(u0, p_0) = 0 already: the derivatives are those at u0, as wrong as u0 is. `newton_step` tells how wrong; J_0 is
// the exact Jacobian (no projection, no damping).

#include <span>
#include <vector>

#include "holo/diff/tensor/nilpotent_matrix.h"

namespace holo {

template <SeriesNumber N>
struct ImplicitFunction {
  std::vector<N> u;
  double newton_step = 0;  // largest entry of J_0^-1 r(u0, p_0), relative to that of u0, or to 1 where u0 is smaller
};

// A right-hand side for the solver, and a refusal of what is not finite.
namespace detail {
Eigen::VectorXd implicit_step(const RealFactorization& jacobian, const Eigen::VectorXd& residual, int index);
void require_implicit_sizes(std::size_t unknowns, Eigen::Index rows);
}  // namespace detail

// Throws TensorError: dimension_mismatch (sizes of u0 and J_0, or u0 empty), not_finite where the residual or a derivative of
// it is not finite.
template <SeriesNumber N, class Residual>
ImplicitFunction<N> implicit_function(const Residual& residual, std::span<const double> u0, std::span<const N> p,
                                      const RealFactorization& jacobian) {
  using Scalar = SeriesScalar<N>;
  detail::require_implicit_sizes(u0.size(), jacobian.size());
  const DerivativeSet set = Scalar::set();
  ImplicitFunction<N> result{std::vector<N>(u0.begin(), u0.end()), 0};
  std::vector<N> r(u0.size());
  Eigen::VectorXd right(Eigen::Index(u0.size()));
  for (int degree = 0; degree <= set.order(); ++degree) {
    residual(std::span<const N>(result.u), p, std::span<N>(r));
    for (const int index : set.level(degree)) {
      for (std::size_t i = 0; i < r.size(); ++i) right[Eigen::Index(i)] = Scalar::get(r[i], index);
      const Eigen::VectorXd step = detail::implicit_step(jacobian, right, index);
      if (index == 0) {
        double largest = 1;
        for (double entry : u0) largest = std::fmax(largest, std::abs(entry));
        result.newton_step = step.cwiseAbs().maxCoeff() / largest;
      } else {
        for (std::size_t i = 0; i < r.size(); ++i) Scalar::set_coefficient(result.u[i], index, -step[Eigen::Index(i)]);
      }
    }
  }
  return result;
}

}  // namespace holo
