#include "holo/sim/reduction/reduced_elasticity.h"

#include <algorithm>
#include <string>

#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/diff/lanes/lanes.h"

namespace holo {
namespace {

constexpr std::size_t summed_blocks = 16;  // by one thread, before the sums of chunks are added in order

std::vector<int> all_elements(const ElasticModel& model) {
  std::vector<int> result;
  for (std::size_t place = 0; place < model.packed_elements().size(); ++place)
    if (model.packed_elements()[place] >= 0) result.push_back(static_cast<int>(place));
  return result;
}

void require_elements(const ElasticModel& model, const Cubature& cubature) {
  if (cubature.elements.empty() || cubature.weights.size() != static_cast<Eigen::Index>(cubature.elements.size()))
    throw Error(Failure::input, "a cubature has " + std::to_string(cubature.elements.size()) + " elements and " +
                                    std::to_string(cubature.weights.size()) + " weights; both must be as many, at least 1.");
  for (std::size_t n = 0; n < cubature.elements.size(); ++n) {
    const int place = cubature.elements[n];
    const auto count = static_cast<int>(model.packed_elements().size());
    if (place < 0 || place >= count || model.packed_elements()[static_cast<std::size_t>(place)] < 0)
      throw Error(Failure::input, "a cubature has the element " + std::to_string(place) + ", which the model has not.");
    if (n > 0 && place <= cubature.elements[n - 1])
      throw Error(Failure::input, "the elements of a cubature must ascend; " + std::to_string(place) + " follows " +
                                      std::to_string(cubature.elements[n - 1]) + ".");
    if (!(cubature.weights[static_cast<Eigen::Index>(n)] > 0))
      throw Error(Failure::input, "a cubature has the weight " +
                                      std::to_string(cubature.weights[static_cast<Eigen::Index>(n)]) + "; allowed is above 0.");
  }
}

// Multiplies the 45 entries of each lane's matrix by its volume; the rest of a last block has none, whatever its entries are.
void weigh_lanes(double* H, const double* volumes) {
  for (std::size_t k = 0; k < 45; ++k)
    for (std::size_t lane = 0; lane < W; ++lane) H[k * W + lane] = volumes[lane] > 0 ? volumes[lane] * H[k * W + lane] : 0.0;
}

// y = H x in each lane, with the upper triangle of H [45][lane], by rows; x and y [9][lane].
void multiply_lanes(const double* H, const double* x, double* y) {
  LaneBlock in[9], out[9];
  for (std::size_t i = 0; i < 9; ++i) in[i] = LaneBlock::load(x + i * W), out[i] = LaneBlock(0.0);
  for (std::size_t i = 0, k = 0; i < 9; ++i)
    for (std::size_t j = i; j < 9; ++j, ++k) {
      const LaneBlock entry = LaneBlock::load(H + k * W);
      out[i] += entry * in[j];
      if (j != i) out[j] += entry * in[i];
    }
  for (std::size_t i = 0; i < 9; ++i) out[i].store(y + i * W);
}

}  // namespace

ReducedElasticity::ReducedElasticity(std::shared_ptr<const ElasticModel> model, const Eigen::VectorXd& positions,
                                     const Eigen::MatrixXd& basis)
    : model_(std::move(model)), columns_(basis.cols()) {
  require_fitting(positions, basis);
  const std::vector<int> elements = all_elements(*model_);
  gather(positions, basis, elements, Eigen::VectorXd::Ones(static_cast<Eigen::Index>(elements.size())));
}

ReducedElasticity::ReducedElasticity(std::shared_ptr<const ElasticModel> model, const Eigen::VectorXd& positions,
                                     const Eigen::MatrixXd& basis, const Cubature& cubature)
    : model_(std::move(model)), columns_(basis.cols()) {
  require_fitting(positions, basis);
  require_elements(*model_, cubature);
  gather(positions, basis, cubature.elements, cubature.weights);
}

void ReducedElasticity::require_fitting(const Eigen::VectorXd& positions, const Eigen::MatrixXd& basis) const {
  const Eigen::Index size = 3 * model_->vertex_count();
  if (positions.size() != size || basis.rows() != size || basis.cols() == 0)
    throw Error(Failure::input, "a reduced energy got " + std::to_string(positions.size()) + " coordinates and a basis of " +
                                    std::to_string(basis.rows()) + " rows and " + std::to_string(basis.cols()) +
                                    " columns; the model has " + std::to_string(size) +
                                    " coordinates, and one column is the least.");
}

void ReducedElasticity::require_size(const Eigen::VectorXd& q) const {
  if (q.size() != columns_) throw Error(Failure::internal, "ReducedElasticity: amplitudes of another number");
}

// Lane by lane from the model's blocks, which hold the chosen elements among others.
void ReducedElasticity::gather(const Eigen::VectorXd& positions, const Eigen::MatrixXd& basis, const std::vector<int>& elements,
                               const Eigen::VectorXd& weights) {
  element_count_ = static_cast<int>(elements.size());
  std::size_t filled = W, source_block = model_->block_count();
  alignas(HOLO_BLOCK_ALIGNMENT) double F[9 * W];
  AlignedArray slopes(static_cast<std::size_t>(columns_) * 9 * W);
  for (std::size_t n = 0; n < elements.size(); ++n) {
    const std::size_t source = static_cast<std::size_t>(elements[n]) / W, lane = static_cast<std::size_t>(elements[n]) % W;
    if (source != source_block) {
      deformation_gradients(*model_, positions.data(), source, 1, F);
      for (Eigen::Index column = 0; column < columns_; ++column)
        deformation_gradients(*model_, basis.col(column).data(), source, 1,
                              slopes.data() + static_cast<std::size_t>(column) * 9 * W);
      source_block = source;
    }
    const auto body = std::find_if(model_->bodies().begin(), model_->bodies().end(),
                                   [&](const ElasticBody& b) { return source < b.first_block + b.block_count; });
    const std::size_t coefficients = body->material->coefficient_count;
    if (filled == W || blocks_.back().body != &*body) {
      blocks_.push_back(
          {&*body, AlignedArray(coefficients * W), AlignedArray(9 * W), AlignedArray(slopes.size()), AlignedArray(W)});
      filled = 0;
    }
    Block& block = blocks_.back();
    const double* from = body->coefficients.data() + (source - body->first_block) * body->coefficient_stride;
    for (std::size_t to = filled; to < W; ++to) {  // the lanes that nothing fills later repeat this element
      for (std::size_t c = 0; c < coefficients; ++c) block.coefficients[c * W + to] = from[c * W + lane];
      for (std::size_t k = 0; k < 9; ++k) block.F[k * W + to] = F[k * W + lane];
      for (std::size_t k = 0; k < slopes.size() / W; ++k) block.slopes[k * W + to] = slopes[k * W + lane];
    }
    block.volumes[filled++] = weights[static_cast<Eigen::Index>(n)] * model_->volumes()[source * W + lane];
  }
}

void ReducedElasticity::run(const Block& block, holo_material_operation operation, const Eigen::VectorXd& q,
                            double* output) const {
  alignas(HOLO_BLOCK_ALIGNMENT) double F[9 * W];
  for (std::size_t k = 0; k < 9; ++k) {
    LaneBlock sum = LaneBlock::load(block.F.data() + k * W);
    for (Eigen::Index column = 0; column < columns_; ++column)
      sum += LaneBlock::load(block.slopes.data() + (static_cast<std::size_t>(column) * 9 + k) * W) * LaneBlock(q[column]);
    sum.store(F + k * W);
  }
  holo_batch batch{};
  batch.size = sizeof(holo_batch);
  batch.block_count = 1;
  batch.deformation_gradient = F;
  batch.coefficients = block.coefficients.data();
  batch.output = output;
  block.body->material->operations[operation](&batch);
}

double ReducedElasticity::energy(const Eigen::VectorXd& q) const {
  require_size(q);
  return parallel_sum(blocks_.size(), summed_blocks, [&](std::size_t begin, std::size_t end) {
    alignas(HOLO_BLOCK_ALIGNMENT) double psi[W];
    double total = 0;
    for (std::size_t n = begin; n < end; ++n) {
      run(blocks_[n], HOLO_MATERIAL_ENERGY, q, psi);
      total += sum(LaneBlock::load(psi) * LaneBlock::load(blocks_[n].volumes.data()));
    }
    return total;
  });
}

Eigen::VectorXd ReducedElasticity::gradient(const Eigen::VectorXd& q) const {
  require_size(q);
  Eigen::MatrixXd parts = Eigen::MatrixXd::Zero(columns_, static_cast<Eigen::Index>(blocks_.size() / summed_blocks + 1));
  parallel_for(blocks_.size(), summed_blocks, [&](std::size_t begin, std::size_t end) {
    alignas(HOLO_BLOCK_ALIGNMENT) double P[9 * W];
    auto part = parts.col(static_cast<Eigen::Index>(begin / summed_blocks));
    for (std::size_t n = begin; n < end; ++n) {
      run(blocks_[n], HOLO_MATERIAL_STRESS, q, P);
      const LaneBlock volumes = LaneBlock::load(blocks_[n].volumes.data());
      for (Eigen::Index column = 0; column < columns_; ++column) {
        LaneBlock total(0.0);
        for (std::size_t k = 0; k < 9; ++k)
          total += LaneBlock::load(P + k * W) *
                   LaneBlock::load(blocks_[n].slopes.data() + (static_cast<std::size_t>(column) * 9 + k) * W);
        part[column] += sum(volumes * total);
      }
    }
  });
  Eigen::VectorXd result = Eigen::VectorXd::Zero(columns_);
  for (Eigen::Index n = 0; n < parts.cols(); ++n) result += parts.col(n);
  return result;
}

Eigen::MatrixXd ReducedElasticity::hessian(const Eigen::VectorXd& q) const {
  require_size(q);
  std::vector<Eigen::MatrixXd> parts(blocks_.size() / summed_blocks + 1);
  parallel_for(blocks_.size(), summed_blocks, [&](std::size_t begin, std::size_t end) {
    alignas(HOLO_BLOCK_ALIGNMENT) double H[45 * W];
    const auto rows = static_cast<Eigen::Index>(9 * W);
    AlignedArray products(static_cast<std::size_t>(columns_) * 9 * W);  // V H B [column][9][lane]
    Eigen::MatrixXd& part = parts[begin / summed_blocks];
    part.setZero(columns_, columns_);
    for (std::size_t n = begin; n < end; ++n) {
      run(blocks_[n], HOLO_MATERIAL_HESSIAN, q, H);
      weigh_lanes(H, blocks_[n].volumes.data());
      for (Eigen::Index column = 0; column < columns_; ++column) {
        const std::size_t at = static_cast<std::size_t>(column) * 9 * W;
        multiply_lanes(H, blocks_[n].slopes.data() + at, products.data() + at);
      }
      const Eigen::Map<const Eigen::MatrixXd> slopes(blocks_[n].slopes.data(), rows, columns_);
      part.noalias() += slopes.transpose() * Eigen::Map<const Eigen::MatrixXd>(products.data(), rows, columns_);
    }
  });
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(columns_, columns_);
  for (const Eigen::MatrixXd& part : parts)
    if (part.size() > 0) result += part;
  return result;
}

}  // namespace holo
