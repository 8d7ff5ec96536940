#include "holo/sim/dynamics/elastic_term.h"

#include <algorithm>

#include "elastic/element/element_pass.h"
#include "elastic/element/feasible_step.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/dynamics/stiffness_damping.h"

namespace holo {
namespace {

constexpr std::size_t W = HOLO_LANE_WIDTH;

}  // namespace

ElasticTerm::ElasticTerm(std::shared_ptr<const ElasticModel> model) : model_(std::move(model)) {
  partials_ = AlignedArray(model_->pattern().chunk_partials.back() * 9 + 1);  // the last is read four at a time
  projected_in_chunk_.assign((model_->block_count() + chunk_blocks - 1) / chunk_blocks, 0);
  singular_in_chunk_.resize(projected_in_chunk_.size());
  if (StiffnessDamping::acts_on(*model_)) add(std::make_unique<StiffnessDamping>(model_));
}

void ElasticTerm::add(std::unique_ptr<ElementEnergy> energy) { energies_.push_back(std::move(energy)); }

void ElasticTerm::begin_step(const StepContext& context) {
  singular_counts_ = {};
  projected_elements_ = 0;
  for (const auto& energy : energies_) energy->begin_step(context);
}

void ElasticTerm::update_lag(const Eigen::VectorXd& x) {
  for (const auto& energy : energies_) energy->update_lag(x);
}

double ElasticTerm::energy(const Eigen::VectorXd& x) {
  double total = elastic_energy(*model_, x.data());
  for (const auto& energy : energies_)
    for (const ElasticBody& body : model_->bodies())
      if (energy->acts_on(body)) total += part_energy(body, *energy, x.data());
  return total;
}

double ElasticTerm::part_energy(const ElasticBody& body, const ElementEnergy& energy, const double* x) const {
  struct Work {
    const ElasticModel& model;
    const ElasticBody& body;
    const ElementEnergy& energy;
    const double* x;
  } work{*model_, body, energy, x};  // one reference to capture: the function object then needs no memory of its own
  return parallel_sum(body.block_count, chunk_blocks, [&work](std::size_t begin, std::size_t end) {
    ElementBatch batch;
    double total = 0;
    for (std::size_t block = begin; block < end; block += batch_blocks) {
      const ElementBlocks blocks{work.body, work.body.first_block + block, std::min(batch_blocks, end - block),
                                 batch.deformation};
      deformation_gradients(work.model, work.x, blocks.first_block, blocks.count, batch.deformation);
      total += work.energy.energy(blocks);
    }
    return total;
  });
}

double ElasticTerm::feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) {
  const auto& bodies = model_->bodies();
  if (std::none_of(bodies.begin(), bodies.end(), [](const ElasticBody& body) { return body.limits_determinant(); })) return 1;
  return holo::feasible_step(*model_, x.data(), direction.data());
}

bool ElasticTerm::has_further_energies(const ElasticBody& body) const {
  return std::any_of(energies_.begin(), energies_.end(), [&](const auto& energy) { return energy->acts_on(body); });
}

std::vector<PotentialTerm::Part> ElasticTerm::parts(const Eigen::VectorXd& x) {
  std::vector<Part> result;
  for (const ElasticBody& body : model_->bodies()) {
    Part material{"elastic energy of '" + body.name + "'", elastic_energy(*model_, body, x.data()),
                  Eigen::VectorXd::Zero(x.size())};
    add_part_gradient(body, nullptr, x, material.gradient);
    result.push_back(std::move(material));
    for (const auto& energy : energies_) {
      if (!energy->acts_on(body)) continue;
      Part part{energy->name(body), part_energy(body, *energy, x.data()), Eigen::VectorXd::Zero(x.size())};
      add_part_gradient(body, energy.get(), x, part.gradient);
      result.push_back(std::move(part));
    }
  }
  return result;
}

// Of one energy on one body, the material's for null.
void ElasticTerm::add_part_gradient(const ElasticBody& body, const ElementEnergy* energy, const Eigen::VectorXd& x,
                                    Eigen::VectorXd& gradient) const {
  AlignedArray units(W * unit_stride);
  ElementBatch batch{};
  for (std::size_t first = body.first_block; first < body.first_block + body.block_count; ++first) {
    deformation_gradients(*model_, x.data(), first, 1, batch.deformation);
    std::fill_n(batch.stress, 9 * W, 0.0);
    if (energy == nullptr)
      run_operation(*model_, ElementOperation::stress, body, first, 1, batch.deformation, batch.stress);
    else
      energy->add_stress({body, first, 1, batch.deformation}, batch.stress);
    element_units(*model_, first, batch.stress, batch.hessian, units.data());
    for (std::size_t lane = 0; lane < W; ++lane)
      for (std::size_t v = 0; v < 4 && model_->slot_elements()[first * W + lane] >= 0; ++v)
        for (std::size_t i = 0; i < 3; ++i)
          gradient[3 * model_->slot_vertices()[(first * 4 + v) * W + lane] + static_cast<int>(i)] +=
              units[lane * unit_stride + 9 * v + 6 + i];
  }
}

std::string ElasticTerm::singular_obstacles() const {
  std::string text;
  for (const ElasticBody& body : model_->bodies())
    if (const std::string obstacle = body.singular && singular_counts_.unresolved > 0 ? body.singular->obstacle() : "";
        !obstacle.empty())
      text += "; elements of '" + body.name + "' at singular points were not evaluated in one-sided series: " + obstacle;
  return text;
}

}  // namespace holo
