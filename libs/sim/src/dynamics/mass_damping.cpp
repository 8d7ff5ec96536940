#include "holo/sim/dynamics/mass_damping.h"

#include <algorithm>

#include "dynamics/vertex_blocks.h"
#include "holo/core/numerics/parallel.h"

namespace holo {

MassDamping::MassDamping(const ElasticModel& model) : start_(model.start_positions()) {
  damped_masses_ = model.masses();
  for (const ElasticBody& body : model.bodies())
    for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v)
      damped_masses_[static_cast<std::size_t>(v)] *= body.mass_damping;
}

bool MassDamping::acts_on(const ElasticModel& model) {
  return std::any_of(model.bodies().begin(), model.bodies().end(),
                     [](const ElasticBody& body) { return body.mass_damping > 0; });
}

void MassDamping::begin_step(const StepContext& context) {
  time_step_ = context.time_step;
  start_ = context.positions;
}

// The sum of m alpha/(2 dt) |x - x_n|^2 over the vertices.
double MassDamping::energy(const Eigen::VectorXd& x) {
  struct Work {
    const MassDamping& term;
    const double* x;
  } work{*this, x.data()};  // one reference to capture: the function object then needs no memory of its own
  return parallel_sum(damped_masses_.size(), energy_block_vertices, [&work](std::size_t begin, std::size_t end) {
    double total = 0;
    for (std::size_t vertex = begin; vertex < end; ++vertex) {
      double square = 0;
      for (std::size_t i = 3 * vertex; i < 3 * vertex + 3; ++i) {
        const double change = work.x[i] - work.term.start_[static_cast<Eigen::Index>(i)];
        square += change * change;
      }
      total += work.term.damped_masses_[vertex] / (2 * work.term.time_step_) * square;
    }
    return total;
  });
}

void MassDamping::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  for (std::size_t vertex = 0; vertex < damped_masses_.size(); ++vertex) {
    const double damping = damped_masses_[vertex] / time_step_;
    const auto first = static_cast<Eigen::Index>(3 * vertex);
    for (Eigen::Index i = first; i < first + 3; ++i) gradient[i] += damping * (x[i] - start_[i]);
  }
}

// A multiple of the identity for each vertex, constant within a step.
void MassDamping::add_hessian(const Eigen::VectorXd&, Curvature, BlockAssembler& assembler) {
  for (std::size_t vertex = 0; vertex < damped_masses_.size(); ++vertex)
    assembler.add_identity(static_cast<int>(vertex), damped_masses_[vertex] / time_step_);
}

}  // namespace holo
