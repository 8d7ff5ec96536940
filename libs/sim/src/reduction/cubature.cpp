#include "holo/sim/reduction/cubature.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/diff/lanes/lanes.h"
#include "reduction/drawn_numbers.h"
#include "reduction/nonnegative_least_squares.h"

namespace holo {
namespace {

// The reduced forces of elements at the samples.
class TrainingForces {
 public:
  TrainingForces(const ElasticModel& model, const Eigen::VectorXd& positions, const Eigen::MatrixXd& basis,
                 const Eigen::MatrixXd& samples)
      : model_(model),
        positions_(positions),
        basis_(basis),
        samples_(samples),
        scales_(Eigen::VectorXd::Ones(samples.cols())) {}

  Eigen::Index rows() const { return basis_.cols() * samples_.cols(); }
  // Forces of a sample are multiplied by its scale [sample].
  void set_scales(const Eigen::VectorXd& scales) { scales_ = scales; }

  // Of the elements of one block: [column of the basis, sample by sample][lane].
  Eigen::MatrixXd of_block(std::size_t block) const {
    const auto body = std::find_if(model_.bodies().begin(), model_.bodies().end(),
                                   [&](const ElasticBody& b) { return block < b.first_block + b.block_count; });
    const Eigen::Index r = basis_.cols();
    AlignedArray slopes(static_cast<std::size_t>(r) * 9 * W);
    for (Eigen::Index column = 0; column < r; ++column)
      deformation_gradients(model_, basis_.col(column).data(), block, 1,
                            slopes.data() + static_cast<std::size_t>(column) * 9 * W);
    alignas(HOLO_BLOCK_ALIGNMENT) double start[9 * W], F[9 * W], P[9 * W];
    deformation_gradients(model_, positions_.data(), block, 1, start);
    Eigen::MatrixXd result(rows(), static_cast<Eigen::Index>(W));
    for (Eigen::Index sample = 0; sample < samples_.cols(); ++sample) {
      for (std::size_t k = 0; k < 9; ++k) {
        LaneBlock sum = LaneBlock::load(start + k * W);
        for (Eigen::Index c = 0; c < r; ++c)
          sum += LaneBlock::load(slopes.data() + (static_cast<std::size_t>(c) * 9 + k) * W) * LaneBlock(samples_(c, sample));
        sum.store(F + k * W);
      }
      const holo_batch batch = batch_of(*body, block, 1, F, P);
      body->material->operations[HOLO_MATERIAL_STRESS](&batch);
      const LaneBlock volumes = LaneBlock::load(model_.volumes().data() + block * W) * LaneBlock(scales_[sample]);
      for (Eigen::Index c = 0; c < r; ++c) {
        LaneBlock sum(0.0);
        for (std::size_t k = 0; k < 9; ++k)
          sum += LaneBlock::load(P + k * W) * LaneBlock::load(slopes.data() + (static_cast<std::size_t>(c) * 9 + k) * W);
        const LaneBlock force = volumes * sum;
        for (std::size_t lane = 0; lane < W; ++lane)
          result(sample * r + c, static_cast<Eigen::Index>(lane)) = force[static_cast<int>(lane)];
      }
    }
    return result;
  }

  // Of all elements together.
  Eigen::VectorXd of_all() const {
    constexpr std::size_t chunk = 16;
    Eigen::MatrixXd parts = Eigen::MatrixXd::Zero(rows(), static_cast<Eigen::Index>(model_.block_count() / chunk + 1));
    parallel_for(model_.block_count(), chunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t block = begin; block < end; ++block)
        parts.col(static_cast<Eigen::Index>(begin / chunk)) += of_block(block).rowwise().sum();
    });
    Eigen::VectorXd result = Eigen::VectorXd::Zero(rows());
    for (Eigen::Index part = 0; part < parts.cols(); ++part) result += parts.col(part);
    return result;
  }

 private:
  const ElasticModel& model_;
  const Eigen::VectorXd& positions_;
  const Eigen::MatrixXd &basis_, &samples_;
  Eigen::VectorXd scales_;
};

void require_trainable(const ElasticModel& model, const Eigen::VectorXd& positions, const Eigen::MatrixXd& basis,
                       const Eigen::MatrixXd& samples, const CubatureOptions& options) {
  const auto refuse = [](const std::string& text) { throw Error(Failure::input, "a cubature " + text); };
  if (options.max_elements < 1 || options.candidates < 1 || !(options.tolerance >= 0))
    refuse("got max_elements " + std::to_string(options.max_elements) + ", candidates " + std::to_string(options.candidates) +
           " and the tolerance " + std::to_string(options.tolerance) + "; allowed are from 1, from 1 and from 0.");
  const Eigen::Index size = 3 * model.vertex_count();
  if (positions.size() != size || basis.rows() != size || basis.cols() == 0 || samples.rows() != basis.cols() ||
      samples.cols() == 0)
    refuse("got " + std::to_string(samples.cols()) + " samples of " + std::to_string(samples.rows()) +
           " amplitudes for a basis of " + std::to_string(basis.rows()) + " rows and " + std::to_string(basis.cols()) +
           " columns, and " + std::to_string(positions.size()) + " coordinates; the model has " + std::to_string(size) +
           " coordinates, and one sample is the least.");
}

