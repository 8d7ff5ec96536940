#pragma once
// Stress and Hessian of all fibers of one block of elements, from moments of their directions at rest. With C = F^T F a fiber
// of the direction d has the squared stretch s = d . C d; where its energy is f(s), the sums over fibers
//
//   A = sum 2 f'(s) d d^T,  Q = sum 4 f''(s) d d d d
//
// of six and fifteen different entries give the stress F A, and the Hessian A on the columns of each row plus F F Q. A fiber
// costs its entries of A and Q alone, where its own Hessian would have 45.

#include "dynamics/muscle/fiber_lanes.h"

namespace holo {

// The number of a product of components 0, 1, 2 of a vector among those of equal degree: by how many are 1 or 2, then by how
// many are 2.
template <class... Component>
constexpr int monomial(Component... component) {
  const int above_0 = (0 + ... + (component > 0)), above_1 = (0 + ... + (component > 1));
  return above_0 * (above_0 + 1) / 2 + above_1;
}

// The products of two and of four components of a direction.
struct DirectionMonomials {
  double pairs[6], quadruples[15];

  explicit DirectionMonomials(const double* d) {
    for (int a = 0; a < 3; ++a)
      for (int b = a; b < 3; ++b) {
        pairs[monomial(a, b)] = d[a] * d[b];
        for (int k = 0; k < 3; ++k)
          for (int l = k; l < 3; ++l) quadruples[monomial(a, b, k, l)] = d[a] * d[b] * d[k] * d[l];
      }
  }
};

// s = d . C d of fibers, from the entries of C, those off the diagonal twice.
class SquaredStretches {
 public:
  HOLO_INLINE explicit SquaredStretches(const double* F) {  // [9][lane]
    constexpr std::size_t W = HOLO_LANE_WIDTH;
    const auto entry = [&](std::size_t i, std::size_t k) { return LaneBlock::load(F + (3 * i + k) * W); };
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t l = k; l < 3; ++l) {
        const LaneBlock sum = entry(0, k) * entry(0, l) + entry(1, k) * entry(1, l) + entry(2, k) * entry(2, l);
        C_[monomial(k, l)] = k == l ? sum : 2 * sum;
      }
  }
  HOLO_INLINE LaneBlock of(const DirectionMonomials& d) const {
    LaneBlock sum = C_[0] * d.pairs[0];
    for (int m = 1; m < 6; ++m) sum += C_[m] * d.pairs[m];
    return sum;
  }

 private:
  LaneBlock C_[6];
};

class FiberMoments {
 public:
  HOLO_INLINE FiberMoments() {
    for (LaneBlock& entry : A_) entry = LaneBlock(0.0);
    for (LaneBlock& entry : Q_) entry = LaneBlock(0.0);
  }
  HOLO_INLINE void add_slope(const DirectionMonomials& d, const LaneBlock& slope) {  // f'(s)
    for (int m = 0; m < 6; ++m) A_[m] += 2 * slope * d.pairs[m];
  }
  HOLO_INLINE void add_curvature(const DirectionMonomials& d, const LaneBlock& curvature) {  // f''(s)
    for (int m = 0; m < 15; ++m) Q_[m] += 4 * curvature * d.quadruples[m];
  }

  // stress [9][lane] += F A
  HOLO_INLINE void add_stress(const double* F, double* stress) const {
    constexpr std::size_t W = HOLO_LANE_WIDTH;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        double* at = stress + (3 * i + k) * W;
        LaneBlock sum = LaneBlock::load(at);
        for (std::size_t j = 0; j < 3; ++j) sum += LaneBlock::load(F + (3 * i + j) * W) * A_[monomial(j, k)];
        sum.store(at);
      }
  }

  // hessian [45][lane], the upper half by rows in the entries 3 i + k of F, += delta_ij A_kl + F_ia F_jb Q_abkl
  HOLO_INLINE void add_hessian(const double* F, double* hessian) const {
    constexpr std::size_t W = HOLO_LANE_WIDTH;
    LaneBlock of_pair[6][3][3];  // [pair of k and l][i][j >= i]
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t l = k; l < 3; ++l) add_rows(F, k, l, of_pair[monomial(k, l)]);
    for (std::size_t p = 0, entry = 0; p < 9; ++p)
      for (std::size_t q = p; q < 9; ++q, ++entry) {
        double* at = hessian + entry * W;
        (LaneBlock::load(at) + of_pair[monomial(p % 3, q % 3)][p / 3][q / 3]).store(at);
      }
  }

 private:
  // F G F^T of the matrix G_ab = Q_abkl, plus A_kl on its diagonal.
  HOLO_INLINE void add_rows(const double* F, std::size_t k, std::size_t l, LaneBlock (&rows)[3][3]) const {
    constexpr std::size_t W = HOLO_LANE_WIDTH;
    for (std::size_t i = 0; i < 3; ++i) {
      LaneBlock product[3];  // row i of F G
      for (std::size_t b = 0; b < 3; ++b)
        product[b] = LaneBlock::load(F + 3 * i * W) * Q_[monomial(std::size_t{0}, b, k, l)] +
                     LaneBlock::load(F + (3 * i + 1) * W) * Q_[monomial(std::size_t{1}, b, k, l)] +
                     LaneBlock::load(F + (3 * i + 2) * W) * Q_[monomial(std::size_t{2}, b, k, l)];
      for (std::size_t j = i; j < 3; ++j) {
        rows[i][j] = product[0] * LaneBlock::load(F + 3 * j * W) + product[1] * LaneBlock::load(F + (3 * j + 1) * W) +
                     product[2] * LaneBlock::load(F + (3 * j + 2) * W);
        if (i == j) rows[i][j] += A_[monomial(k, l)];
      }
    }
  }

  LaneBlock A_[6], Q_[15];
};

}  // namespace holo
