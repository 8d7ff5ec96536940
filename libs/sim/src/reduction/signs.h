#pragma once
// Signs of modes and basis columns.

#include <Eigen/Core>
#include <cmath>

namespace holo {

// Turns a column so that its first entry of at least half of the largest size is positive: that of rounding errors among equal
// entries does not decide.
inline void choose_sign(Eigen::Ref<Eigen::VectorXd> column) {
  const double size = column.cwiseAbs().maxCoeff();
  for (const double entry : column)
    if (std::abs(entry) >= 0.5 * size) {
      if (entry < 0) column = -column;
      return;
    }
}

}  // namespace holo
