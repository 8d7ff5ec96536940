#pragma once
// Friction between surfaces of triangles.

#include "contact/active_pairs.h"
#include "contact/directional_sliding.h"
#include "contact/pairs/friction_lag.h"
#include "dynamics/contact/friction_term.h"
#include "holo/sim/dynamics/obstacle_term.h"
#include "holo/sim/dynamics/potential_term.h"

namespace holo {

// The sum of mu N f(|u|) over the pairs within the activation distance, with the displacement of the closest points against
// each other in the step, across the normal n:
//
//   w = sum of g_i (x_i - x_n,i) over the nodes of the pair,   u = w - n (n . w)
//
// in which nodes of obstacles move by script. Where a round obstacle turns, its surface goes farther than its points and
// segments, and w has the summand -T n (ActivePairs::surface_turn).
// If one of the surfaces has bristles, the summand is mu N D(w) (directional_sliding.h), with the displacement of that surface
// and the mean direction of the bristles at the vertices of its vertex, edge or triangle. The normal force N, the normal, the
// weights g and the direction are the lag: numbers of the pairs at the positions of the last update_lag,
// whose features and set their derivatives keep. f is the smoothed length of gap_energy.h [Li2020] Eqs 14-16.
// The barrier's stiffness in N is the scene's: as a parameter it is one of MeshBarrier alone.
class MeshFriction final : public PotentialTerm, public ObstacleTerm, public FrictionTerm {
 public:
  // Without bristles: null.
  MeshFriction(const std::shared_ptr<const MeshContact>& contact, const Barrier& barrier, FrictionLaw law, double stick_speed,
               std::shared_ptr<const SurfaceBristles> bristles = nullptr);

  // Whether any pair of surfaces has friction.
  static bool acts_on(const MeshContact& contact);

  std::string name() const override { return "friction of surfaces"; }
  void begin_step(const StepContext& context) override;
  void update_lag(const Eigen::VectorXd& x) override;
  bool lags_its_end() const override { return true; }
  void place_obstacles(double progress) override { pairs_.place_obstacles(progress); }
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) override;
  // The coefficients of the pairs of bodies (a, b >= a) that have friction, ascending.
  Eigen::Index parameter_count() const override { return coefficients_.size(); }
  Eigen::VectorXd parameters() const override { return coefficients_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override { coefficients_ = values; }
  void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) override;
  void add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                           Eigen::MatrixXd& result) override;
  Eigen::Index lag_count() const override { return lag_size() * static_cast<Eigen::Index>(contacts_.size()); }
  void add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                        Eigen::Ref<Eigen::MatrixXd> columns) override;
  Eigen::MatrixXd lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                 const Eigen::Ref<const Eigen::MatrixXd>& parameters) override;
  void add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                         const Eigen::Ref<const Eigen::MatrixXd>& parameters, Eigen::MatrixXd& result) override;
  void add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                          const Eigen::Ref<const Eigen::MatrixXd>& velocities, Eigen::Ref<Eigen::MatrixXd> columns) override;
  void add_sliding(const Eigen::VectorXd& x, std::map<std::array<int, 2>, SlidingSums>& sums) const override;

  // The sum of the normal forces of the lag [N].
  double normal_force() const;

 private:
  struct Contact {
    ActivePair pair;  // at the positions of the lag
    Eigen::Index coefficient;
    double normal_force;
    Eigen::Vector3d normal;
    Eigen::Vector4d weights;
    std::optional<DirectionalLaw> law = {};                                    // none: without bristles
    Eigen::Vector3d direction = Eigen::Vector3d::Zero(), tangent = direction;  // a and t, for displacements of the first side
  };
  // The sliding of a contact: w, and for mu N = 1 energy, force and stiffness; without bristles the smoothed length with its
  // derivatives in |u|^2.
  struct Sliding {
    Eigen::Vector3d w;
    double value;               // [m]
    Eigen::Vector3d force;      // dimensionless
    Eigen::Matrix3d stiffness;  // [1/m]
    ScalarDerivatives f = {};
  };
  // Numbers of a contact in the lag: three more with bristles.
  Eigen::Index lag_size() const { return FrictionLag::count + (bristles_ ? 3 : 0); }
  void find_direction(const Eigen::VectorXd& x, Contact& contact) const;
  Eigen::Matrix3Xd directions(const Contact& contact, const Eigen::Ref<const Eigen::MatrixXd>& columns) const;
  Sliding sliding(const Contact& contact, const Eigen::VectorXd& x) const;
  // Derivatives of the contact's energy in the numbers that it depends on, and as w moves along Y.
  SlidingDerivatives sliding_derivatives(const Contact& contact, const Sliding& s, const Eigen::Vector3d& Y) const;
  // Those numbers along directions of the nodes' displacements [12][column] and of parameters and lag.
  Eigen::MatrixXd moved_numbers(const Contact& contact, const Eigen::VectorXd& x,
                                const Eigen::Matrix<double, 12, Eigen::Dynamic>& displacements,
                                const Eigen::RowVectorXd& coefficient, const Eigen::MatrixXd& lag) const;
  // x_i - x_n,i of the pair's nodes.
  PairVector displacements(const Contact& contact, const Eigen::VectorXd& x) const;
  Eigen::Matrix3d turn(const Contact& contact) const { return pairs_.surface_turn(contact.pair.bodies); }
  double factor(const Contact& contact) const { return coefficients_[contact.coefficient] * contact.normal_force; }

  ActivePairs pairs_;
  std::shared_ptr<const SurfaceBristles> bristles_;
  Barrier barrier_;
  FrictionLaw law_;
  double stick_speed_;                      // [m/s]
  double stick_length_ = 0;                 // [m]
  Eigen::VectorXd coefficients_;            // [parameter]
  std::vector<Eigen::Index> parameter_of_;  // [body * body_count + body] -1: no friction
  Eigen::VectorXd start_;                   // x_n [3 * vertex] [m]
  std::vector<Contact> contacts_;
};

}  // namespace holo
