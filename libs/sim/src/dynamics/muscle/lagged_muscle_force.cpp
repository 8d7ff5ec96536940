#include "dynamics/muscle/lagged_muscle_force.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "elastic/element/element_pass.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/tensor/nilpotent_matrix.h"
#include "holo/diff/tensor/polar_decomposition.h"
#include "holo/diff/tensor/tensor_error.h"

namespace holo {
namespace {

// Rotation and cofactor of one element, which all of its fibers share.
template <class S>
struct RotatedElement {
  Matrix3<S> R, cofactor_of_F;

  explicit RotatedElement(const Matrix3<S>& F)
      : R(from_series<S, 3, 3>(polar_decomposition(to_series(F)).R)), cofactor_of_F(cofactor(F)) {}
  // (R d)(R d)^T cof F.
  Matrix3<S> unit_stress(const double* direction) const {
    const Vector3<S> d = R * Vector3<S>{S(direction[0]), S(direction[1]), S(direction[2])};
    return outer(d, d) * cofactor_of_F;
  }
};

// F of one lane of a block [9][lane], as S(value).
template <class S>
Matrix3<S> muscle_gradient(const double* F, std::size_t lane) {
  Matrix3<S> result{};
  for (int i = 0; i < 9; ++i) result(i / 3, i % 3) = S(F[static_cast<std::size_t>(i) * HOLO_LANE_WIDTH + lane]);
  return result;
}

template <int direction, class S>
void seed_gradient(const double* dF, std::size_t lane, Matrix3<S>& F) {
  for (int i = 0; i < 9; ++i)
    F(i / 3, i % 3).template set_coefficient<direction>(dF[static_cast<std::size_t>(i) * HOLO_LANE_WIDTH + lane]);
}

}  // namespace

LaggedMuscleForce::LaggedMuscleForce(std::shared_ptr<const ElasticModel> model)
    : MuscleEnergy(std::move(model), has_no_energy),
      lagged_gradients_(this->model().block_count() * 9 * W),
      stresses_(fibers().size() * 9 * W) {}

// visit(lane, fiber) of the fibers that reach a lane of a block, after reach(lane) once for each lane that has any.
template <class Reach, class Visit>
void LaggedMuscleForce::each_lane(const ElementBlocks& block, const Reach& reach, const Visit& visit) const {
  each_block(block, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t lane = 0; lane < W; ++lane) {
      bool reached = false;
      for (std::size_t i = begin; i < end; ++i) {
        if (weights(i)[lane] == 0) continue;  // its stress stays 0
        if (!reached) reach(lane);
        reached = true;
        visit(lane, i);
      }
    }
  });
}

void LaggedMuscleForce::update_lag(const ElasticModel& model, const Eigen::VectorXd& x) {
  using S = Nilpotent<1>;
  std::optional<RotatedElement<S>> element;
  for (const ElasticBody& body : model.bodies()) {
    if (!acts_on(body)) continue;
    deformation_gradients(model, x.data(), body.first_block, body.block_count,
                          lagged_gradients_.data() + body.first_block * 9 * W);
    for (std::size_t block = body.first_block; block < body.first_block + body.block_count; ++block) {
      const auto rotate = [&](std::size_t lane) {
        try {
          element.emplace(muscle_gradient<S>(lagged_gradients_.data() + block * 9 * W, lane));
        } catch (const TensorError& error) {
          throw Error(Failure::input,
                      fmt::format("element {} of body '{}' has no rotation, which the law paper of its muscles "
                                  "needs: {}. The law fiber needs none.",
                                  model.packed_elements()[block * W + lane] - body.first_element, body.name, error.what()));
        }
      };
      each_lane({body, block, 1}, rotate, [&](std::size_t lane, std::size_t i) {
        const Matrix3<S> P = element->unit_stress(fibers()[i].direction);
        for (int k = 0; k < 9; ++k)
          stresses_[(i * 9 + static_cast<std::size_t>(k)) * W + lane] = weights(i)[lane] * P(k / 3, k % 3).value();
      });
    }
  }
}

double LaggedMuscleForce::energy(const ElementBlocks& blocks) const {
  LaneBlock total(0.0);
  each_fiber(blocks, [&](std::size_t n, std::size_t i) {
    LaneBlock work(0.0);
    for (std::size_t k = 0; k < 9; ++k)
      work += LaneBlock::load(stresses_.data() + (i * 9 + k) * W) * LaneBlock::load(blocks.F + (n * 9 + k) * W);
    total += LaneBlock::load(model().volumes().data() + (blocks.first_block + n) * W) * activation(fibers()[i]) * work;
  });
  return sum(total);
}

void LaggedMuscleForce::add_stress_of(const ElementBlocks& blocks, const double* activations, const double* stresses,
                                      double* stress) const {
  each_fiber(blocks, [&](std::size_t n, std::size_t i) {
    const double a = activations[fibers()[i].segment];
    if (a == 0) return;
    for (std::size_t k = 0; k < 9 * W; ++k) stress[n * 9 * W + k] += a * stresses[i * 9 * W + k];
  });
}

