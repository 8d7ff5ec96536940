#pragma once
// Friction of surfaces with bristles on a plane. PlaneFriction (plane_contact.h) is that of surfaces without.

#include <memory>
#include <string>
#include <vector>

#include "contact/directional_sliding.h"
#include "contact/step_plane.h"
#include "dynamics/contact/friction_term.h"
#include "holo/sim/contact/contact_surface.h"
#include "holo/sim/dynamics/obstacle_term.h"
#include "holo/sim/dynamics/potential_term.h"

namespace holo {

// The sum of mu N_v D(w_v) over the vertices of surfaces with bristles that are within the activation distance, with the energy
// D of directional_sliding.h, the normal of the plane and the displacement w_v = x_v - (A x_n,v + b), in which a point of the
// plane that starts at x_n,v goes to A x_n,v + b. The lag are the normal force N_v = -A_v B'(d_v) and the direction a_v of the
// bristles (SurfaceBristles), four numbers of each such vertex, and the plane's normal.
class PlaneBristles final : public PotentialTerm, public ObstacleTerm, public FrictionTerm {
 public:
  // The surface has bristles.
  PlaneBristles(const PlaneDefinition& plane, std::shared_ptr<const ContactSurface> surface, const Barrier& barrier,
                FrictionLaw law, double stick_speed);

  std::string name() const override { return "friction of bristles on '" + name_ + "'"; }
  void begin_step(const StepContext& context) override;
  void update_lag(const Eigen::VectorXd& x) override;
  bool lags_its_end() const override { return true; }
  void place_obstacles(double progress) override { plane_.place(progress); }
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) override;
  // The plane's coefficient of friction mu.
  Eigen::Index parameter_count() const override { return 1; }
  Eigen::VectorXd parameters() const override { return Eigen::VectorXd::Constant(1, coefficient_); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override { coefficient_ = values[0]; }
  void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) override;
  void add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                           Eigen::MatrixXd& result) override;
  Eigen::Index lag_count() const override { return lag_size * static_cast<Eigen::Index>(contacts_.size()); }
  void add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                        Eigen::Ref<Eigen::MatrixXd> columns) override;
  Eigen::MatrixXd lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                 const Eigen::Ref<const Eigen::MatrixXd>& parameters) override;
  void add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                         const Eigen::Ref<const Eigen::MatrixXd>& parameters, Eigen::MatrixXd& result) override;
  void add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                          const Eigen::Ref<const Eigen::MatrixXd>& velocities, Eigen::Ref<Eigen::MatrixXd> columns) override;
  void add_sliding(const Eigen::VectorXd& x, std::map<std::array<int, 2>, SlidingSums>& sums) const override;

 private:
  const SurfaceBristles& bristles() const { return *surface_->bristles; }

  static constexpr Eigen::Index lag_size = 4;  // N and a
  struct Contact {
    int vertex, body;
    DirectionalLaw law;
    double area, gap, normal_force;
    Eigen::Vector3d direction, tangent;  // a and t
  };
  Eigen::Vector3d displacement(const Contact& contact, const Eigen::VectorXd& x) const;  // w
  DirectionalSliding sliding(const Contact& contact, const Eigen::VectorXd& x) const;
  SlidingVector numbers(const Contact& contact, const Eigen::VectorXd& x) const;

  std::string name_;
  StepPlane plane_;
  Plane lag_plane_;  // that of the last update_lag
  double coefficient_;
  std::shared_ptr<const ContactSurface> surface_;
  Barrier barrier_;
  FrictionLaw law_;
  double stick_speed_;       // [m/s]
  double stick_length_ = 0;  // [m]
  Eigen::VectorXd start_;    // x_n [3 * vertex] [m]
  std::vector<Contact> contacts_;
};

}  // namespace holo
