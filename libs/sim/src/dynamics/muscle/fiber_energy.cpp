#include "dynamics/muscle/fiber_energy.h"

#include "dynamics/muscle/fiber_lanes.h"

namespace holo {

double FiberEnergy::energy(const ElementBlocks& blocks) const {
  LaneBlock total(0.0);
  with_law(blocks.body.muscles->law, [&](const auto& law) {
    each_fiber(blocks, [&](std::size_t n, std::size_t i) {
      const Fiber& fiber = fibers()[i];
      const LaneVector v = times(blocks.F + n * 9 * W, fiber.direction);
      total += LaneBlock::load(model().volumes().data() + (blocks.first_block + n) * W) * activation(fiber) *
               LaneBlock::load(weights(i)) * law(dot(v, v));
    });
  });
  return sum(total);
}

void FiberEnergy::add_stress(const ElementBlocks& blocks, double* stress) const {
  add_stress_of(blocks, activations(), stress);
}

void FiberEnergy::add_parameter_stress(const ElementBlocks& blocks, const double* direction, double* stress) const {
  add_stress_of(blocks, direction, stress);
}

// With s = |F d|^2 and psi = f(s): P = 2 f' (F d) d^T.
void FiberEnergy::add_stress_of(const ElementBlocks& blocks, const double* activations, double* stress) const {
  with_law(blocks.body.muscles->law, [&](const auto& law) {
    each_fiber(blocks, [&](std::size_t n, std::size_t i) {
      const Fiber& fiber = fibers()[i];
      const double a = activations[fiber.segment];
      if (a == 0) return;
      const LaneVector v = times(blocks.F + n * 9 * W, fiber.direction);
      const auto f = law(Taylor<1, LaneBlock>::variable(dot(v, v)));
      const LaneBlock factor = 2 * a * LaneBlock::load(weights(i)) * f.derivative(1);
      add_outer_product(scaled(factor, v), fiber.direction, stress + n * 9 * W);
    });
  });
}

// 2 f' I + 4 f'' (F d)(F d)^T on the rows, times d d^T on the columns.
void FiberEnergy::add_hessian(const ElementBlocks& blocks, double* hessian) const {
  with_law(blocks.body.muscles->law, [&](const auto& law) {
    each_fiber(blocks, [&](std::size_t n, std::size_t i) {
      const Fiber& fiber = fibers()[i];
      const double a = activation(fiber);
      if (a == 0) return;
      const LaneVector v = times(blocks.F + n * 9 * W, fiber.direction);
      const auto f = law(Taylor<2, LaneBlock>::variable(dot(v, v)));
      const LaneBlock factor = 2 * a * LaneBlock::load(weights(i));
      LaneSymmetric rows = identity_times(factor * f.derivative(1));
      add_square(2 * factor * f.derivative(2), v, rows);
      add_on_columns(rows, fiber.direction, hessian + n * 45 * W);
    });
  });
}

// The derivative along dF, with u = dF d and c = u . F d: 4 f'' (c I + u v^T + v u^T) + 8 f''' c v v^T on the rows.
void FiberEnergy::add_directional_hessian(const ElementBlocks& blocks, const double* dF, double* hessian) const {
  with_law(blocks.body.muscles->law, [&](const auto& law) {
    each_fiber(blocks, [&](std::size_t n, std::size_t i) {
      const Fiber& fiber = fibers()[i];
      const double a = activation(fiber);
      if (a == 0) return;
      const LaneVector v = times(blocks.F + n * 9 * W, fiber.direction), u = times(dF + n * 9 * W, fiber.direction);
      const auto f = law(Taylor<3, LaneBlock>::variable(dot(v, v)));
      const LaneBlock factor = 4 * a * LaneBlock::load(weights(i)), c = dot(u, v);
      LaneSymmetric rows = identity_times(factor * f.derivative(2) * c);
      add_mixed_square(factor * f.derivative(2), u, v, rows);
      add_square(2 * factor * f.derivative(3) * c, v, rows);
      add_on_columns(rows, fiber.direction, hessian + n * 45 * W);
    });
  });
}

// The residual is linear in the activations: y . d2P[i, j] mixes each change of one with a change of F.
void FiberEnergy::add_mixed_products(const ElementBlocks& block, const double* dF_y, const ElementDirections& directions,
                                     Eigen::MatrixXd& result) const {
  const LaneBlock volume = LaneBlock::load(model().volumes().data() + block.first_block * W);
  Eigen::RowVectorXd along(directions.count);
  with_law(block.body.muscles->law, [&](const auto& law) {
    each_fiber(block, [&](std::size_t, std::size_t i) {
      const Fiber& fiber = fibers()[i];
      const auto change = directions.parameters.row(fiber.segment);
      if (change.isZero(0)) return;
      const LaneVector v = times(block.F, fiber.direction), u = times(dF_y, fiber.direction);
      const auto f = law(Taylor<2, LaneBlock>::variable(dot(v, v)));
      // The derivative of the stress along dF_y for activation 1, with its volume: 2 f' u + 4 f'' (u . v) v on the rows.
      const LaneBlock factor = 2 * volume * LaneBlock::load(weights(i)), across = factor * f.derivative(1),
                      lengthwise = 2 * factor * f.derivative(2) * dot(u, v);
      const LaneVector force = {across * u[0] + lengthwise * v[0], across * u[1] + lengthwise * v[1],
                                across * u[2] + lengthwise * v[2]};
      for (Eigen::Index j = 0; j < directions.count; ++j)
        along[j] = sum(dot(force, times(directions.deformation + static_cast<std::size_t>(j) * 9 * W, fiber.direction)));
      for (Eigen::Index k = 0; k < directions.count; ++k)
        if (change[k] != 0) {
          result.row(k) += change[k] * along;
          result.col(k) += change[k] * along.transpose();
        }
    });
  });
}

}  // namespace holo
