#include "dynamics/muscle/lagged_muscle_force.h"

#include <fmt/format.h>

#include <algorithm>

#include "elastic/element/element_pass.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/tensor/nilpotent_matrix.h"
#include "holo/diff/tensor/polar_decomposition.h"
#include "holo/diff/tensor/tensor_error.h"

namespace holo {
namespace {

// (R d)(R d)^T cof F.
template <class S>
Matrix3<S> unit_muscle_stress(const Matrix3<S>& F, const double* direction) {
  const Matrix3<S> R = from_series<S, 3, 3>(polar_decomposition(to_series(F)).R);
  const Vector3<S> d = R * Vector3<S>{S(direction[0]), S(direction[1]), S(direction[2])};
  return outer(d, d) * cofactor(F);
}

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

void LaggedMuscleForce::update_lag(const ElasticModel& model, const Eigen::VectorXd& x) {
  using S = Nilpotent<1>;
  for (const ElasticBody& body : model.bodies()) {
    if (!acts_on(body)) continue;
    deformation_gradients(model, x.data(), body.first_block, body.block_count,
                          lagged_gradients_.data() + body.first_block * 9 * W);
    each_fiber({body, body.first_block, body.block_count}, [&](std::size_t n, std::size_t i) {
      const std::size_t block = body.first_block + n;
      for (std::size_t lane = 0; lane < W; ++lane) {
        if (weights(i)[lane] == 0) continue;  // its stress stays 0
        try {
          const Matrix3<S> P =
              unit_muscle_stress(muscle_gradient<S>(lagged_gradients_.data() + block * 9 * W, lane), fibers()[i].direction);
          for (int k = 0; k < 9; ++k)
            stresses_[(i * 9 + static_cast<std::size_t>(k)) * W + lane] = weights(i)[lane] * P(k / 3, k % 3).value();
        } catch (const TensorError& error) {
          throw Error(Failure::input,
                      fmt::format("element {} of body '{}' has no rotation, which the law paper of its muscles "
                                  "needs: {}. The law fiber needs none.",
                                  model.packed_elements()[block * W + lane] - body.first_element, body.name, error.what()));
        }
      }
    });
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
  for (const ElasticBody& body : model.bodies()) {
    if (!acts_on(body)) continue;
    each_fiber({body, body.first_block, body.block_count}, [&](std::size_t n, std::size_t i) {
      const std::size_t block = body.first_block + n;
      deformation_gradients(model, positions, block, 1, dF);
      std::fill_n(lag + i * 9 * W, 9 * W, 0.0);
      for (std::size_t lane = 0; lane < W; ++lane) {
        if (weights(i)[lane] == 0) continue;
        Matrix3<S> F = muscle_gradient<S>(lagged_gradients_.data() + block * 9 * W, lane);
        seed_gradient<1>(dF, lane, F);
        const Matrix3<S> P = unit_muscle_stress(F, fibers()[i].direction);
        for (int k = 0; k < 9; ++k)
          lag[(i * 9 + static_cast<std::size_t>(k)) * W + lane] = weights(i)[lane] * P(k / 3, k % 3).derivative();
      }
    });
  }
}

// The stress is linear in the lag: a V dF_y : d2P[i, j].
void LaggedMuscleForce::add_lag_curvature(const ElasticModel& model, const ElementBlocks& block, const double* dF_y,
                                          const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                          const std::vector<CoefficientDirections>&, Eigen::MatrixXd& result) const {
  using S = Nilpotent<2>;
  const Eigen::Index columns = positions.cols();
  const double* volumes = model.volumes().data() + block.first_block * W;
  AlignedArray dF(static_cast<std::size_t>(columns) * 9 * W);
  const auto direction = [&](Eigen::Index i) { return dF.data() + static_cast<std::size_t>(i) * 9 * W; };
  for (Eigen::Index i = 0; i < columns; ++i)
    deformation_gradients(model, positions.col(i).data(), block.first_block, 1, direction(i));
  each_fiber(block, [&](std::size_t, std::size_t fiber) {
    for (std::size_t lane = 0; lane < W; ++lane) {
      const double factor = activation(fibers()[fiber]) * weights(fiber)[lane] * volumes[lane];
      for (Eigen::Index i = 0; i < columns && factor != 0; ++i)
        for (Eigen::Index j = 0; j <= i; ++j) {
          Matrix3<S> F = muscle_gradient<S>(lagged_gradients_.data() + block.first_block * 9 * W, lane);
          seed_gradient<1>(direction(i), lane, F);
          seed_gradient<2>(direction(j), lane, F);
          const Matrix3<S> P = unit_muscle_stress(F, fibers()[fiber].direction);
          double product = 0;
          for (int k = 0; k < 9; ++k) product += dF_y[static_cast<std::size_t>(k) * W + lane] * P(k / 3, k % 3).derivative();
          result(i, j) += factor * product;
          if (i != j) result(j, i) += factor * product;
        }
    }
  });
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
