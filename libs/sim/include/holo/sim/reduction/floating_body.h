#pragma once
// A reduced body that moves freely: its frame has a position and a rotation, and its deformation in this frame is that of a
// reduced basis. Time steps of implicit Euler with gravity and planes.
//
//   x_v = t + R y_v(q),   y_v(q) = Y_v + sum_k q_k Psi_v,k
//
// Y are the rest positions from the center of mass. The basis is orthogonal to the rigid motions in M, so that t is the center
// of mass of every deformation (docs/model-reduction.md).

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "holo/opt/dense/dense_minimizer.h"
#include "holo/sim/contact/scene_contact.h"
#include "holo/sim/reduction/modal_system.h"
#include "holo/sim/reduction/reduced_elasticity.h"

namespace holo {

struct FloatingPose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();      // t [m]
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  // R
  Eigen::VectorXd amplitudes = {};                         // q [column] [m sqrt(kg)]
};

// The velocity is that from `before` to `now` in one time step.
struct FloatingState {
  FloatingPose now, before;
};

// The body without its elastic energy: masses, basis and the surface that collides.
class FloatingBody {
 public:
  // The basis [3 * vertex][column] is orthonormal in M and orthogonal to rigid motions, as reduced_basis() makes it of a free
  // body's system. Contact with planes that stay alone. Throws Error(input) for a system that is not of a free body, a basis
  // that does not fit, moving planes, obstacles of other shapes, and bristles.
  FloatingBody(const ModalSystem& system, const Eigen::MatrixXd& basis, SceneContact contact);

  Eigen::Index size() const { return basis_.cols(); }
  double mass() const { return mass_; }  // [kg]
  const SceneContact& contact() const { return contact_; }
  // At rest where the system is, with a velocity [m/s] and an angular velocity about the center of mass [rad/s], of the time
  // step [s].
  FloatingState start(const Eigen::Vector3d& velocity, const Eigen::Vector3d& angular_velocity, double time_step) const;
  Eigen::VectorXd positions(const FloatingPose& pose) const;  // x [3 * vertex] [m]
  // The smallest distance of the surface from a plane [m]; +infinity without planes.
  double smallest_gap(const FloatingPose& pose) const;

 private:
  friend class FloatingStep;

  // Vertices of the surface, and what is known of each.
  struct SurfacePoints {
    Eigen::Matrix3Xd rest;  // Y [3][point]
    Eigen::MatrixXd basis;  // Psi [3 * point][column]
    Eigen::VectorXd areas;  // [point] [m^2]
    double basis_size = 0;  // the largest norm of the 3 rows of a point
    Eigen::Index count() const { return areas.size(); }
    Eigen::Vector3d in_frame(Eigen::Index point, const Eigen::VectorXd& q) const {
      return rest.col(point) + basis.middleRows<3>(3 * point) * q;
    }
  };

  void measure(const ModalSystem& system);
  void gather_surface();

  Eigen::MatrixXd basis_;  // [3 * vertex][column]
  Eigen::Matrix3Xd rest_;  // Y [3][vertex]
  Eigen::Vector3d center_;
  double mass_ = 0;
  // sum_v m_v c_v c_v^T of c_v = (Y_v, Psi_v,1, ..., Psi_v,r), 3 rows each [3 (1 + column)][3 (1 + column)] [kg m^2]
  Eigen::MatrixXd moments_;
  SceneContact contact_;
  SurfacePoints surface_;
};

struct FloatingOptions {
  double time_step = 0.01;                            // h [s], > 0
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // [m/s^2]
  double mass_damping = 0;                            // alpha [1/s], >= 0
  double stiffness_damping = 0;                       // beta [s], >= 0, of the reduced stiffness at rest
  double tolerance = 1e-9;  // of a step's residual, relative to the forces of inertia and gravity on all of the body, > 0
  int max_iterations = 100;
};

struct FloatingResult {
  DenseStatus status = DenseStatus::converged;
  std::string diagnosis;
  int iterations = 0;   // of Newton's method
  int evaluations = 0;  // of the potential
  bool converged = false;
};

// A step from (x_n, x_{n-1}) minimizes, over t, R and q,
//
//   1/(2 h^2) |x - 2 x_n + x_{n-1}|_M^2 + alpha/(2 h) |x - x_n|_M^2 + beta/(2 h) |q - q_n|_K^2 + E(q) - g . sum_v m_v x_v
//   + contact and friction of surface vertices with planes, as those of full bodies (plane_contact.h)
//
// by Newton's method with the exact Hessian: the full body's step among such positions. All sums over vertices but those of
// contact are made once, in the moments of the basis.
class FloatingDynamics {
 public:
  // Throws Error(input) for an energy of another number of amplitudes and for options out of range.
  FloatingDynamics(std::shared_ptr<const FloatingBody> body, std::shared_ptr<const ReducedElasticity> elasticity,
                   const FloatingOptions& options);

  const FloatingBody& body() const { return *body_; }
  const ReducedElasticity& elasticity() const { return *elasticity_; }
  // Advances the state. A minimum as far as the rounding of the potential can tell has converged. Where the result has not, the
  // state stays as it was.
  FloatingResult step(FloatingState& state);

 private:
  std::shared_ptr<const FloatingBody> body_;
  std::shared_ptr<const ReducedElasticity> elasticity_;
  FloatingOptions options_;
  Eigen::MatrixXd stiffness_;  // of the energy at rest; empty without damping by it
  DenseWorkspace workspace_;
};

}  // namespace holo