void LaggedMuscleForce::add_stress(const ElementBlocks& blocks, double* stress) const {
  add_stress_of(blocks, activations(), stresses_.data(), stress);
}

void LaggedMuscleForce::add_parameter_stress(const ElementBlocks& blocks, const double* direction, double* stress) const {
  add_stress_of(blocks, direction, stresses_.data(), stress);
}

void LaggedMuscleForce::add_lag_stress(const ElementBlocks& blocks, const double* lag, double* stress) const {
  add_stress_of(blocks, activations(), lag, stress);
}

void LaggedMuscleForce::lag_derivative(const ElasticModel& model, const double* positions, const CoefficientDirections&,
                                       double* lag) const {
  using S = Nilpotent<1>;
  alignas(HOLO_BLOCK_ALIGNMENT) double dF[9 * W];
  std::optional<RotatedElement<S>> element;
  std::fill_n(lag, stresses_.size(), 0.0);
  for (const ElasticBody& body : model.bodies()) {
    if (!acts_on(body)) continue;
    for (std::size_t block = body.first_block; block < body.first_block + body.block_count; ++block) {
      deformation_gradients(model, positions, block, 1, dF);
      const auto rotate = [&](std::size_t lane) {
        Matrix3<S> F = muscle_gradient<S>(lagged_gradients_.data() + block * 9 * W, lane);
        seed_gradient<1>(dF, lane, F);
        element.emplace(F);
      };
      each_lane({body, block, 1}, rotate, [&](std::size_t lane, std::size_t i) {
        const Matrix3<S> P = element->unit_stress(fibers()[i].direction);
        for (int k = 0; k < 9; ++k)
          lag[(i * 9 + static_cast<std::size_t>(k)) * W + lane] = weights(i)[lane] * P(k / 3, k % 3).derivative();
      });
    }
  }
}

// The stress is linear in the lag: V dF_y : d2P[i, j] with P = R A R^T cof F, where A is the sum of a w d d^T over the fibers.
void LaggedMuscleForce::add_lag_curvature(const ElasticModel& model, const ElementBlocks& block, const double* dF_y,
                                          const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                          const std::vector<CoefficientDirections>&, Eigen::MatrixXd& result) const {
  using S = Nilpotent<2>;
  const Eigen::Index columns = positions.cols();
  AlignedArray dF(static_cast<std::size_t>(columns) * 9 * W);
  const auto direction = [&](Eigen::Index i) { return dF.data() + static_cast<std::size_t>(i) * 9 * W; };
  for (Eigen::Index i = 0; i < columns; ++i)
    deformation_gradients(model, positions.col(i).data(), block.first_block, 1, direction(i));
  Matrix3<S> A[W] = {};
  bool pulled[W] = {};
  each_lane(
      block, [](std::size_t) {},
      [&](std::size_t lane, std::size_t i) {
        const double *d = fibers()[i].direction, factor = activation(fibers()[i]) * weights(i)[lane];
        pulled[lane] |= factor != 0;
        for (int k = 0; k < 9; ++k) A[lane](k / 3, k % 3) = A[lane](k / 3, k % 3) + factor * d[k / 3] * d[k % 3];
      });
  for (std::size_t lane = 0; lane < W; ++lane)
    for (Eigen::Index i = 0; pulled[lane] && i < columns; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) {
        Matrix3<S> F = muscle_gradient<S>(lagged_gradients_.data() + block.first_block * 9 * W, lane);
        seed_gradient<1>(direction(i), lane, F);
        seed_gradient<2>(direction(j), lane, F);
        const RotatedElement<S> element(F);
        const Matrix3<S> P = element.R * A[lane] * transpose(element.R) * element.cofactor_of_F;
        double product = 0;
        for (int k = 0; k < 9; ++k) product += dF_y[static_cast<std::size_t>(k) * W + lane] * P(k / 3, k % 3).derivative();
        product *= model.volumes()[block.first_block * W + lane];
        result(i, j) += product;
        if (i != j) result(j, i) += product;
      }
}

// y . d2r[i, j] where a change of an activation meets one of the lag.
void LaggedMuscleForce::add_mixed_products(const ElementBlocks& block, const double* dF_y, const ElementDirections& directions,
                                           Eigen::MatrixXd& result) const {
  if (directions.lag.rows() == 0) return;
  const double* volumes = model().volumes().data() + block.first_block * W;
  each_fiber(block, [&](std::size_t, std::size_t fiber) {
    Eigen::Matrix<double, 9 * Eigen::Index(W), 1> of_y;
    for (std::size_t k = 0; k < 9 * W; ++k) of_y[static_cast<Eigen::Index>(k)] = volumes[k % W] * dF_y[k];
    const Eigen::RowVectorXd change = directions.parameters.row(fibers()[fiber].segment);
    const Eigen::RowVectorXd along =
        of_y.transpose() * directions.lag.middleRows(static_cast<Eigen::Index>(fiber * 9 * W), 9 * Eigen::Index(W));
    const Eigen::MatrixXd product = change.transpose() * along;
    result += product + product.transpose();
  });
}

}  // namespace holo
