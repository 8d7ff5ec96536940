#include "holo/sim/reduction/linear_modes.h"

#include <algorithm>
#include <string>

#include "holo/core/error.h"
#include "reduction/flexibility_pairs.h"
#include "reduction/signs.h"

namespace holo {
namespace {

constexpr Eigen::Index always_dense = 200;  // degrees of freedom up to which a dense eigensolver takes no time

}  // namespace

LinearModes linear_modes(const ModalSystem& system, int count) {
  if (count < 1 || count > system.degrees_of_freedom())
    throw Error(Failure::input, std::to_string(count) + " modes are wanted; the model has 1 to " +
                                    std::to_string(system.degrees_of_freedom()) + ", as many as degrees of freedom.");
  const bool dense = system.degrees_of_freedom() <= std::max<Eigen::Index>(always_dense, 4 * count);
  FlexibilityPairs pairs = dense ? dense_pairs(system, count) : largest_pairs(system, {}, count);
  if (!dense) add_missed_pairs(system, pairs);
  LinearModes modes;
  modes.solves = pairs.solves;
  modes.frequencies = pairs.values.cwiseInverse().cwiseSqrt();
  modes.residuals.resize(count);
  modes.shapes = system.masses().cwiseSqrt().cwiseInverse().asDiagonal() * pairs.vectors;
  for (Eigen::Index i = 0; i < count; ++i) {
    auto shape = modes.shapes.col(i);
    for (Eigen::Index k = 0; k < shape.size(); ++k)
      if (system.is_prescribed(k)) shape[k] = 0;
    shape /= std::sqrt(shape.dot(system.masses().cwiseProduct(shape)));
    choose_sign(shape);
    const double square = modes.frequencies[i] * modes.frequencies[i];
    const Eigen::VectorXd force = system.stiffness_times(shape) - square * system.masses().cwiseProduct(shape);
    modes.residuals[i] = std::sqrt(force.cwiseAbs2().cwiseQuotient(system.masses()).sum()) / square;
  }
  return modes;
}

}  // namespace holo
