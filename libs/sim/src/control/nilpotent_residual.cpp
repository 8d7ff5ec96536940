#include "control/nilpotent_residual.h"

#include <algorithm>

#include "design/simplex.h"
#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"

namespace holo {

namespace {

// Writes coefficient `which` of F of one element to its lane.
template <int which>
void write_lane(const Matrix3<DesignScalar>& F, std::size_t lane, double* rows) {
  for (std::size_t k = 0; k < 9; ++k) rows[k * W + lane] = F[int(k)].coefficient(which);
}

// F = sum_a x_a (grad N_a)^T.
Matrix3<DesignScalar> gradient_of(const Simplex<DesignScalar>& at, const DesignPoints& x, const std::array<int, 4>& vertices) {
  Matrix3<DesignScalar> F;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      DesignScalar sum = 0.0;
      for (std::size_t a = 0; a < 4; ++a) sum += x[std::size_t(vertices[a])][i] * at.gradients[a][k];
      F[3 * i + k] = sum;
    }
  return F;
}

double hessian_entry(const double* rows, std::size_t i, std::size_t k, std::size_t lane) {
  const std::size_t low = std::min(i, k), high = std::max(i, k);
  return rows[(low * 9 - low * (low + 1) / 2 + high) * W + lane];
}

// Stresses of one block of elements at F = F_0 + F_1 e_1 + F_2 e_2 + F_12 e_1 e_2: of the first order H : F_i, of the mixed one
// H : F_12 + d3psi[F_1, F_2].
struct BlockStresses {
  alignas(HOLO_BLOCK_ALIGNMENT) double F[4][9 * W];
  alignas(HOLO_BLOCK_ALIGNMENT) double stress[9 * W], hessian[45 * W], mixed[9 * W];

  void compute(const ElasticBody& body) {
    holo_batch batch = batch_of(body, body.first_block, 1, F[0], stress);
    body.material->operations[HOLO_MATERIAL_STRESS](&batch);
    batch.output = hessian;
    body.material->operations[HOLO_MATERIAL_HESSIAN](&batch);
    batch.direction1 = F[1];
    batch.direction2 = F[2];
    batch.output = mixed;
    body.material->operations[HOLO_MATERIAL_THIRD_ORDER_CONTRACTION](&batch);
  }

  double changed(int which, std::size_t i, std::size_t lane) const {
    double sum = 0;
    for (std::size_t k = 0; k < 9; ++k) sum += hessian_entry(hessian, i, k, lane) * F[which][k * W + lane];
    return sum;
  }

  DesignScalar at(std::size_t i, std::size_t lane) const {
    DesignScalar result = stress[i * W + lane];
    result.set_coefficient<1>(changed(1, i, lane));
    result.set_coefficient<2>(changed(2, i, lane));
    result.set_coefficient<3>(changed(3, i, lane) + mixed[i * W + lane]);
    return result;
  }
};

// Adds the forces of one element, whose stresses are in a lane of the block.
void add_forces(const HeavyBody& body, const Simplex<DesignScalar>& at, const BlockStresses& block, std::size_t lane,
                const std::array<int, 4>& vertices, DesignPoints& forces) {
  const DesignScalar quarter_mass = body.density / 4 * at.volume;
  for (int i = 0; i < 3; ++i) {
    const DesignScalar row[3] = {block.at(std::size_t(3 * i), lane), block.at(std::size_t(3 * i + 1), lane),
                                 block.at(std::size_t(3 * i + 2), lane)};
    for (std::size_t a = 0; a < 4; ++a) {
      const Vector3<DesignScalar>& g = at.gradients[a];
      forces[std::size_t(vertices[a])][i] +=
          at.volume * (row[0] * g[0] + row[1] * g[1] + row[2] * g[2]) - quarter_mass * body.gravity[i];
    }
  }
}

}  // namespace

DesignPoints nilpotent_residual(const HeavyBody& body, const std::vector<std::array<int, 4>>& tetrahedra, const DesignPoints& X,
                                const DesignPoints& x) {
  DesignPoints result(X.size());
  BlockStresses block;
  std::array<Simplex<DesignScalar>, W> simplices;
  for (std::size_t begin = 0; begin < tetrahedra.size(); begin += W) {
    const std::size_t count = std::min(W, tetrahedra.size() - begin);
    for (std::size_t lane = 0; lane < W; ++lane) {
      // The last block is filled up with its last element.
      const std::array<int, 4>& vertices = tetrahedra[begin + std::min(lane, count - 1)];
      simplices[lane] = simplex_of(X, vertices);
      const Matrix3<DesignScalar> F = gradient_of(simplices[lane], x, vertices);
      write_lane<0>(F, lane, block.F[0]);
      write_lane<1>(F, lane, block.F[1]);
      write_lane<2>(F, lane, block.F[2]);
      write_lane<3>(F, lane, block.F[3]);
    }
    block.compute(body.body);
    for (std::size_t lane = 0; lane < count; ++lane)
      add_forces(body, simplices[lane], block, lane, tetrahedra[begin + lane], result);
  }
  return result;
}

}  // namespace holo
