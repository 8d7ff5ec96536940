#include "reduction/nonnegative_least_squares.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <vector>

namespace holo {
namespace {

// The minimum over the free entries, the others 0.
Eigen::VectorXd free_minimum(const Eigen::MatrixXd& G, const Eigen::VectorXd& h, const std::vector<Eigen::Index>& free) {
  Eigen::VectorXd w = Eigen::VectorXd::Zero(h.size());
  if (free.empty()) return w;
  const Eigen::MatrixXd matrix = G(free, free);
  const Eigen::VectorXd right = h(free);
  w(free) = matrix.ldlt().solve(right).eval();
  return w;
}

// From w >= 0 toward the minimum over the free entries; entries that reach 0 on the way are no longer free.
void settle(const Eigen::MatrixXd& G, const Eigen::VectorXd& h, std::vector<Eigen::Index>& free, Eigen::VectorXd& w) {
  while (!free.empty()) {
    const Eigen::VectorXd target = free_minimum(G, h, free);
    double step = 1;
    for (const Eigen::Index k : free)
      if (target[k] <= 0) step = std::min(step, w[k] / (w[k] - target[k]));
    if (step == 1) {
      w = target;
      return;
    }
    w += step * (target - w);
    const double least = 1e-14 * w.maxCoeff();
    std::erase_if(free, [&](Eigen::Index k) { return target[k] <= 0 && w[k] <= least; });
    Eigen::VectorXd kept = Eigen::VectorXd::Zero(w.size());
    for (const Eigen::Index k : free) kept[k] = std::max(w[k], 0.0);
    w = kept;
  }
  w.setZero();
}

}  // namespace

Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& G, const Eigen::VectorXd& h, const Eigen::VectorXd& start) {
  Eigen::VectorXd w = start.cwiseMax(0.0);
  std::vector<Eigen::Index> free;
  for (Eigen::Index k = 0; k < w.size(); ++k)
    if (w[k] > 0) free.push_back(k);
  settle(G, h, free, w);
  for (Eigen::Index tries = 0; tries < 3 * h.size(); ++tries) {
    const Eigen::VectorXd descent = h - G * w;  // minus half of the gradient
    Eigen::Index best = -1;
    for (Eigen::Index k = 0; k < h.size(); ++k)
      if (std::find(free.begin(), free.end(), k) == free.end() && descent[k] > 1e-12 * h.cwiseAbs().maxCoeff() &&
          (best < 0 || descent[k] > descent[best]))
        best = k;
    if (best < 0) break;
    free.insert(std::upper_bound(free.begin(), free.end(), best), best);
    settle(G, h, free, w);
  }
  return w;
}

}  // namespace holo
