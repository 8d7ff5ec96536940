#pragma once
// Friction of a surface with bristles: the energy of a tangential displacement in a step, for the product mu N = 1 of
// coefficient and normal force. Of the displacement w of the surface against the other one, with the unit normal n and the
// direction a of the bristles, which need not be tangential,
//
//   t = p/|p| with p = a - n (n . a),  y = t . w,  z = (n x t) . w,   D(w) = S(y) + lateral f(|z|)
//
// with the smoothed lengths S forward and backward and f (gap_energy.h). Where |p| < |a|/1000 the bristles stand upright: t is
// 0, and friction is that of `lateral` in all directions, D = S(0) + lateral f(|w - n (n . w)|).

#include <Eigen/Core>

#include "holo/sim/contact/bristles.h"

namespace holo {

struct DirectionalLaw {
  FrictionLaw law;
  double stick_length;  // [m]
  double forward, backward, lateral;

  DirectionalLaw(FrictionLaw friction_law, double length, const BristlesDefinition& bristles)
      : law(friction_law),
        stick_length(length),
        forward(bristles.forward),
        backward(bristles.backward),
        lateral(bristles.lateral) {}
};

// t; 0 of upright bristles.
Eigen::Vector3d bristle_tangent(const Eigen::Vector3d& n, const Eigen::Vector3d& a);

// D with its derivatives in w, for the tangent t of bristle_tangent(). The stiffness is positive semidefinite if the law's
// ratio is at most largest_directed_ratio().
struct DirectionalSliding {
  double value;               // [m]
  Eigen::Vector3d force;      // dD/dw
  Eigen::Matrix3d stiffness;  // d2D/dw2 [1/m]
};
DirectionalSliding directional_sliding(const DirectionalLaw& law, const Eigen::Vector3d& w, const Eigen::Vector3d& n,
                                       const Eigen::Vector3d& t);

// The numbers q = (w, n, F, a) of the energy F D(w; n, a), F = mu N.
struct SlidingNumbers {
  static constexpr int count = 10;
  static constexpr int displacement = 0, normal = 3, factor = 6, direction = 7;  // the first ones
};
using SlidingVector = Eigen::Matrix<double, SlidingNumbers::count, 1>;
using SlidingMatrix = Eigen::Matrix<double, SlidingNumbers::count, SlidingNumbers::count>;

// d2(F D)/dq2, and its derivative as w moves along Y.
struct SlidingDerivatives {
  SlidingMatrix hessian = SlidingMatrix::Zero(), along = SlidingMatrix::Zero();
};
// Of the numbers q that are `varied`, with 1 for each; entries of the others are 0.
SlidingDerivatives directional_sliding_derivatives(const DirectionalLaw& law, const SlidingVector& q, const Eigen::Vector3d& Y,
                                                   const SlidingVector& varied = SlidingVector::Ones());

}  // namespace holo
