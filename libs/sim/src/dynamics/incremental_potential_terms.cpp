// What a diagnosis says of the incremental potential.
#include <fmt/format.h>

#include <algorithm>

#include "elastic/element/element_damping.h"
#include "elastic/element/element_fault.h"
#include "elastic/element/element_pass.h"
#include "holo/sim/dynamics/incremental_potential.h"

namespace holo {
namespace {

constexpr std::size_t W = HOLO_LANE_WIDTH;

}  // namespace

std::vector<NewtonProblem::Term> IncrementalPotential::terms(const Eigen::VectorXd& x) {
  const double dt = model_->time_step();
  const VertexEnergies energies = vertex_energies(x.data(), 0, prescribed_.size());
  Eigen::VectorXd inertia = x - predicted_, gravity = x, damping = x - start_;
  for (int vertex = 0; vertex < model_->vertex_count(); ++vertex) {
    const double mass = prescribed_[vertex] ? 0 : model_->masses()[vertex];
    inertia.segment<3>(3 * vertex) *= mass / (dt * dt);
    damping.segment<3>(3 * vertex) *= mass * mass_damping_[vertex] / dt;
    for (int i = 0; i < 3; ++i) gravity[3 * vertex + i] = mass * model_->gravity()[i];
  }
  std::vector<Term> terms = {{"inertia", energies.inertia, inertia.norm()}, {"gravity", energies.gravity, gravity.norm()}};
  if (energies.damping != 0) terms.push_back({"damping proportional to the mass", energies.damping, damping.norm()});
  for (const ElasticBody& body : model_->bodies()) {
    Eigen::VectorXd elastic = Eigen::VectorXd::Zero(x.size()), damped = elastic;
    add_element_gradients(body, x.data(), elastic, damped);
    terms.push_back({"elastic energy of '" + body.name + "'", elastic_energy(*model_, body, x.data()), elastic.norm()});
    if (body.stiffness_damping > 0)
      terms.push_back({"damping proportional to the stiffness of '" + body.name + "'",
                       stiffness_damping_energy(x.data(), body.first_block, body.first_block + body.block_count),
                       damped.norm()});
  }
  return terms;
}

void IncrementalPotential::add_element_gradients(const ElasticBody& body, const double* x, Eigen::VectorXd& elastic,
                                                 Eigen::VectorXd& damped) const {
  AlignedArray units(W * unit_stride);
  auto scatter = [&](std::size_t block, const double* stress, const double* zero, Eigen::VectorXd& gradient) {
    element_units(*model_, block, stress, zero, units.data());
    for (std::size_t lane = 0; lane < W; ++lane)
      for (std::size_t v = 0; v < 4 && model_->slot_elements()[block * W + lane] >= 0; ++v) {
        const int vertex = model_->slot_vertices()[(block * 4 + v) * W + lane];
        if (!prescribed_[vertex])
          for (int i = 0; i < 3; ++i)
            gradient[3 * vertex + i] += units[lane * unit_stride + 9 * v + 6 + static_cast<std::size_t>(i)];
      }
  };
  for_each_batch(*model_, body.first_block, body.first_block + body.block_count,
                 [&](const ElasticBody&, std::size_t first, std::size_t count) {
                   ElementBatch batch{};
                   deformation_gradients(*model_, x, first, count, batch.deformation);
                   run_operation(*model_, ElementOperation::stress, body, first, count, batch.deformation, batch.stress);
                   for (std::size_t n = 0; n < count; ++n) scatter(first + n, batch.stress + n * 9 * W, batch.hessian, elastic);
                   if (body.stiffness_damping == 0) return;
                   std::fill_n(batch.stress, count * 9 * W, 0.0);
                   ElementBatch ignored{};
                   add_damping(count, batch.deformation, start_gradients_.data() + first * 9 * W,
                               start_hessians_.data() + first * 45 * W, batch.stress, ignored.hessian);
                   for (std::size_t n = 0; n < count; ++n) scatter(first + n, batch.stress + n * 9 * W, batch.hessian, damped);
                 });
}

// Why elements that have no finite derivatives could not be resolved, where none could.
std::string IncrementalPotential::singular_obstacles() const {
  std::string text;
  for (const ElasticBody& body : model_->bodies())
    if (const std::string obstacle = body.singular && singular_counts_.unresolved > 0 ? body.singular->obstacle() : "";
        !obstacle.empty())
      text += "; elements of '" + body.name + "' at singular points were not evaluated in one-sided series: " + obstacle;
  return text;
}

namespace {

// An energy that is not finite where its domain allows the deformation is the material's fault, and no handle's.
std::string advice_on(const ElementFault& fault) {
  return fmt::format(
      "other parameters of the material '{0}', or an energy that is finite there: {1}, which its domain allows "
      "(`holo describe {0}` prints the formula)",
      fault.body->material->name, to_string(fault));
}

}  // namespace

std::string IncrementalPotential::advice(NewtonStatus status, const Eigen::VectorXd& x) const {
  const bool not_finite = status == NewtonStatus::infeasible_start || status == NewtonStatus::not_finite;
  const auto fault = not_finite ? find_element_fault(*model_, x) : std::nullopt;
  if (fault && fault->is_in_domain) return advice_on(*fault) + singular_obstacles();
  const std::string place = fault ? ": " + to_string(*fault) : "";
  switch (status) {
    case NewtonStatus::infeasible_start:
      return "a smaller scene.time_step, or handles that move more slowly: their motion turns elements inside out within one "
             "step" +
             place;
    case NewtonStatus::iteration_limit:
      return "a smaller scene.time_step or a larger solver.max_iterations";
    case NewtonStatus::line_search_failed:
      return "a smaller scene.time_step or a larger solver.tolerance; if neither helps, hold the material's derivatives "
             "against its "
             "energy (differentiation.elements)";
    case NewtonStatus::not_positive_definite:
      return "a smaller scene.time_step, which adds inertia to the Hessian";
    case NewtonStatus::not_finite:
      return "a smaller scene.time_step" + place + singular_obstacles();
    case NewtonStatus::converged:
      break;
  }
  return "";
}

}  // namespace holo
