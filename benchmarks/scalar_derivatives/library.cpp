// By the scalars of holo/diff: the formula is written once.
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/scalars/taylor.h"
#include "kernels.h"

namespace holo::benchmark {
namespace {

constexpr auto formula = [](const auto& x) HOLO_INLINE_LAMBDA {
  const auto q = x * x;
  return exp(x) / (q * q + q + 1);
};
// The author names one scalar for all intermediate results.
template <class S>
HOLO_INLINE S formula_in_one_scalar(const S& x) {
  const S q = x * x;
  return exp(x) / (q * q + q + 1);
}

template <int n>
double by_taylor_variable(double x) {
  return taylor<n>(formula, x).derivative(n);
}
template <int n>
double by_taylor(double x) {
  return formula_in_one_scalar<Taylor<n>>(Taylor<n>::variable(x)).derivative(n);
}
template <int n>
double by_nilpotent(double x) {
  double ones[n];
  for (double& one : ones) one = 1;
  return formula(Nilpotent<n>::seed(x, ones)).derivative();
}

template <int n>
void add(std::vector<Coding>& list) {
  list.push_back({"Taylor, variable", n, each_point<by_taylor_variable<n>>, Coding::Role::judged});
  list.push_back({"Taylor, one scalar", n, each_point<by_taylor<n>>, Coding::Role::reported});
  list.push_back({"Nilpotent", n, each_point<by_nilpotent<n>>, Coding::Role::reported});
}

}  // namespace

std::vector<Coding> library_codings() {
  std::vector<Coding> list;
  add<1>(list);
  add<2>(list);
  add<3>(list);
  return list;
}

}  // namespace holo::benchmark