// Sizes of the samples' forces. Rounding errors of a body at rest are forces, too.
void require_forces(const Eigen::VectorXd& sizes) {
  constexpr double rounding = 1e-9;  // of the largest
  for (Eigen::Index sample = 0; sample < sizes.size(); ++sample) {
    const bool finite = std::isfinite(sizes[sample]);
    if (!finite || !(sizes[sample] > rounding * sizes.maxCoeff()))
      throw Error(Failure::input, "the sample " + std::to_string(sample) + " of a cubature has " +
                                      (finite ? "no forces" : "forces that are not finite") +
                                      ": leave it out, or choose other amplitudes.");
  }
}

// What the greedy choice has so far.
class Choice {
 public:
  explicit Choice(const Eigen::VectorXd& target) : target_(target), missing_(target) {}

  bool has(int place) const { return chosen_.count(place) > 0; }
  Eigen::Index size() const { return weights_.size(); }
  const Eigen::VectorXd& missing() const { return missing_; }
  double error() const { return missing_.norm() / target_.norm(); }

  void add(int place, const Eigen::VectorXd& forces) {
    const Eigen::Index n = size();
    places_.push_back(place);
    chosen_.insert(place);
    forces_.conservativeResize(target_.size(), n + 1);
    forces_.col(n) = forces;
    gram_.conservativeResize(n + 1, n + 1);
    gram_.col(n) = forces_.transpose() * forces;
    gram_.row(n) = gram_.col(n).transpose();
    product_.conservativeResize(n + 1);
    product_[n] = forces.dot(target_);
    weights_.conservativeResize(n + 1);
    weights_[n] = 0;
    weights_ = nonnegative_least_squares(gram_, product_, weights_);
    missing_ = target_ - forces_ * weights_;
  }

  Cubature cubature() const {
    std::vector<Eigen::Index> order;
    for (Eigen::Index n = 0; n < size(); ++n)
      if (weights_[n] > 0) order.push_back(n);
    std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
      return places_[static_cast<std::size_t>(a)] < places_[static_cast<std::size_t>(b)];
    });
    Cubature result;
    for (const Eigen::Index n : order) result.elements.push_back(places_[static_cast<std::size_t>(n)]);
    result.weights = weights_(order);
    result.training_error = error();
    return result;
  }

 private:
  Eigen::VectorXd target_, missing_;
  std::vector<int> places_;
  std::set<int> chosen_;
  Eigen::MatrixXd forces_, gram_;
  Eigen::VectorXd product_, weights_;
};

// The forces of all elements at each sample, divided by their size, and the same division for single elements.
Eigen::VectorXd scaled_target(TrainingForces& forces, Eigen::Index samples) {
  Eigen::VectorXd target = forces.of_all();
  const Eigen::Index columns = target.size() / samples;
  const Eigen::VectorXd sizes = target.reshaped(columns, samples).colwise().norm();
  require_forces(sizes);
  forces.set_scales(sizes.cwiseInverse());
  for (Eigen::Index sample = 0; sample < samples; ++sample) target.segment(sample * columns, columns) /= sizes[sample];
  return target;
}

// Adds the element of the blocks whose forces are most parallel to what is missing; false where none helps.
bool add_best(const ElasticModel& model, const TrainingForces& forces, const std::vector<std::size_t>& blocks, Choice& choice) {
  std::vector<Eigen::MatrixXd> found(blocks.size());
  parallel_for(blocks.size(), 1, [&](std::size_t n, std::size_t) { found[n] = forces.of_block(blocks[n]); });
  double best = 1e-12;
  int best_place = -1;
  Eigen::VectorXd best_forces;
  for (std::size_t n = 0; n < blocks.size(); ++n)
    for (std::size_t lane = 0; lane < W; ++lane) {
      const std::size_t place = blocks[n] * W + lane;
      if (model.packed_elements()[place] < 0 || choice.has(static_cast<int>(place))) continue;
      const auto column = found[n].col(static_cast<Eigen::Index>(lane));
      const double size = column.norm();
      const double cosine = size > 0 ? column.dot(choice.missing()) / (size * choice.missing().norm()) : 0;
      if (cosine > best) best = cosine, best_place = static_cast<int>(place), best_forces = column;
    }
  if (best_place >= 0) choice.add(best_place, best_forces);
  return best_place >= 0;
}

}  // namespace

Cubature train_cubature(const std::shared_ptr<const ElasticModel>& model, const Eigen::VectorXd& positions,
                        const Eigen::MatrixXd& basis, const Eigen::MatrixXd& samples, const CubatureOptions& options) {
  require_trainable(*model, positions, basis, samples, options);
  TrainingForces forces(*model, positions, basis, samples);
  Choice choice(scaled_target(forces, samples.cols()));
  DrawnNumbers drawn(options.seed);
  const std::size_t wanted = (static_cast<std::size_t>(options.candidates) + W - 1) / W;
  const std::size_t count = std::min(wanted, model->block_count());
  // Draws without an element that helps end the choice when there were as many in a row as all blocks need.
  const std::size_t patience = model->block_count() / count + 1;
  for (std::size_t idle = 0; idle < patience && choice.size() < options.max_elements && choice.error() > options.tolerance;) {
    std::set<std::size_t> blocks;
    while (blocks.size() < count) blocks.insert(drawn.below(model->block_count()));
    idle = add_best(*model, forces, {blocks.begin(), blocks.end()}, choice) ? 0 : idle + 1;
  }
  return choice.cubature();
}

}  // namespace holo
