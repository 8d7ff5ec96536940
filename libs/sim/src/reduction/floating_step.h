#pragma once
// The potential of one time step of a floating body (floating_body.h), as a function of what changes in the step.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/contact/plane.h"
#include "holo/sim/reduction/floating_body.h"
#include "reduction/rotation_step.h"

namespace holo {

// Unknowns z [6 + column]: the change of t times sqrt(mass), Cayley's parameters a of the rotation times the root of four
// moments of inertia, and d = q - q_n. All have the unit m sqrt(kg), and so all entries of the gradient have one, too.
class FloatingStep final : public DenseProblem {
 public:
  FloatingStep(const FloatingBody& body, const ReducedElasticity& elasticity, const Eigen::MatrixXd& stiffness,
               const FloatingOptions& options, const FloatingState& state);

  int dimension() const override { return static_cast<int>(6 + body_.size()); }
  double value(const Eigen::VectorXd& z) override;
  void gradient(const Eigen::VectorXd& z, Eigen::VectorXd& gradient) override;
  bool hessian(const Eigen::VectorXd& z, Eigen::MatrixXd& hessian) override;
  double value_rounding(const Eigen::VectorXd& z) override;

  // Where the body goes without forces; zero where a plane is in the way.
  Eigen::VectorXd guess();
  // Takes the normal forces of friction from z.
  void update_lag(const Eigen::VectorXd& z);
  FloatingPose pose(const Eigen::VectorXd& z) const;
  double scale() const;  // of the gradient's entries: inertia, gravity, and the elastic force at the start

 private:
  // Numbers at one z.
  struct At {
    RotationStep turn;
    Eigen::Matrix3d D, R;
    Eigen::Vector3d moved;  // t - t_n
    Eigen::VectorXd d, q;
  };
  struct Lagged {
    Eigen::Index point;
    double force;           // mu N [N]
    Eigen::Vector3d start;  // x_n of the point
  };
  // A plane with the points of the surface by their gaps at the start of the step.
  struct Ground {
    Plane plane;
    double friction;
    std::vector<std::pair<double, Eigen::Index>> points;  // ascending
    std::vector<Lagged> lagged;
    Eigen::Matrix3d tangent() const { return Eigen::Matrix3d::Identity() - plane.normal * plane.normal.transpose(); }
  };

  At at(const Eigen::VectorXd& z) const;
  void begin_inertia(const FloatingState& state);
  void begin_contact();
  double reach(const At& at) const;  // [m] no point of the surface has gone further from where it started
  Eigen::Matrix3d along(const Eigen::MatrixXd& blocks, const Eigen::VectorXd& d) const;
  template <class Visit>
  void each_near(const Ground& ground, const At& at, Visit visit) const;
  // Calls visit(point, y, value, force [3], stiffness [3][3]) for each point that is pressed or slides.
  template <class Visit>
  void each_contact(const At& at, Visit visit) const;
  double inertia_value(const At& at) const;
  void add_inertia_gradient(const At& at, Eigen::VectorXd& gradient) const;
  void add_inertia_hessian(const At& at, Eigen::MatrixXd& hessian) const;
  Eigen::MatrixXd directions(const At& at, Eigen::Index point, const Eigen::Vector3d& y) const;

  const FloatingBody& body_;
  const ReducedElasticity& elasticity_;
  const Eigen::MatrixXd& stiffness_;
  const FloatingOptions& options_;
  FloatingPose start_;
  double root_mass_, turn_unit_;
  double inertia_, damping_;        // 1/h^2, alpha/h
  Eigen::Vector3d predicted_;       // change of t without forces [m]
  Eigen::Vector3d predicted_turn_;  // a
  Eigen::VectorXd predicted_d_;
  Eigen::MatrixXd pulls_;  // Z, weighed with 1/h^2 and alpha/h [3][3 (1 + column)]
  Eigen::VectorXd push_;   // tr U_a/h^2 [column]
  std::vector<Ground> grounds_;
  double surface_size_ = 0;  // largest |y_n| of a point [m]
};

}  // namespace holo
