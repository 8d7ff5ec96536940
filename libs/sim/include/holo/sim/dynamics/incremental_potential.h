#pragma once
// The function of the new positions x whose minimum is a step of implicit Euler from (x_n, v_n):
//
//   E(x) = 1/(2 dt^2) |x - x_n - dt v_n|_M^2                                   inertia
//        + sum_e V_e Psi(F_e(x))                                               elastic
//        - sum_v m_v g . (x_v - x_n,v)                                         gravity
//        + alpha/(2 dt) |x - x_n|_M^2                                          damping, proportional to the mass
//        + beta/(2 dt) sum_e V_e (F_e - F_n,e) : H+(F_n,e) : (F_e - F_n,e)     damping, proportional to the stiffness
//
// with v_{n+1} = (x - x_n)/dt [Martin2011]. The last two are the Rayleigh forces -(alpha M + beta K) v_{n+1} with the stiffness
// K (positive part H+ of d2Psi/dF2) frozen at the start of the step, the lagged dissipation potential of [Brown2018]: a
// quadratic in x, so the step stays a minimization with a symmetric Hessian, its forces keep the linear momentum and vanish for
// x = x_n, and because the stiffness is that of the current, rotated shape, a body that has turned is damped like one that has
// not.
//
// Prescribed vertices keep their value: their gradient is 0 and their rows of the Hessian are those of a multiple of the
// identity, so that the pattern of the matrix, and with it the analysis of the factorization, never changes.

#include <cstdint>
#include <memory>
#include <vector>

#include "holo/opt/newton.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

class IncrementalPotential final : public NewtonProblem {
 public:
  explicit IncrementalPotential(std::shared_ptr<const ElasticModel> model);

  // The step from `state` to state.time + dt. Vertices of handles that hold at the step's end are prescribed.
  void begin_step(const ElasticState& state);
  // Writes the prescribed vertices' targets into x.
  void apply_targets(Eigen::VectorXd& x) const;
  bool prescribed(int vertex) const { return prescribed_[vertex] != 0; }

  int dimension() const override { return 3 * model_->vertex_count(); }
  double energy(const Eigen::VectorXd& x) override;
  void derivatives(const Eigen::VectorXd& x, Eigen::VectorXd& gradient, SparseMatrix& hessian) override;
  // Of all vertices, as if none were prescribed.
  void free_derivatives(const Eigen::VectorXd& x, Eigen::VectorXd& gradient, SparseMatrix& hessian);
  // Turns what free_derivatives gave into what derivatives gives.
  void eliminate_prescribed(Eigen::VectorXd& gradient, SparseMatrix& hessian) const;
  double feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) override;
  double step_size(const Eigen::VectorXd& direction) const override;  // largest displacement over the scene's length
  double energy_resolution(double energy) const override;
  std::vector<Term> terms(const Eigen::VectorXd& x) override;
  std::string advice(NewtonStatus status, const Eigen::VectorXd& x) const override;

  bool has_exact_hessian() const override { return true; }
  void use_exact_hessian(bool exact) override { projection_ = !exact; }
  // Whether element Hessians are projected to their positive part (default). Tests and sensitivities switch it off.
  void set_projection(bool on) { projection_ = on; }
  // Elements without finite derivatives, over the calls of derivatives since begin_step.
  const SingularElementCounts& singular_counts() const { return singular_counts_; }
  // Elements whose Hessian was projected: the most of any assembly since begin_step.
  int projected_elements() const { return projected_elements_; }

 private:
  struct VertexEnergies {
    double inertia = 0, gravity = 0, damping = 0;  // [J]
  };
  VertexEnergies vertex_energies(const double* x, std::size_t begin, std::size_t end) const;
  double stiffness_damping_energy(const double* x, std::size_t begin, std::size_t end) const;  // of blocks [begin, end)
  void freeze_stiffness();
  std::string singular_obstacles() const;
  void assemble(const Eigen::VectorXd& x, bool eliminate, Eigen::VectorXd& gradient, SparseMatrix& hessian);
  void fill_partials(const double* x, std::size_t begin, std::size_t end);  // of one chunk of blocks
  void sum_column(std::size_t vertex, const double* x, bool eliminate, double* gradient, double* values) const;
  void add_element_gradients(const ElasticBody& body, const double* x, Eigen::VectorXd& elastic, Eigen::VectorXd& damped) const;

  std::shared_ptr<const ElasticModel> model_;
  bool projection_ = true;
  bool stiffness_damping_ = false;
  int projected_elements_ = 0;
  std::vector<std::uint8_t> prescribed_;  // [vertex]
  Eigen::VectorXd targets_;               // [3 * vertex], only prescribed ones mean anything [m]
  Eigen::VectorXd start_, predicted_;     // x_n and x_n + dt v_n [3 * vertex] [m]
  std::vector<double> mass_damping_;      // [vertex] alpha [1/s]
  AlignedArray start_gradients_;          // F_n [block][9][lane]; empty without stiffness damping
  AlignedArray start_hessians_;           // beta/dt H+(F_n) [block][45][lane]; likewise [Pa]
  AlignedArray partials_;                 // [partial sum][9], see ElasticPattern
  std::vector<int> projected_in_chunk_;   // [chunk]
  SingularElementCounts singular_counts_;
  std::vector<SingularElementCounts> singular_in_chunk_;  // [chunk]
};

}  // namespace holo
