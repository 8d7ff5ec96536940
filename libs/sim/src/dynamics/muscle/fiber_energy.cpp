#include "dynamics/muscle/fiber_energy.h"

#include "dynamics/muscle/fiber_lanes.h"

namespace holo {

FiberEnergy::FiberEnergy(std::shared_ptr<const ElasticModel> model) : MuscleEnergy(std::move(model), has_energy) {
  constexpr double none[3] = {};
  monomials_.assign(static_cast<std::size_t>(parameter_count()), DirectionMonomials(none));
  for (const Fiber& fiber : fibers()) monomials_[static_cast<std::size_t>(fiber.segment)] = DirectionMonomials(fiber.direction);
}

double FiberEnergy::energy(const ElementBlocks& blocks) const {
  LaneBlock total(0.0);
  with_law(blocks.body.muscles->law, [&](const auto& law) {
    each_block(blocks, [&](std::size_t n, std::size_t begin, std::size_t end) {
      const SquaredStretches stretches(blocks.F + n * 9 * W);
      LaneBlock density(0.0);
      for (std::size_t i = begin; i < end; ++i) {
        const auto segment = static_cast<std::size_t>(fibers()[i].segment);
        density += activations()[segment] * LaneBlock::load(weights(i)) * law(stretches.of(monomials_[segment]));
      }
      total += LaneBlock::load(model().volumes().data() + (blocks.first_block + n) * W) * density;
    });
  });
  return sum(total);
}

template <bool curvatures, class Visit>
void FiberEnergy::each_moments(const ElementBlocks& blocks, const Visit& visit) const {
  with_law(blocks.body.muscles->law, [&](const auto& law) {
    each_block(blocks, [&](std::size_t n, std::size_t begin, std::size_t end) {
      const SquaredStretches stretches(blocks.F + n * 9 * W);
      FiberMoments moments;
      for (std::size_t i = begin; i < end; ++i) {
        const auto segment = static_cast<std::size_t>(fibers()[i].segment);
        const double a = activations()[segment];
        if (a == 0) continue;
        const DirectionMonomials& d = monomials_[segment];
        const auto f = law(Taylor < curvatures ? 2 : 1, LaneBlock > ::variable(stretches.of(d)));
        const LaneBlock factor = a * LaneBlock::load(weights(i));
        moments.add_slope(d, factor * f.derivative(1));
        if constexpr (curvatures) moments.add_curvature(d, factor * f.derivative(2));
      }
      visit(n, moments);
    });
  });
}

void FiberEnergy::add_stress(const ElementBlocks& blocks, double* stress) const {
  each_moments<false>(blocks, [&](std::size_t n, const FiberMoments& moments) {
    moments.add_stress(blocks.F + n * 9 * W, stress + n * 9 * W);
  });
}

void FiberEnergy::add_hessian(const ElementBlocks& blocks, double* hessian) const {
  each_moments<true>(blocks, [&](std::size_t n, const FiberMoments& moments) {
    moments.add_hessian(blocks.F + n * 9 * W, hessian + n * 45 * W);
  });
}

// With s = |F d|^2 and psi = f(s): P = 2 f' (F d) d^T.
void FiberEnergy::add_parameter_stress(const ElementBlocks& blocks, const double* direction, double* stress) const {
  with_law(blocks.body.muscles->law, [&](const auto& law) {
    each_fiber(blocks, [&](std::size_t n, std::size_t i) {
      const Fiber& fiber = fibers()[i];
      const double a = direction[fiber.segment];
      if (a == 0) return;
      const LaneVector v = times(blocks.F + n * 9 * W, fiber.direction);
      const auto f = law(Taylor<1, LaneBlock>::variable(dot(v, v)));
      const LaneBlock factor = 2 * a * LaneBlock::load(weights(i)) * f.derivative(1);
      add_outer_product(scaled(factor, v), fiber.direction, stress + n * 9 * W);
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
