#include "holo/sim/dynamics/body_energy_term.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elastic/element/element_nodes.h"
#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "elastic/element/quadratic_stencils.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/elastic/element_fields.h"
#include "holo/sim/elastic/observables/elastic_observable.h"
#include "holo/sim/elastic/positive_semidefinite.h"

namespace holo {
namespace {

constexpr std::size_t blocks_per_task = 16;  // of one piece of a parallel loop

// E = (F^T F - I)/2 of one lane, [9] entries W apart.
void write_green_strain(const double* F, double* E) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double product = 0;
      for (std::size_t k = 0; k < 3; ++k) product += F[(3 * k + i) * W] * F[(3 * k + j) * W];
      E[(3 * i + j) * W] = 0.5 * (product - (i == j ? 1 : 0));
    }
}

std::unique_ptr<const ElasticObservable> observable_of(const ElasticModel& model, const ElasticSubject& subject,
                                                       const holo_observable& wanted) {
  return wanted.kind == HOLO_OBSERVABLE_CENTER_OF_MASS ? observe_center_of_mass(model, subject, wanted)
                                                       : observe_point(model, subject, wanted);
}

// The blocks of one element: the diagonal, lower triangles by columns, then those below it by columns.
void add_stencil(const ElementBlock& block, std::size_t lane, const double* stencil, BlockAssembler& assembler) {
  const auto vertex = [&](int v) { return block.vertices[static_cast<std::size_t>(v) * W + lane]; };
  for (int v = 0; v < block.nodes; ++v, stencil += 9)
    assembler.add_block(
        vertex(v), vertex(v),
        {stencil[0], stencil[1], stencil[2], stencil[1], stencil[3], stencil[4], stencil[2], stencil[4], stencil[5]});
  for (int column = 0; column < block.nodes; ++column)
    for (int row = column + 1; row < block.nodes; ++row, stencil += 9) {
      std::array<double, 9> values;
      std::copy_n(stencil, 9, values.begin());
      assembler.add_block(vertex(row), vertex(column), values);
    }
}

}  // namespace

BodyEnergyTerm::BodyEnergyTerm(std::shared_ptr<const ElasticModel> model, std::size_t body, std::size_t energy)
    : model_(std::move(model)), body_(body), energy_(model_->bodies()[body].energies[energy]) {
  bind_observables();
  pack_targets();
  deformation_ = AlignedArray(this->body().block_count * 9 * W);
  outputs_ = AlignedArray(this->body().block_count * instance().output_size(HOLO_BODY_ENERGY_HESSIAN) * W);
}

std::string BodyEnergyTerm::name() const {
  return fmt::format("body energy '{}' of '{}'", instance().plugin().name(), body().name);
}

// The observables are linear: the columns of B^T are what unit vectors are pulled back to, wherever.
void BodyEnergyTerm::bind_observables() {
  const holo_body_energy_description& description = instance().description();
  const Eigen::VectorXd anywhere = Eigen::VectorXd::Zero(3 * model_->vertex_count());
  observables_.setZero(anywhere.size(), Eigen::Index(instance().observable_size()));
  Eigen::VectorXd velocities = anywhere;
  Eigen::Index column = 0;
  for (std::uint32_t i = 0; i < description.observable_count; ++i) {
    const holo_observable& wanted = description.observables[i];
    const ElasticSubset& subset = body().subsets.at(wanted.subject);
    const ElasticSubject subject{body().name + "." + subset.name, &body(), &subset};
    const auto observable = observable_of(*model_, subject, wanted);
    for (std::uint32_t k = 0; k < holo_observable_size(wanted.kind); ++k, ++column) {
      Eigen::Vector3d unit = Eigen::Vector3d::Unit(k);
      ElasticPhaseSum sum{observables_.col(column), velocities};
      observable->pull_back({anywhere, anywhere}, unit.data(), sum);
    }
  }
  start_ = observables_.transpose() * model_->start_positions();
  require_quantities_at_start();
}

// Subsets that coincide, such as two ends of an angle, have no quantities or none with derivatives: known before the first
// step.
void BodyEnergyTerm::require_quantities_at_start() const {
  const auto no = Eigen::Index(instance().quantity_count()), nz = start_.size();
  const Eigen::VectorXd weights = Eigen::VectorXd::Ones(no);
  Eigen::VectorXd o(no);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> J(no, nz), curvatures(nz, nz);
  instance().quantities(start_.data(), start_.data(), weights.data(), o.data(), J.data(), curvatures.data());
  for (Eigen::Index i = 0; i < no; ++i)
    if (!std::isfinite(o[i]) || !J.row(i).allFinite() || (i == no - 1 && !curvatures.allFinite()))
      throw_input_error(energy_.location,
                        fmt::format("the {}: its quantity '{}' is {:.6g} at the start, where it has no derivatives; subsets "
                                    "that it compares may lie in the same place",
                                    name(), instance().description().quantities[i].name, o[i]));
}

