#pragma once
// Constructors of the solvers behind make_sparse_solver, which checks the options.

#include <memory>

#include "holo/core/numerics/sparse_solver.h"

namespace holo {

std::unique_ptr<SparseSolver> make_eigen_ldlt_solver(const SparseSolverOptions& options);
std::unique_ptr<SparseSolver> make_eigen_lu_solver(const SparseSolverOptions& options);
std::unique_ptr<SparseSolver> make_klu_solver(const SparseSolverOptions& options);
std::unique_ptr<SparseSolver> make_bunch_kaufman_solver(const SparseSolverOptions& options);
std::unique_ptr<SparseSolver> make_cholmod_solver(const SparseSolverOptions& options);  // this and the next only where
std::unique_ptr<SparseSolver> make_umfpack_solver(const SparseSolverOptions& options);  // HOLO_ENABLE_GPL is defined

}  // namespace holo
