#pragma once
// The linear system of a modal analysis: stiffness K, lumped masses M and one factorization, which serves the linear modes
// (linear_modes.h) and all modal derivatives (modal_derivatives.h) of elastic bodies (docs/model-reduction.md).

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "holo/core/numerics/sparse_solver.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

struct ModalSystemOptions {
  std::vector<int> prescribed_vertices;  // do not move; in the model's numbering
  // One connected body without prescribed vertices: its six rigid motions are left out, and displacements are orthogonal to
  // them in M.
  bool free_body = false;
};

class ModalSystem {
 public:
  // K is the exact Hessian of the elastic energy at `positions` [3 * vertex] [m], an equilibrium without loads (the start
  // positions of a model at rest). Throws Error(input) for positions of another size, a vertex that does not exist, affine
  // bodies, bodies that can move rigidly, a free body with prescribed vertices, with stress, or not alone; for a K that is not
  // finite, or not positive definite (buckled, or held under stress).
  ModalSystem(std::shared_ptr<const ElasticModel> model, const Eigen::VectorXd& positions, const ModalSystemOptions& options);

  const ElasticModel& model() const { return *model_; }
  const Eigen::VectorXd& positions() const { return positions_; }  // [3 * vertex] [m]
  Eigen::Index size() const { return positions_.size(); }          // 3 * vertex_count
  Eigen::Index degrees_of_freedom() const;                         // without prescribed and rigid ones
  const Eigen::VectorXd& masses() const { return masses_; }        // [3 * vertex] lumped [kg]
  bool is_prescribed(Eigen::Index coordinate) const { return free_index_[static_cast<std::size_t>(coordinate)] < 0; }
  // Of a free body the six rigid motions, orthonormal in M [3 * vertex][6]; else no columns.
  const Eigen::MatrixXd& rigid_motions() const { return rigid_; }
  // Factorizations so far: one, of K.
  int factorizations() const { return solver_->factorizations(); }
  std::string solver_name() const { return solver_->name(); }

  // K u for displacements u [3 * vertex] [m], which vanish at prescribed vertices; the result [N] does too.
  Eigen::VectorXd stiffness_times(const Eigen::VectorXd& u) const;
  // u = K^-1 f for forces f [3 * vertex][column] [N], those at prescribed vertices without effect. Of a free body the forces
  // M R R^T f that accelerate it rigidly are taken off first (R: rigid_motions), and u is orthogonal to R in M. Blocks of
  // columns run in parallel; a column's result depends neither on threads nor on the other blocks. Throws Error(internal) for
  // another number of rows.
  Eigen::MatrixXd solve(const Eigen::Ref<const Eigen::MatrixXd>& f) const;

 private:
  void number_coordinates(const ModalSystemOptions& options);
  void assemble();
  void find_rigid_motions();
  void require_rigid_motions_held() const;
  void require_no_stress() const;
  void factorize();
  std::string bodies_in_words() const;

  std::shared_ptr<const ElasticModel> model_;
  Eigen::VectorXd positions_, masses_;
  bool free_body_ = false;
  std::vector<int> free_index_;    // [3 * vertex] number among the free coordinates; -1: prescribed
  std::vector<int> solved_index_;  // [3 * vertex] row of the factorized matrix; -1: prescribed, or pinned
  Eigen::Index free_count_ = 0;
  SparseMatrix stiffness_;  // of the free coordinates, lower triangle
  Eigen::MatrixXd rigid_;
  std::unique_ptr<SparseSolver> solver_;
};

}  // namespace holo
