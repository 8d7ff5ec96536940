// The elastic energy of a body or of a subset of its elements: its gradient are the elastic forces, its Hessian the exact
// stiffness matrix, applied element by element.

#include <stdexcept>

#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "holo/diff/solid/symmetric_packing.h"
#include "holo/sim/elastic/observables/elastic_observable.h"

namespace holo {

namespace {

class ElasticEnergyOfBody final : public ElasticObservable {
 public:
  // `elements`: indices in the body's mesh of those that count; empty: all.
  ElasticEnergyOfBody(const ElasticModel& model, const ElasticBody& body, const std::vector<int>& elements)
      : model_(model), body_(body) {
    if (elements.empty()) return;
    counts_.assign(static_cast<std::size_t>(body.element_count), 0);
    for (const int element : elements) counts_[static_cast<std::size_t>(element)] = 1;
  }

  void value(const ElasticPhase& at, double* z) const override {
    z[0] = counts_.empty() ? elastic_energy(model_, body_, at.positions.data()) : energy_of_subset(at);
  }

  void push_forward(const ElasticPhase& at, const ElasticPhase& direction, double* dz) const override {
    Eigen::VectorXd forces = Eigen::VectorXd::Zero(at.positions.size());
    add_forces(at, 1, forces);
    dz[0] = forces.dot(direction.positions);
  }

  void pull_back(const ElasticPhase& at, const double* gz, ElasticPhaseSum& result) const override {
    add_forces(at, gz[0], result.positions);
  }

  void second_order(const ElasticPhase& at, const double* gz, const ElasticPhase& direction,
                    ElasticPhaseSum& result) const override {
    ElementBatch batch;
    alignas(HOLO_BLOCK_ALIGNMENT) double dF[9 * W];
    for (std::size_t block = body_.first_block; block < body_.first_block + body_.block_count; ++block) {
      deformation_gradients(model_, at.positions.data(), block, 1, batch.deformation);
      deformation_gradients(model_, direction.positions.data(), block, 1, dF);
      run_operation(model_, ElementOperation::hessian, body_, block, 1, batch.deformation, batch.hessian);
      // dP = d2psi/dF2 dF
      for (std::size_t lane = 0; lane < W; ++lane)
        for (int i = 0; i < 9; ++i) {
          double sum = 0;
          for (int j = 0; j < 9; ++j)
            sum += batch.hessian[std::size_t(upper_index<9>(i, j)) * W + lane] * dF[std::size_t(j) * W + lane];
          batch.stress[std::size_t(i) * W + lane] = sum;
        }
      add_vertex_gradients(block, batch.stress, gz[0], result.positions);
    }
  }

 private:
  bool is_counted(std::size_t packed) const {
    const int element = model_.packed_elements()[packed];
    if (element < 0) return false;  // padding
    return counts_.empty() || counts_[static_cast<std::size_t>(element - body_.first_element)] != 0;
  }

  double energy_of_subset(const ElasticPhase& at) const {
    ElementBatch batch;
    alignas(HOLO_BLOCK_ALIGNMENT) double density[W];
    double energy = 0;
    for (std::size_t block = body_.first_block; block < body_.first_block + body_.block_count; ++block) {
      deformation_gradients(model_, at.positions.data(), block, 1, batch.deformation);
      run_operation(model_, ElementOperation::energy, body_, block, 1, batch.deformation, density);
      for (std::size_t lane = 0; lane < W; ++lane)
        if (is_counted(block * W + lane)) energy += model_.volumes()[block * W + lane] * density[lane];
    }
    return energy;
  }

  void add_forces(const ElasticPhase& at, double factor, Eigen::Ref<Eigen::VectorXd> result) const {
    ElementBatch batch;
    for (std::size_t block = body_.first_block; block < body_.first_block + body_.block_count; ++block) {
      deformation_gradients(model_, at.positions.data(), block, 1, batch.deformation);
      run_operation(model_, ElementOperation::stress, body_, block, 1, batch.deformation, batch.stress);
      add_vertex_gradients(block, batch.stress, factor, result);
    }
  }

  // result += factor volume P (d shape function of each node), P [9][lane] of a block's points; P is used up.
  void add_vertex_gradients(std::size_t block, double* P, double factor, Eigen::Ref<Eigen::VectorXd> result) const {
    for (std::size_t lane = 0; lane < W; ++lane) {
      const double scale = is_counted(block * W + lane) ? factor : 0;
      for (std::size_t k = 0; k < 9; ++k) P[k * W + lane] = scale == 0 ? 0 : scale * P[k * W + lane];
    }
    add_element_forces(model_, block, P, result.data());
  }

  const ElasticModel& model_;
  const ElasticBody& body_;
  std::vector<char> counts_;  // [element of the mesh]; empty: all count
};

}  // namespace

std::unique_ptr<const ElasticObservable> observe_elastic_energy(const ElasticModel& model, const ElasticSubject& subject,
                                                                const holo_observable&) {
  if (subject.subset == nullptr) return std::make_unique<ElasticEnergyOfBody>(model, *subject.body, std::vector<int>{});
  if (subject.subset->elements.empty())
    throw std::invalid_argument("observes the elastic energy of '" + subject.name +
                                "', a subset without elements; only a body, such as '" + subject.body->name +
                                "', and a subset `of: elements` have one");
  return std::make_unique<ElasticEnergyOfBody>(model, *subject.body, subject.subset->elements);
}

}  // namespace holo