// A shape's strain is that of its deformation gradients, which the model's elements have; padding repeats an element.
void BodyEnergyTerm::pack_targets() {
  const std::size_t count = energy_.targets.size(), first_block = body().first_block;
  targets_ = AlignedArray(body().block_count * count * 9 * W);
  for (std::size_t t = 0; t < count; ++t) {
    const StrainTarget& target = energy_.targets[t];
    AlignedArray F;
    if (!target.positions.empty()) {
      Eigen::VectorXd positions = model_->start_positions();
      std::copy(target.positions.begin(), target.positions.end(), positions.data() + 3 * body().first_vertex);
      deformation_gradients(*model_, positions, F);
    }
    std::size_t element = 0;
    for (std::size_t packed = 0; packed < body().block_count * W; ++packed) {
      const std::size_t block = packed / W, lane = packed % W;
      double* to = targets_.data() + (block * count + t) * 9 * W + lane;
      if (const int number = model_->packed_elements()[first_block * W + packed]; number >= 0)
        element = static_cast<std::size_t>(number - body().first_element);
      if (F.size() > 0)
        write_green_strain(F.data() + (first_block + block) * 9 * W + lane, to);
      else
        for (std::size_t k = 0; k < 9; ++k) to[k * W] = target.strains[9 * element + k];
    }
  }
}

Eigen::VectorXd BodyEnergyTerm::quantities(const Eigen::VectorXd& x) const {
  const Eigen::VectorXd z = observables_.transpose() * x;
  Eigen::VectorXd o(Eigen::Index(instance().quantity_count()));
  instance().quantities(z.data(), start_.data(), nullptr, o.data(), nullptr, nullptr);
  return o;
}

void BodyEnergyTerm::run(holo_body_energy_operation operation, const Eigen::VectorXd& x, const Eigen::VectorXd& o) {
  struct Work {
    BodyEnergyTerm& term;
    holo_body_energy_operation operation;
    std::size_t entries;
    const double *x, *o;
  } work{*this, operation, instance().output_size(operation), x.data(), o.data()};
  parallel_for(body().block_count, blocks_per_task, [&work](std::size_t begin, std::size_t end) {
    BodyEnergyTerm& term = work.term;
    double* F = term.deformation_.data() + begin * 9 * W;
    deformation_gradients(*term.model_, work.x, term.body().first_block + begin, end - begin, F);
    term.instance().run(work.operation, {sizeof(holo_body_energy_batch), end - begin, F,
                                         term.targets_.data() + begin * term.energy_.targets.size() * 9 * W, work.o,
                                         term.outputs_.data() + begin * work.entries * W});
  });
}

double BodyEnergyTerm::sum(std::size_t entry, std::size_t entries) const {
  double total = 0;
  for (std::size_t block = 0; block < body().block_count; ++block)
    for (std::size_t lane = 0; lane < W; ++lane)
      total += model_->volumes()[(body().first_block + block) * W + lane] * outputs_[(block * entries + entry) * W + lane];
  return total;
}

double BodyEnergyTerm::energy(const Eigen::VectorXd& x) {
  const Eigen::VectorXd o = quantities(x);
  if (!o.allFinite()) return std::numeric_limits<double>::infinity();
  run(HOLO_BODY_ENERGY_DENSITY, x, o);
  const double total = sum(0, 1);
  return std::isfinite(total) ? total : std::numeric_limits<double>::infinity();
}

void BodyEnergyTerm::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  const Eigen::VectorXd z = observables_.transpose() * x;
  const auto no = Eigen::Index(instance().quantity_count());
  Eigen::VectorXd o(no), s(no);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> J(no, z.size());
  instance().quantities(z.data(), start_.data(), nullptr, o.data(), J.data(), nullptr);
  run(HOLO_BODY_ENERGY_GRADIENT, x, o);
  const std::size_t entries = instance().output_size(HOLO_BODY_ENERGY_GRADIENT);
  for (std::size_t block = 0; block < body().block_count; ++block)
    add_element_forces(*model_, body().first_block + block, outputs_.data() + block * entries * W, gradient.data());
  for (Eigen::Index i = 0; i < no; ++i) s[i] = sum(9 + std::size_t(i), entries);
  gradient += observables_ * (J.transpose() * s).eval();
}

