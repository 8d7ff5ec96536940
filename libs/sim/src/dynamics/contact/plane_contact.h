#pragma once
// Contact of the bodies' surfaces with a plane, as two terms: the barrier of the gap of each vertex, weighted by the area
// around it, and friction with normal forces that are constant while a step is minimized.

#include <memory>
#include <string>
#include <vector>

#include "contact/step_plane.h"
#include "dynamics/contact/friction_term.h"
#include "holo/sim/contact/contact_definition.h"
#include "holo/sim/contact/contact_surface.h"
#include "holo/sim/contact/gap_energy.h"
#include "holo/sim/dynamics/obstacle_term.h"
#include "holo/sim/dynamics/potential_term.h"

namespace holo {

// The sum of A_v B(d_v) over the vertices of the surface, with the gap d_v = n . (x_v - p) [m].
class PlaneBarrier final : public PotentialTerm, public ObstacleTerm {
 public:
  PlaneBarrier(const PlaneDefinition& plane, std::shared_ptr<const ContactSurface> surface, const Barrier& barrier);

  std::string name() const override { return "contact with '" + name_ + "'"; }
  void begin_step(const StepContext& context) override { plane_.begin_step(context.start_time, context.end_time); }
  void place_obstacles(double progress) override { plane_.place(progress); }
  void add_obstacle_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) override;
  // Nine tenths of the way to the plane.
  double feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) override;
  // The barrier's stiffness [Pa/m].
  Eigen::Index parameter_count() const override { return 1; }
  Eigen::VectorXd parameters() const override { return Eigen::VectorXd::Constant(1, barrier_.stiffness); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override { barrier_.stiffness = values[0]; }
  void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) override;
  void add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                           Eigen::MatrixXd& result) override;

 private:
  // visit(vertex, area, derivatives of the energy) for each vertex whose gap is below the activation distance.
  template <class Visit>
  void each_active(const Eigen::VectorXd& x, Visit visit) const;

  const Eigen::Vector3d& normal() const { return plane_.now().normal; }

  std::string name_;
  StepPlane plane_;
  std::shared_ptr<const ContactSurface> surface_;
  Barrier barrier_;
};

// The sum of mu N_v f(|u_v|) over the vertices of the surface, with the normal force N_v = -A_v B'(d_v) as the lag, and the
// tangential part u_v of x_v - (A x_n,v + b), in which a point of the plane that starts at x_n,v goes to A x_n,v + b. The
// smoothed length f is that of a displacement with the speed `stick_speed` [Li2020] Eqs 14-16. The normal is that of the lag.
class PlaneFriction final : public PotentialTerm, public ObstacleTerm, public FrictionTerm {
 public:
  PlaneFriction(const PlaneDefinition& plane, std::shared_ptr<const ContactSurface> surface, const Barrier& barrier,
                FrictionLaw law, double stick_speed);

  std::string name() const override { return "friction on '" + name_ + "'"; }
  void begin_step(const StepContext& context) override;
  void update_lag(const Eigen::VectorXd& x) override;
  bool lags_its_end() const override { return true; }
  void place_obstacles(double progress) override { plane_.place(progress); }
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) override;
  // The coefficient of friction mu.
  Eigen::Index parameter_count() const override { return 1; }
  Eigen::VectorXd parameters() const override { return Eigen::VectorXd::Constant(1, coefficient_); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override { coefficient_ = values[0]; }
  void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) override;
  void add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                           Eigen::MatrixXd& result) override;
  Eigen::Index lag_count() const override { return normal_forces_.size(); }
  void add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                        Eigen::Ref<Eigen::MatrixXd> columns) override;
  Eigen::MatrixXd lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                 const Eigen::Ref<const Eigen::MatrixXd>& parameters) override;
  void add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                         const Eigen::Ref<const Eigen::MatrixXd>& parameters, Eigen::MatrixXd& result) override;
  void add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                          const Eigen::Ref<const Eigen::MatrixXd>& velocities, Eigen::Ref<Eigen::MatrixXd> columns) override;
  void add_sliding(const Eigen::VectorXd& x, std::map<std::array<int, 2>, SlidingSums>& sums) const override;

  const Eigen::VectorXd& normal_forces() const { return normal_forces_; }  // [entry of the surface's vertices] [N]

 private:
  // The sliding of a vertex: u, and the smoothed length with its derivatives in |u|^2.
  struct Sliding {
    Eigen::Vector3d u;
    ScalarDerivatives f;
    Eigen::Vector3d force() const { return 2 * f.first * u; }  // for mu N = 1
    Eigen::Matrix3d stiffness(const Eigen::Matrix3d& tangent) const {
      return 2 * f.first * tangent + 4 * f.second * u * u.transpose();
    }
  };
  Sliding sliding(const Eigen::VectorXd& x, int vertex) const;
  // visit(vertex, entry, sliding) for each vertex with a normal force.
  template <class Visit>
  void each_pressed(const Eigen::VectorXd& x, Visit visit) const;

  void take_plane_of_lag();

  std::string name_;
  StepPlane plane_;
  Plane lag_plane_;          // that of the last update_lag
  Eigen::Matrix3d tangent_;  // I - n n^T of its normal
  double coefficient_;
  std::shared_ptr<const ContactSurface> surface_;
  Barrier barrier_;
  FrictionLaw law_;
  double stick_speed_;         // [m/s]
  double stick_length_ = 0;    // [m]
  Eigen::VectorXd start_;      // x_n [3 * vertex] [m]
  Eigen::VectorXd lagged_at_;  // positions of the last update_lag [m]
  Eigen::VectorXd normal_forces_;
};

}  // namespace holo
