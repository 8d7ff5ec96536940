#include "holo/sim/contact/pairs/edge_mollifier.h"

#include "contact/pairs/pair_functions.h"

namespace holo {

double parallel_threshold(const PairVector& rest) {
  return 1e-3 * (rest.segment<3>(3) - rest.segment<3>(0)).squaredNorm() *
         (rest.segment<3>(9) - rest.segment<3>(6)).squaredNorm();
}

double parallel_threshold(double first_length, double second_length) {
  return 1e-3 * first_length * first_length * second_length * second_length;
}

double edge_mollifier(double threshold, const PairVector& x) {
  return pairs::is_mollified(threshold, x.data()) ? pairs::mollifier_of(threshold, x.data()) : 1;
}

PairGradient edge_mollifier_gradient(double threshold, const PairVector& x) {
  if (!pairs::is_mollified(threshold, x.data())) return {1, PairVector::Zero()};
  return pairs::result_of(pairs::mollifier_first_order(threshold, x.data()));
}

PairHessian edge_mollifier_hessian(double threshold, const PairVector& x) {
  if (!pairs::is_mollified(threshold, x.data())) return {1, PairVector::Zero(), PairMatrix::Zero()};
  return pairs::result_of(pairs::mollifier_second_order(threshold, x.data()));
}

PairMatrix edge_mollifier_directional_hessian(double threshold, const PairVector& x, const PairVector& y) {
  if (!pairs::is_mollified(threshold, x.data())) return PairMatrix::Zero();
  return pairs::directional_hessian_of(pairs::mollifier_second_order(threshold, pairs::along(x, y).data()));
}

}  // namespace holo