void BodyEnergyTerm::add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) {
  const Eigen::VectorXd z = observables_.transpose() * x;
  const auto no = Eigen::Index(instance().quantity_count());
  Eigen::VectorXd o(no), s(no);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> J(no, z.size()), curvatures(z.size(), z.size());
  instance().quantities(z.data(), start_.data(), nullptr, o.data(), nullptr, nullptr);
  run(HOLO_BODY_ENERGY_GRADIENT, x, o);
  for (Eigen::Index i = 0; i < no; ++i) s[i] = sum(9 + std::size_t(i), instance().output_size(HOLO_BODY_ENERGY_GRADIENT));
  instance().quantities(z.data(), start_.data(), s.data(), o.data(), J.data(), curvatures.data());
  run(HOLO_BODY_ENERGY_HESSIAN, x, o);
  LowRankMatrix coupling = low_rank(J);
  coupling.core.bottomRightCorner(z.size(), z.size()) += curvatures;
  assembler.add_low_rank(coupling.columns, coupling.core);
  add_element_blocks(curvature, assembler);
}

// Columns [W B^T] and the core [0 J; J^T J^T A J], from the outputs of HOLO_BODY_ENERGY_HESSIAN.
LowRankMatrix BodyEnergyTerm::low_rank(const Eigen::MatrixXd& J) const {
  const Eigen::Index no = J.rows(), nz = J.cols();
  const std::size_t entries = instance().output_size(HOLO_BODY_ENERGY_HESSIAN);
  LowRankMatrix result;
  result.columns.setZero(observables_.rows(), no + nz);
  result.columns.rightCols(nz) = observables_;
  Eigen::MatrixXd A(no, no);
  std::size_t entry = 45 + 9 * std::size_t(no);
  for (Eigen::Index i = 0; i < no; ++i) {
    for (Eigen::Index j = i; j < no; ++j) A(i, j) = A(j, i) = sum(entry++, entries);
    for (std::size_t block = 0; block < body().block_count; ++block)
      add_element_forces(*model_, body().first_block + block, outputs_.data() + (block * entries + 45 + 9 * std::size_t(i)) * W,
                         result.columns.col(i).data());
  }
  result.core.setZero(no + nz, no + nz);
  result.core.topRightCorner(no, nz) = J;
  result.core.bottomLeftCorner(nz, no) = J.transpose();
  result.core.bottomRightCorner(nz, nz) = J.transpose() * A * J;
  return result;
}

// The second derivatives in F, block by block of the pattern (ElasticPattern) from a stencil of each element.
void BodyEnergyTerm::add_element_blocks(Curvature curvature, BlockAssembler& assembler) {
  const std::size_t entries = instance().output_size(HOLO_BODY_ENERGY_HESSIAN), points = body().points;
  const std::size_t stride = stencil_stride_of(body().nodes);
  AlignedArray stencils(W * stride), no_stress(points * 9 * W), hessians(points * 45 * W);
  std::uint8_t projected[4 * W];
  for (std::size_t n = 0; n < body().block_count; n += points) {
    const std::size_t block = body().first_block + n;
    for (std::size_t p = 0; p < points; ++p)
      std::copy_n(outputs_.data() + (n + p) * entries * W, 45 * W, hessians.data() + p * 45 * W);
    if (curvature == Curvature::projected)
      project_hessians(hessians.data(), deformation_.data() + n * 9 * W, points, projected);
    if (points == 1)
      element_stencils(*model_, block, no_stress.data(), hessians.data(), stencils.data());
    else
      quadratic_stencils(*model_, block, no_stress.data(), hessians.data(), stencils.data());
    for (std::size_t lane = 0; lane < W; ++lane)
      if (model_->packed_elements()[block * W + lane] >= 0)
        add_stencil(model_->block(block), lane, stencils.data() + lane * stride, assembler);
  }
}

void BodyEnergyTerm::add_adjoint_hessian(const Eigen::VectorXd&, const Eigen::VectorXd&, const TermDirections&,
                                         Eigen::MatrixXd&) {
  throw Error(Failure::internal, "the " + name() + " has no derivatives of third order.");
}

std::vector<std::unique_ptr<PotentialTerm>> body_energy_terms(const std::shared_ptr<const ElasticModel>& model) {
  std::vector<std::unique_ptr<PotentialTerm>> terms;
  for (std::size_t body = 0; body < model->bodies().size(); ++body)
    for (std::size_t energy = 0; energy < model->bodies()[body].energies.size(); ++energy)
      terms.push_back(std::make_unique<BodyEnergyTerm>(model, body, energy));
  return terms;
}

double body_energies(const std::shared_ptr<const ElasticModel>& model, const Eigen::VectorXd& positions) {
  double sum = 0;
  for (const auto& term : body_energy_terms(model)) sum += term->energy(positions);
  return sum;
}

}  // namespace holo
