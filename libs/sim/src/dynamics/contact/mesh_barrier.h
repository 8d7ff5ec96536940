#pragma once
// The barrier between surfaces of triangles: of bodies with each other, with themselves, and with obstacles.

#include "contact/active_pairs.h"
#include "holo/sim/dynamics/obstacle_term.h"
#include "holo/sim/dynamics/potential_term.h"

namespace holo {

// The sum of the energies A m B(d) of all pairs that are closer than the activation distance (active_pairs.h, pair_energy.h).
// A state in which surfaces intersect may have a finite energy: what prevents it is `feasible_step`, so that a path to such a
// state must be asked for.
class MeshBarrier final : public PotentialTerm, public ObstacleTerm {
 public:
  MeshBarrier(std::shared_ptr<const MeshContact> contact, const Barrier& barrier);

  std::string name() const override { return "contact of surfaces"; }
  void begin_step(const StepContext& context) override { pairs_.begin_step(context.start_time, context.end_time); }
  void place_obstacles(double progress) override { pairs_.place_obstacles(progress); }
  void add_obstacle_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) override;
  // Each pair keeps at least a tenth of its distance on the way, unless it never comes that close; so no surfaces intersect.
  double feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) override;
  // The barrier's stiffness [Pa/m].
  Eigen::Index parameter_count() const override { return 1; }
  Eigen::VectorXd parameters() const override { return Eigen::VectorXd::Constant(1, barrier_.stiffness); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override { barrier_.stiffness = values[0]; }
  void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) override;
  void add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                           Eigen::MatrixXd& result) override;

 private:
  // Adds factor times the gradient.
  void add_scaled_gradient(const Eigen::VectorXd& x, double factor, Eigen::Ref<Eigen::VectorXd> gradient);

  ActivePairs pairs_;
  Barrier barrier_;
  std::vector<PairMatrix> hessians_;  // [pair]
};

}  // namespace holo
