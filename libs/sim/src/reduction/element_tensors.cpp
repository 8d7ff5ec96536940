#include "reduction/element_tensors.h"

#include <algorithm>
#include <string>

#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "holo/core/error.h"

namespace holo {
namespace {

SymmetricIndices make_symmetric_indices() {
  SymmetricIndices result{};
  int next_pair = 0, next_triple = 0;
  for (std::size_t a = 0; a < 9; ++a)
    for (std::size_t b = a; b < 9; ++b) {
      result.pair[a][b] = result.pair[b][a] = next_pair++;
      for (std::size_t c = b; c < 9; ++c) {
        const std::size_t sorted[3] = {a, b, c};
        for (const auto& order : {std::array{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}})
          result.triple[sorted[order[0]]][sorted[order[1]]][sorted[order[2]]] = next_triple;
        ++next_triple;
      }
    }
  return result;
}

}  // namespace

const SymmetricIndices& symmetric_indices() {
  static const SymmetricIndices indices = make_symmetric_indices();
  return indices;
}

ElementTensors::ElementTensors(bool fourth_order)
    : fourth_order_(fourth_order), F_(triples_of_9 * 9 * W), third_(9 * pairs_of_9 * W) {
  for (AlignedArray& array : directions_) array = AlignedArray(triples_of_9 * 9 * W);
  if (fourth_order) fourth_ = AlignedArray(triples_of_9 * 9 * W);
}

// The same F for each of `count` sets of directions, so that a material computes once what does not depend on these.
void ElementTensors::run(const ElasticBody& body, std::size_t block, holo_material_operation operation, std::size_t count,
                         double* output) {
  const holo_batch_function function = body.material->operations[operation];
  if (!function)
    throw Error(Failure::input,
                std::string("the material '") + body.material->name + "' of '" + body.name + "' offers no " +
                    (operation == HOLO_MATERIAL_DIRECTIONAL_HESSIAN ? "directional Hessian" : "fourth-order contraction") +
                    ", which modal derivatives need.");
  holo_batch batch = batch_of(body, block, count, F_.data(), output);
  batch.coefficient_stride = 0;
  batch.direction1 = directions_[0].data();
  batch.direction2 = directions_[1].data();
  batch.direction3 = directions_[2].data();
  function(&batch);
}

void ElementTensors::evaluate(const ElasticBody& body, std::size_t block, const double* F) {
  const auto set_unit = [&](std::size_t which, std::size_t n, std::size_t entry) {
    double* to = directions_[which].data() + n * 9 * W;
    std::fill_n(to, 9 * W, 0.0);
    std::fill_n(to + entry * W, W, 1.0);
  };
  for (std::size_t n = 0; n < (fourth_order_ ? triples_of_9 : 9); ++n) std::copy_n(F, 9 * W, F_.data() + n * 9 * W);
  for (std::size_t a = 0; a < 9; ++a) set_unit(0, a, a);
  run(body, block, HOLO_MATERIAL_DIRECTIONAL_HESSIAN, 9, third_.data());
  if (!fourth_order_) return;
  std::size_t n = 0;
  for (std::size_t a = 0; a < 9; ++a)
    for (std::size_t b = a; b < 9; ++b)
      for (std::size_t c = b; c < 9; ++c, ++n) set_unit(0, n, a), set_unit(1, n, b), set_unit(2, n, c);
  run(body, block, HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION, triples_of_9, fourth_.data());
}

void ElementTensors::contract_third(const double* D, LaneBlock* result) const {
  for (std::size_t k = 0; k < pairs_of_9; ++k) {
    LaneBlock sum(0.0);
    for (std::size_t a = 0; a < 9; ++a)
      sum += LaneBlock::load(third_.data() + (a * pairs_of_9 + k) * W) * LaneBlock::load(D + a * W);
    result[k] = sum;
  }
}

void ElementTensors::contract_fourth(const double* D, LaneBlock* result) const {
  for (std::size_t k = 0; k < triples_of_9; ++k) {
    LaneBlock sum(0.0);
    for (std::size_t d = 0; d < 9; ++d) sum += LaneBlock::load(fourth_.data() + (k * 9 + d) * W) * LaneBlock::load(D + d * W);
    result[k] = sum;
  }
}

void contract_triples(const LaneBlock* T, const double* D, LaneBlock* result) {
  const SymmetricIndices& index = symmetric_indices();
  for (std::size_t b = 0, k = 0; b < 9; ++b)
    for (std::size_t c = b; c < 9; ++c, ++k) {
      LaneBlock sum(0.0);
      for (std::size_t a = 0; a < 9; ++a) sum += T[index.triple[b][c][a]] * LaneBlock::load(D + a * W);
      result[k] = sum;
    }
}

void contract_pairs(const LaneBlock* A, const double* D, LaneBlock* result) {
  const SymmetricIndices& index = symmetric_indices();
  for (std::size_t b = 0; b < 9; ++b) {
    LaneBlock sum(0.0);
    for (std::size_t c = 0; c < 9; ++c) sum += A[index.pair[b][c]] * LaneBlock::load(D + c * W);
    result[b] = sum;
  }
}

}  // namespace holo
