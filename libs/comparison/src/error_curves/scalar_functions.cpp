#include <cmath>

#include "error_curves/curve_entries.h"
#include "error_curves/exact_derivatives.h"
#include "error_curves/functions.h"
#include "error_curves/methods.h"

namespace holo::comparison {

namespace {

// The curves of one function of a number, F, which is generic in its scalar.
template <class F>
class Curves {
 public:
  using Exact = long double (*)(int order, double x);
  Curves(std::string function, Exact exact, std::vector<CurveEntry>& entries)
      : function_(std::move(function)), exact_(exact), entries_(entries) {}

  // Adds the curve of a method: approximate(f, x, h) is its derivative at x with the step h, in the arithmetic of T. The error
  // is relative to the exact derivative, in long double.
  template <class T, class Approximate>
  void add(const char* method, int order, Approximate approximate) {
    const auto make = [exact = exact_, order, approximate](double x, std::uint64_t) -> ErrorCurve {
      return [reference = exact(order, x), x, approximate](double h) {
        const long double found = approximate(F{}, T(x), T(h));
        return double(std::abs(found - reference) / std::abs(reference));
      };
    };
    entries_.push_back({{function_, method, order, std::is_same_v<T, long double>}, make});
  }

  template <class T>
  void add_differences(int order) {
    add<T>("forward_difference", order, [order](F f, T x, T h) { return forward_difference(f, order, x, h); });
    add<T>("central_difference", order, [order](F f, T x, T h) { return central_difference(f, order, x, h); });
  }

  template <int order>
  void add_steps() {
    add<double>("csfd", order, [](F f, double x, double h) { return accelerated_step<order>(f, x, h); });
    add<double>("mcsfd_full", order, [](F f, double x, double h) { return multicomplex_step_derivative<order>(f, x, h); });
  }

  void add_complex_steps() {
    add<double>("complex_step", 1, [](F f, double x, double h) { return complex_step_derivative(f, x, h); });
    add<double>("real_part_difference", 2, [](F f, double x, double h) { return real_part_difference(f, x, h); });
    add<double>("fourier_differentiation", 2, [](F f, double x, double h) { return fourier_differentiation(f, x, h); });
  }

  void add_accelerated_paper() {
    add<double>("accelerated_paper", 1, [](F f, double x, double h) { return accelerated_paper_derivative(f, x, h); });
  }

  void add_all() {
    for (int order : {1, 2, 3}) {
      add_differences<double>(order);
      add_differences<long double>(order);
    }
    add_steps<1>();
    add_steps<2>();
    add_steps<3>();
    add_complex_steps();
    add_accelerated_paper();
  }

 private:
  std::string function_;
  Exact exact_;
  std::vector<CurveEntry>& entries_;
};

}  // namespace

std::vector<CurveEntry> scalar_function_curves() {
  std::vector<CurveEntry> entries;
  Curves<ExponentialOverQuartic>("exponential_over_quartic", exact_derivative_of_exponential_over_quartic, entries).add_all();
  Curves<CubeRoot>("cube_root", exact_derivative_of_cube_root, entries).add_all();
  return entries;
}

}  // namespace holo::comparison
