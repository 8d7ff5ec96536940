#pragma once
// Third and fourth derivatives of the energy densities of a block of elements in F, in full, by the material's contractions
// along unit directions; contracted with many directions afterwards. Symmetric tensors have an entry for each ascending tuple
// of the nine entries of F: 165 triples, 45 pairs.

#include <array>
#include <cstddef>

#include "holo/core/numerics/aligned_array.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

inline constexpr std::size_t triples_of_9 = 165, pairs_of_9 = 45;

// Numbers of the ascending pairs and triples of 0 ... 8 in lexicographic order, for indices in any order.
struct SymmetricIndices {
  std::array<std::array<int, 9>, 9> pair;
  std::array<std::array<std::array<int, 9>, 9>, 9> triple;
};
const SymmetricIndices& symmetric_indices();

// Scratch of one thread.
class ElementTensors {
 public:
  explicit ElementTensors(bool fourth_order);

  // Of the elements of one block at F [9][lane]. Throws Error(input) for a material without these operations.
  void evaluate(const ElasticBody& body, std::size_t block, const double* F);

  // result [45] = T3[D], D [9][lane].
  void contract_third(const double* D, LaneBlock* result) const;
  // result [165] = T4[D].
  void contract_fourth(const double* D, LaneBlock* result) const;

 private:
  void run(const ElasticBody& body, std::size_t block, holo_material_operation operation, std::size_t count, double* output);

  bool fourth_order_;
  AlignedArray F_, directions_[3];  // [triple][9][lane]
  AlignedArray third_;              // [entry of F][45][lane]
  AlignedArray fourth_;             // [triple][9][lane]
};

// result [45] = T[D] of a symmetric tensor of third order [165], and result [9] = A D of a symmetric matrix [45].
void contract_triples(const LaneBlock* T, const double* D, LaneBlock* result);
void contract_pairs(const LaneBlock* A, const double* D, LaneBlock* result);

}  // namespace holo
