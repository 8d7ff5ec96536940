#include "holo/sim/dynamics/elastic_term.h"

#include <algorithm>

#include "elastic/element/element_pass.h"
#include "elastic/element/feasible_step.h"
#include "elastic/element/lane_width.h"
#include "holo/core/numerics/parallel.h"

namespace holo {
ElasticTerm::ElasticTerm(std::shared_ptr<const ElasticModel> model) : model_(std::move(model)) {
  partials_ = AlignedArray(model_->pattern().cluster_begin.back() * 9 + 1);  // the last is read four at a time
  projected_in_cluster_.assign((model_->block_count() + cluster_blocks - 1) / cluster_blocks, 0);
  singular_in_cluster_.resize(projected_in_cluster_.size());
}

void ElasticTerm::add(std::unique_ptr<ElementEnergy> energy) { energies_.push_back(std::move(energy)); }

void ElasticTerm::begin_step(const StepContext& context) {
  singular_counts_ = {};
  projected_elements_ = 0;
  for (const auto& energy : energies_) energy->begin_step(context);
}

void ElasticTerm::update_lag(const Eigen::VectorXd& x) {
  for (const auto& energy : energies_) energy->update_lag(*model_, x);
}

// The materials of all bodies in one sweep; each further energy in a sweep of its own over the bodies that it acts on.
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
  return parallel_sum(body.block_count, cluster_blocks, [&work](std::size_t begin, std::size_t end) {
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

// Materials that are defined for every F bound no step; the sweep is spared where all are.
double ElasticTerm::feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) {
  const auto& bodies = model_->bodies();
  if (!prevents_inversion_ &&
      std::none_of(bodies.begin(), bodies.end(), [](const ElasticBody& body) { return body.limits_determinant(); }))
    return 1;
  return holo::feasible_step(*model_, x.data(), direction.data(), prevents_inversion_);
}

bool ElasticTerm::has_further_energies(const ElasticBody& body) const {
  return std::any_of(energies_.begin(), energies_.end(), [&](const auto& energy) { return energy->acts_on(body); });
}

// The parts are for diagnoses only: one thread computes one energy after another.
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

// Adds the gradient of one energy on one body; null stands for the material's.
void ElasticTerm::add_part_gradient(const ElasticBody& body, const ElementEnergy* energy, const Eigen::VectorXd& x,
                                    Eigen::VectorXd& gradient) const {
  ElementBatch batch;
  for (std::size_t first = body.first_block; first < body.first_block + body.block_count; ++first) {
    deformation_gradients(*model_, x.data(), first, 1, batch.deformation);
    std::fill_n(batch.stress, 9 * W, 0.0);
    if (energy == nullptr)
      run_operation(*model_, ElementOperation::stress, body, first, 1, batch.deformation, batch.stress);
    else
      energy->add_stress({body, first, 1, batch.deformation}, batch.stress);
    add_element_forces(*model_, first, batch.stress, gradient.data());
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
