// x^(1/m), m = 3, as [Luo2019] Table 1 times it.

#include "error_curves/exact_derivatives.h"
#include "timing/points.h"

namespace holo::comparison {

namespace {

constexpr double m = 3, exponent = 1 / m;

// r^2 of x + ih, from which r^(1/m) is one power: no root stands before it. Points and steps are far from where squares
// overflow or underflow.
double squared_modulus(double x, double h) { return x * x + h * h; }
double root_of_modulus(double squared) { return std::pow(squared, exponent / 2); }

// Results that a naive complex number carries along; kept so that the compiler computes them.
struct ComplexRoot {
  double step;
  std::shared_ptr<double> real = std::make_shared<double>();

  double operator()(double x) const {
    const double phi = std::atan2(step, x), root = root_of_modulus(squared_modulus(x, step));
    *static_cast<volatile double*>(real.get()) = root * std::cos(phi / m);
    return root * std::sin(phi / m) / step;
  }
};

}  // namespace

TimingTask root_derivative_task(std::size_t evaluations) {
  const auto points = std::make_shared<const Points>(1.0, 3.0, [](double x) { return exact_derivative_of_cube_root(1, x); });
  const double h = 0x1p-133;
  TimingTask task{"derivative", evaluations, {}};
  const auto add = [&](const char* name, const char* summary, bool is_yardstick, auto derivative) {
    task.contestants.push_back(at_points(name, summary, is_yardstick, points, evaluations, derivative));
  };
  add("complex_step", "Eq 44: full complex power", false, ComplexRoot{h});
  add("imaginary_part", "Eq 8: its imaginary part alone", false, [h](double x) {
    const double phi = std::atan2(h, x);
    return root_of_modulus(squared_modulus(x, h)) * std::sin(phi / m) / h;
  });
  add("accelerated", "Eq 10: r^(1/m) / (r m)", false, [h](double x) {
    const double squared = squared_modulus(x, h);
    return root_of_modulus(squared) / (std::sqrt(squared) * m);
  });
  add("analytic_power", "x^(1/m - 1) / m", true, [](double x) { return std::pow(x, exponent - 1) / m; });
  add("analytic_quotient", "x^(1/m) / (m x)", true, [](double x) { return std::pow(x, exponent) / (m * x); });
  return task;
}

}  // namespace holo::comparison
