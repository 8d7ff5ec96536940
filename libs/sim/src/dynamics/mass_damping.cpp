#include "holo/sim/dynamics/mass_damping.h"

#include <algorithm>

#include "dynamics/vertex_blocks.h"
#include "holo/core/numerics/parallel.h"

namespace holo {

MassDamping::MassDamping(const ElasticModel& model) : masses_(model.masses()), start_(model.start_positions()) {
  for (const ElasticBody& body : model.bodies())
    if (body.mass_damping > 0) damped_bodies_.push_back({body.first_vertex, body.vertex_count, body.mass_damping});
  weigh();
}

void MassDamping::weigh() {
  damped_masses_.assign(masses_.size(), 0.0);
  for (const DampedBody& body : damped_bodies_)
    for (auto v = static_cast<std::size_t>(body.first_vertex); v < std::size_t(body.first_vertex + body.vertex_count); ++v)
      damped_masses_[v] = masses_[v] * body.coefficient;
}

bool MassDamping::acts_on(const ElasticModel& model) {
  return std::any_of(model.bodies().begin(), model.bodies().end(),
                     [](const ElasticBody& body) { return body.mass_damping > 0; });
}

void MassDamping::begin_step(const StepContext& context) {
  time_step_ = context.effective_step();
  start_ = context.reference_positions();
}

// The sum of m alpha/(2 h) |x - y|^2 over the vertices.
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

Eigen::VectorXd MassDamping::parameters() const {
  Eigen::VectorXd values(parameter_count());
  for (Eigen::Index k = 0; k < values.size(); ++k) values[k] = damped_bodies_[static_cast<std::size_t>(k)].coefficient;
  return values;
}

void MassDamping::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  for (Eigen::Index k = 0; k < values.size(); ++k) damped_bodies_[static_cast<std::size_t>(k)].coefficient = values[k];
  weigh();
}

// Each coefficient's column is m/h (x - y) on its body.
void MassDamping::add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) {
  for (Eigen::Index k = 0; k < parameter_count(); ++k) {
    const DampedBody& body = damped_bodies_[static_cast<std::size_t>(k)];
    for (Eigen::Index i = 3 * body.first_vertex; i < 3 * (body.first_vertex + body.vertex_count); ++i)
      columns(i, k) += masses_[static_cast<std::size_t>(i / 3)] / time_step_ * (x[i] - start_[i]);
  }
}

// The residual alpha m/dt (x - x_n) is bilinear in alpha and x - x_n.
void MassDamping::add_adjoint_hessian(const Eigen::VectorXd&, const Eigen::VectorXd& y, const TermDirections& directions,
                                      Eigen::MatrixXd& result) {
  for (Eigen::Index k = 0; k < parameter_count(); ++k) {
    const DampedBody& body = damped_bodies_[static_cast<std::size_t>(k)];
    Eigen::RowVectorXd moved = Eigen::RowVectorXd::Zero(result.cols());  // m/dt y . (dx - dx_n) of each column
    for (Eigen::Index i = 3 * body.first_vertex; i < 3 * (body.first_vertex + body.vertex_count); ++i) {
      const double weight = masses_[static_cast<std::size_t>(i / 3)] / time_step_ * y[i];
      moved += weight * directions.positions.row(i);
      if (directions.start_positions.rows() > 0) moved -= weight * directions.start_positions.row(i);
    }
    const Eigen::RowVectorXd change = directions.parameters.row(k);
    result += change.transpose() * moved + moved.transpose() * change;
  }
}

void MassDamping::add_start_gradient(const Eigen::VectorXd&, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                     const Eigen::Ref<const Eigen::MatrixXd>&, Eigen::Ref<Eigen::MatrixXd> columns) {
  for (std::size_t vertex = 0; vertex < damped_masses_.size(); ++vertex) {
    const auto row = static_cast<Eigen::Index>(3 * vertex);
    columns.middleRows<3>(row) -= damped_masses_[vertex] / time_step_ * positions.middleRows<3>(row);
  }
}

}  // namespace holo
