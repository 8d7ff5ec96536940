#include "dense/dense_box.h"

#include <algorithm>
#include <cmath>

namespace holo {

double DenseBox::projected_gradient(const Eigen::VectorXd& x, const Eigen::VectorXd& gradient) const {
  return x.size() == 0 ? 0.0 : (x - project(x - gradient)).lpNorm<Eigen::Infinity>();
}

void DenseBox::find_free(const Eigen::VectorXd& x, const Eigen::VectorXd& gradient, std::vector<int>& free) const {
  constexpr double nearest = 1e-3;
  const double near = std::min(nearest, projected_gradient(x, gradient));
  free.clear();
  for (int i = 0; i < int(x.size()); ++i) {
    const double g = gradient[i];
    const bool rests = (g > 0 && x[i] <= lower[i] + near) || (g < 0 && x[i] >= upper[i] - near);
    if (!rests) free.push_back(i);
  }
}

}  // namespace holo
