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

// The derivative of the stress along dF, with u = dF d: 2 f' u + 4 f'' (u . F d) F d on the rows.
void FiberEnergy::add_parameter_stress_change(const ElementBlocks& blocks, const double* dF, const double* direction,
                                              double* stress) const {
  with_law(blocks.body.muscles->law, [&](const auto& law) {
    each_fiber(blocks, [&](std::size_t n, std::size_t i) {
      const Fiber& fiber = fibers()[i];
      const double a = direction[fiber.segment];
      if (a == 0) return;
      const LaneVector v = times(blocks.F + n * 9 * W, fiber.direction), u = times(dF + n * 9 * W, fiber.direction);
      const auto f = law(Taylor<2, LaneBlock>::variable(dot(v, v)));
      const LaneBlock factor = 2 * a * LaneBlock::load(weights(i));
      add_outer_product(scaled(factor * f.derivative(1), u), fiber.direction, stress + n * 9 * W);
      add_outer_product(scaled(2 * factor * f.derivative(2) * dot(u, v), v), fiber.direction, stress + n * 9 * W);
    });
  });
}

}  // namespace holo
