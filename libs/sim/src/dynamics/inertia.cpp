#include "holo/sim/dynamics/inertia.h"

#include "dynamics/vertex_blocks.h"
#include "holo/core/numerics/parallel.h"

namespace holo {

void Inertia::begin_step(const StepContext& context) {
  time_step_ = context.effective_step();
  predicted_ = context.predicted_positions();
}

// The sum of m/(2 h^2) |x - (y + h w)|^2 over the vertices.
double Inertia::energy(const Eigen::VectorXd& x) {
  struct Work {
    const Inertia& term;
    const double* x;
  } work{*this, x.data()};  // one reference to capture: the function object then needs no memory of its own
  return parallel_sum(model_->masses().size(), energy_block_vertices, [&work](std::size_t begin, std::size_t end) {
    const double dt = work.term.time_step_;
    double total = 0;
    for (std::size_t vertex = begin; vertex < end; ++vertex) {
      double square = 0;
      for (std::size_t i = 3 * vertex; i < 3 * vertex + 3; ++i) {
        const double ahead = work.x[i] - work.term.predicted_[static_cast<Eigen::Index>(i)];
        square += ahead * ahead;
      }
      total += work.term.model_->masses()[vertex] / (2 * dt * dt) * square;
    }
    return total;
  });
}

void Inertia::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  for (int vertex = 0; vertex < model_->vertex_count(); ++vertex) {
    const double stiffness = model_->masses()[vertex] / (time_step_ * time_step_);
    for (Eigen::Index i = 3 * vertex; i < 3 * vertex + 3; ++i) gradient[i] += stiffness * (x[i] - predicted_[i]);
  }
}

// M/h^2: a multiple of the identity for each vertex.
void Inertia::add_hessian(const Eigen::VectorXd&, Curvature, BlockAssembler& assembler) {
  for (int vertex = 0; vertex < model_->vertex_count(); ++vertex)
    assembler.add_identity(vertex, model_->masses()[vertex] / (time_step_ * time_step_));
}

// The residual M/dt^2 (x - x_n - dt v_n) of implicit Euler is linear in x_n and v_n.
void Inertia::add_start_gradient(const Eigen::VectorXd&, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                 const Eigen::Ref<const Eigen::MatrixXd>& velocities, Eigen::Ref<Eigen::MatrixXd> columns) {
  for (int vertex = 0; vertex < model_->vertex_count(); ++vertex)
    columns.middleRows<3>(3 * vertex) -=
        model_->masses()[static_cast<std::size_t>(vertex)] / (time_step_ * time_step_) *
        (positions.middleRows<3>(3 * vertex) + time_step_ * velocities.middleRows<3>(3 * vertex));
}

}  // namespace holo
