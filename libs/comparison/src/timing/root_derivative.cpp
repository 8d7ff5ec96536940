// x^(1/m), m = 3, as [Luo2019] Table 1 times it.

#include "error_curves/exact_derivatives.h"
#include "timing/points.h"

namespace holo::comparison {

namespace {

constexpr double m = 3, exponent = 1 / m;

// The modulus r of x + ih, [Luo2019] Eq 10. Points and steps are far from where the squares overflow or underflow.
double modulus(double x, double h) { return std::sqrt(x * x + h * h); }

// Results that a naive complex number carries along; kept so that the compiler computes them.
struct ComplexRoot {
  double step;
  std::shared_ptr<double> real = std::make_shared<double>();

  double operator()(double x) const {
    const double r = modulus(x, step), phi = std::atan2(step, x), root = std::pow(r, exponent);
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
    const double r = modulus(x, h), phi = std::atan2(h, x);
    return std::pow(r, exponent) * std::sin(phi / m) / h;
  });
  add("accelerated", "Eq 10: r^(1/m) / (r m)", false, [h](double x) {
    const double r = modulus(x, h);
    return std::pow(r, exponent) / (r * m);
  });
  add("analytic_power", "x^(1/m - 1) / m", true, [](double x) { return std::pow(x, exponent - 1) / m; });
  add("analytic_quotient", "x^(1/m) / (m x)", true, [](double x) { return std::pow(x, exponent) / (m * x); });
  return task;
}

}  // namespace holo::comparison
