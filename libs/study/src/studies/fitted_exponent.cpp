#include "studies/fitted_exponent.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holo {

double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t count = std::min(x.size(), y.size());
  double mean_x = 0, mean_y = 0, product = 0, square = 0;
  for (std::size_t i = 0; i < count; ++i) {
    mean_x += std::log(x[i]) / double(count);
    mean_y += std::log(y[i]) / double(count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    product += (std::log(x[i]) - mean_x) * (std::log(y[i]) - mean_y);
    square += (std::log(x[i]) - mean_x) * (std::log(x[i]) - mean_x);
  }
  const double slope = product / square;
  return count >= 2 && std::isfinite(slope) ? slope : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace holo
