// CppAD: a recorded function that is evaluated again for every element or point, and its Taylor coefficients at singular
// points. All in one file, since a header of the copy in r-cran-tmb defines a function.
#include "singular_points/singular_packages.h"
#include "timing/peers.h"

#ifdef HOLO_COMPARISON_CPPAD
#include <algorithm>
#include <memory>

#include "singular_points/singular_functions.h"
#include "timing/cppad_package.h"
#include "timing/peer_functions.h"

namespace holo::comparison {
namespace {

using Active = CppAD::AD<double>;
using Recorded = CppAD::ADFun<double>;

// Recorded at its first use.
class CppadFunction {
 public:
  explicit CppadFunction(std::function<std::unique_ptr<Recorded>()> record) : record_(std::move(record)) {}
  Recorded& get() {
    if (!function_) function_ = record_();
    return *function_;
  }

 private:
  std::function<std::unique_ptr<Recorded>()> record_;
  std::unique_ptr<Recorded> function_;
};

std::unique_ptr<Recorded> recorded_energy(const std::string& material, const std::vector<double>& coefficients) {
  std::vector<Active> F = {1.1, 0.1, 0, 0, 1, 0, 0, 0, 0.9}, energy(1);
  CppAD::Independent(F);
  energy[0] = peer_energy(material, F.data(), coefficients);
  return std::make_unique<Recorded>(F, energy);
}

std::unique_ptr<Recorded> recorded_quartic(double at) {
  std::vector<Active> x = {at}, y(1);
  CppAD::Independent(x);
  y[0] = peer_quartic(x[0]);
  return std::make_unique<Recorded>(x, y);
}

}  // namespace

PeerMode cppad_mode(const std::string& material, int order, const std::vector<double>& coefficients) {
  const auto function = std::make_shared<CppadFunction>([=] { return recorded_energy(material, coefficients); });
  if (order == 1)
    return {"cppad", "CppAD, recording reused, Jacobian()", [function](const double* F, double* P) {
              const std::vector<double> slopes = function->get().Jacobian(std::vector<double>(F, F + 9));
              std::copy_n(slopes.begin(), 9, P);
            }};
  return {"cppad", "CppAD, recording reused, Hessian()", [function](const double* F, double* H) {
            const std::vector<double> full = function->get().Hessian(std::vector<double>(F, F + 9), 0);
            for (std::size_t i = 0; i < 9; ++i)
              for (std::size_t j = i; j < 9; ++j) *H++ = full[9 * i + j];
          }};
}

Contestant cppad_contestant(int order, const std::shared_ptr<const Points>& points, std::size_t evaluations) {
  const auto function = std::make_shared<CppadFunction>([at = points->x.front()] { return recorded_quartic(at); });
  // Taylor coefficients along x + t.
  return at_points("cppad", "CppAD, recording reused, Forward()", false, points, evaluations, [function, order](double x) {
    Recorded& f = function->get();
    std::vector<double> coefficient = {x}, result = f.Forward(0, coefficient);
    double factorial = 1;
    for (int k = 1; k <= order; ++k) {
      coefficient[0] = k == 1 ? 1 : 0;
      result = f.Forward(std::size_t(k), coefficient);
      factorial *= k;
    }
    return factorial * result[0];
  });
}

// Of a recorded function along x + t.
std::optional<double> cppad_derivative(const SingularCase& c) {
  return with_singular_function(c, [&](const auto& f) -> std::optional<double> {
    using Active = CppAD::AD<double>;
    std::vector<Active> x = {c.point}, y(1);
    CppAD::Independent(x);
    y[0] = f(x[0]);
    CppAD::ADFun<double> recorded;
    recorded.Dependent(x, y);  // unlike the constructor, this does not compare values, which may be NaN
    std::vector<double> coefficient = {c.point}, result = recorded.Forward(0, coefficient);
    double factorial = 1;
    for (int k = 1; k <= c.order; ++k) {
      coefficient[0] = k == 1 ? 1 : 0;
      result = recorded.Forward(std::size_t(k), coefficient);
      factorial *= k;
    }
    return factorial * result[0];
  });
}

}  // namespace holo::comparison

#else

namespace holo::comparison {

namespace {
constexpr const char* missing_cppad = "not timed: CppAD (r-cran-tmb, or from its sources) was not found when this was built";
}

PeerMode cppad_mode(const std::string&, int, const std::vector<double>&) { return {"cppad", missing_cppad, {}}; }
Contestant cppad_contestant(int, const std::shared_ptr<const Points>&, std::size_t) {
  return {"cppad", missing_cppad, false, {}, {}};
}

std::optional<double> cppad_derivative(const SingularCase&) { return {}; }

}  // namespace holo::comparison
#endif
