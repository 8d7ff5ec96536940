#include "holo/sim/reduction/modal_derivatives.h"

#include <algorithm>
#include <array>
#include <string>

#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/elastic/element_fields.h"
#include "reduction/element_tensors.h"

namespace holo {
namespace {

constexpr std::size_t wave_blocks = 64;  // blocks whose stresses are kept until they are added to the forces
constexpr std::size_t wave_columns = 256;

// Pairs or triples of modes, the first with each of the others in ascending order; of a pair the last is -1.
using Tuple = std::array<Eigen::Index, 3>;

std::vector<Tuple> ascending_tuples(Eigen::Index modes, int order) {
  std::vector<Tuple> result;
  for (Eigen::Index i = 0; i < modes; ++i)
    for (Eigen::Index j = i; j < modes; ++j) {
      if (order == 1) result.push_back({i, j, -1});
      for (Eigen::Index k = j; order == 2 && k < modes; ++k) result.push_back({i, j, k});
    }
  return result;
}

// The forces on the right-hand sides: E3[psi_i, psi_j] for pairs, and for triples E4[psi_i, psi_j, psi_k] with the three terms
// of E3. Waves of blocks of elements: stresses of all columns block by block in parallel, then the forces of each column in the
// order of the elements. So no sum depends on the threads.
class DerivativeForces {
 public:
  DerivativeForces(const ModalSystem& system, const Eigen::Ref<const Eigen::MatrixXd>& modes, const ModalDerivatives* first)
      : system_(system), modes_(modes), first_(first) {}

  // Adds to forces [3 * vertex][tuple].
  void add(const Tuple* tuples, std::size_t count, Eigen::Ref<Eigen::MatrixXd> forces) {
    const ElasticModel& model = system_.model();
    stresses_ = AlignedArray(wave_blocks * count * 9 * W);
    for (std::size_t begin = 0; begin < model.block_count(); begin += wave_blocks) {
      const std::size_t blocks = std::min(wave_blocks, model.block_count() - begin);
      parallel_for(blocks, 4, [&](std::size_t from, std::size_t to) {
        ElementTensors tensors(is_second_order());
        for (std::size_t n = from; n < to; ++n)
          find_stresses(begin + n, tensors, tuples, count, stresses_.data() + n * count * 9 * W);
      });
      parallel_for(count, 8, [&](std::size_t from, std::size_t to) {
        for (std::size_t column = from; column < to; ++column)
          for (std::size_t n = 0; n < blocks; ++n)
            add_element_forces(model, begin + n, stresses_.data() + (n * count + column) * 9 * W,
                               forces.col(static_cast<Eigen::Index>(column)).data());
      });
    }
  }

 private:
  bool is_second_order() const { return first_ != nullptr; }

  const ElasticBody& body_of(std::size_t block) const {
    const auto& bodies = system_.model().bodies();
    return *std::find_if(bodies.begin(), bodies.end(), [&](const ElasticBody& body) {
      return block >= body.first_block && block < body.first_block + body.block_count;
    });
  }

  // dF of each column of displacements [column][9][lane].
  AlignedArray gradients_of(const Eigen::Ref<const Eigen::MatrixXd>& columns, std::size_t block) const {
    AlignedArray result(static_cast<std::size_t>(columns.cols()) * 9 * W);
    for (Eigen::Index column = 0; column < columns.cols(); ++column)
      deformation_gradients(system_.model(), columns.col(column).data(), block, 1,
                            result.data() + static_cast<std::size_t>(column) * 9 * W);
    return result;
  }

  // Numbers of one block: dF of the modes, and T3[dF_i] of each.
  struct BlockModes {
    AlignedArray gradients;        // [mode][9][lane]
    std::vector<LaneBlock> third;  // [mode][45]

    const double* gradient(Eigen::Index i) const { return gradients.data() + static_cast<std::size_t>(i) * 9 * W; }
    const LaneBlock* third_of(Eigen::Index i) const { return third.data() + static_cast<std::size_t>(i) * pairs_of_9; }
  };

  static void store(const LaneBlock (&stress)[9], double* to) {
    for (std::size_t k = 0; k < 9; ++k) stress[k].store(to + k * W);
  }

  // The stresses of one block, [tuple][9][lane].
  void find_stresses(std::size_t block, ElementTensors& tensors, const Tuple* tuples, std::size_t count,
                     double* stresses) const {
    alignas(HOLO_BLOCK_ALIGNMENT) double F[9 * W];
    deformation_gradients(system_.model(), system_.positions().data(), block, 1, F);
    tensors.evaluate(body_of(block), block, F);
    BlockModes of{gradients_of(modes_, block), std::vector<LaneBlock>(static_cast<std::size_t>(modes_.cols()) * pairs_of_9)};
    for (Eigen::Index i = 0; i < modes_.cols(); ++i)
      tensors.contract_third(of.gradient(i), of.third.data() + static_cast<std::size_t>(i) * pairs_of_9);
    if (is_second_order()) {
      find_second_order(block, tensors, of, tuples, count, stresses);
      return;
    }
    LaneBlock stress[9];
    for (std::size_t n = 0; n < count; ++n) {
      contract_pairs(of.third_of(tuples[n][0]), of.gradient(tuples[n][1]), stress);
      store(stress, stresses + n * 9 * W);
    }
  }

  void find_second_order(std::size_t block, const ElementTensors& tensors, const BlockModes& of, const Tuple* tuples,
                         std::size_t count, double* stresses) const {
    const AlignedArray of_pairs = gradients_of(first_->first, block);
    std::vector<LaneBlock> along_i(triples_of_9), along_ij(pairs_of_9);
    Eigen::Index at_i = -1, at_j = -1;
    LaneBlock total[9], stress[9];
    for (std::size_t n = 0; n < count; ++n) {
      const auto [i, j, k] = tuples[n];
      if (i != at_i) tensors.contract_fourth(of.gradient(i), along_i.data());
      if (i != at_i || j != at_j) contract_triples(along_i.data(), of.gradient(j), along_ij.data());
      at_i = i, at_j = j;
      contract_pairs(along_ij.data(), of.gradient(k), total);
      for (const auto& [a, b, c] : {std::array{i, j, k}, {i, k, j}, {j, k, i}}) {
        contract_pairs(of.third_of(c), of_pairs.data() + static_cast<std::size_t>(first_->pair(a, b)) * 9 * W, stress);
        for (std::size_t e = 0; e < 9; ++e) total[e] += stress[e];
      }
      store(total, stresses + n * 9 * W);
    }
  }

  const ModalSystem& system_;
  const Eigen::Ref<const Eigen::MatrixXd>& modes_;
  const ModalDerivatives* first_;
  AlignedArray stresses_;  // [block of a wave][tuple][9][lane]
};

std::string materials_in_words(const ElasticModel& model) {
  std::string text;
  for (const ElasticBody& body : model.bodies())
    text += (text.empty() ? "'" : ", '") + std::string(body.material->name) + "' of '" + body.name + "'";
  return text;
}

Eigen::MatrixXd derivatives_of_order(const ModalSystem& system, const Eigen::Ref<const Eigen::MatrixXd>& modes, int order,
                                     const ModalDerivatives* first) {
  const std::vector<Tuple> tuples = ascending_tuples(modes.cols(), order);
  Eigen::MatrixXd result(system.size(), static_cast<Eigen::Index>(tuples.size()));
  DerivativeForces forces(system, modes, first);
  for (std::size_t begin = 0; begin < tuples.size(); begin += wave_columns) {
    const std::size_t count = std::min(wave_columns, tuples.size() - begin);
    Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(system.size(), static_cast<Eigen::Index>(count));
    forces.add(tuples.data() + begin, count, sums);
    if (!sums.allFinite())
      throw Error(Failure::input, "the derivatives of order " + std::to_string(order + 2) + " of the materials " +
                                      materials_in_words(system.model()) +
                                      " are not finite at these positions: a material has a singular point there, as "
                                      "some have at rest. Modal derivatives need a smooth energy.");
    result.middleCols(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(count)) = -system.solve(sums);
  }
  return result;
}

}  // namespace

Eigen::Index ModalDerivatives::pair(Eigen::Index i, Eigen::Index j) const {
  if (i > j) std::swap(i, j);
  return pair_count(mode_count) - pair_count(mode_count - i) + j - i;
}

Eigen::Index ModalDerivatives::triple(Eigen::Index i, Eigen::Index j, Eigen::Index k) const {
  std::array<Eigen::Index, 3> sorted{i, j, k};
  std::sort(sorted.begin(), sorted.end());
  const Eigen::Index left = mode_count - sorted[0];  // modes from the first index on
  return triple_count(mode_count) - triple_count(left) + pair_count(left) - pair_count(mode_count - sorted[1]) + sorted[2] -
         sorted[1];
}

ModalDerivatives modal_derivatives(const ModalSystem& system, const Eigen::Ref<const Eigen::MatrixXd>& modes, int order) {
  if (order != 1 && order != 2)
    throw Error(Failure::input, "modal derivatives of order " + std::to_string(order) + " are wanted; there are 1 and 2.");
  if (modes.rows() != system.size() || modes.cols() == 0)
    throw Error(Failure::input, "modal derivatives got modes of " + std::to_string(modes.rows()) + " coordinates and " +
                                    std::to_string(modes.cols()) + " columns; the system has " + std::to_string(system.size()) +
                                    " coordinates, and one mode is the least.");
  ModalDerivatives result;
  result.mode_count = modes.cols();
  result.first = derivatives_of_order(system, modes, 1, nullptr);
  result.second = order == 2 ? derivatives_of_order(system, modes, 2, &result) : Eigen::MatrixXd(system.size(), 0);
  return result;
}

Eigen::VectorXd modal_displacement(const Eigen::Ref<const Eigen::MatrixXd>& modes, const ModalDerivatives& derivatives,
                                   const Eigen::VectorXd& q, int order) {
  if (q.size() != modes.cols() || q.size() != derivatives.mode_count || derivatives.first.rows() != modes.rows())
    throw Error(Failure::input, std::to_string(q.size()) + " modal amplitudes for " + std::to_string(modes.cols()) +
                                    " modes with derivatives of " + std::to_string(derivatives.mode_count) +
                                    "; all three must be as many.");
  Eigen::VectorXd u = modes * q;
  if (order == 0) return u;
  for (Eigen::Index i = 0; i < q.size(); ++i)
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      u += 0.5 * q[i] * q[j] * derivatives.first.col(derivatives.pair(i, j));
      if (order == 1 || derivatives.second.cols() == 0) continue;
      for (Eigen::Index k = 0; k < q.size(); ++k)
        u += q[i] * q[j] * q[k] / 6 * derivatives.second.col(derivatives.triple(i, j, k));
    }
  return u;
}

}  // namespace holo
