#include "holo/sim/control/derivative_certificate.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace holo {
namespace {

constexpr int most_polishing_steps = 20;
constexpr double displacement = 0.05;                                                  // of the activations, over the unit
constexpr double lengths[] = {1.6e-2, 8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4};  // of differences, over the unit
constexpr double newton_rounding = 1e-15;  // of a Newton step, over the scene's length

struct Sample {
  double value = 0;
  Eigen::VectorXd gradient;  // in u = a/unit
};

// Loss and gradient as functions of u, each time from the same start.
class ReferenceStep {
 public:
  ReferenceStep(const ElasticScene& scene, StepLoss& loss, const ControlledFrame& frame, double unit)
      : integrator_(scene),
        potential_(integrator_.potential()),
        loss_(loss),
        frame_(frame),
        unit_(unit),
        range_(potential_.activations()),
        solver_(make_sparse_solver({.matrix = MatrixKind::general})) {}

  std::optional<Sample> at(const Eigen::VectorXd& u) {
    Eigen::VectorXd x;
    integrator_.begin(frame_.start, x);
    Eigen::VectorXd parameters = potential_.parameters();
    parameters.segment(range_.first, range_.count) = unit_ * u;
    potential_.set_parameters(parameters);
    if (frame_.lag_positions.size() > 0) potential_.update_lag_of_end(frame_.lag_positions);
    if (minimize(potential_, x, {}, integrator_.workspace()).status != NewtonStatus::converged || !polish(x))
      return std::nullopt;
    Sample sample;
    loss_.set_activations(unit_ * u);
    sample.value = loss_.value(x);
    Eigen::VectorXd slope = Eigen::VectorXd::Zero(x.size()), adjoint(x.size());
    loss_.add_gradient(x, slope);
    potential_.clear_prescribed(slope);
    solver_->solve(-slope, adjoint);
    const Eigen::MatrixXd columns = potential_.parameter_gradient(x).middleCols(range_.first, range_.count);
    Eigen::VectorXd of_activations = Eigen::VectorXd::Zero(range_.count);
    loss_.add_activation_gradient(x, of_activations);
    sample.gradient = unit_ * (columns.transpose() * adjoint + of_activations);
    return sample;
  }

 private:
  // Newton steps until they no longer become shorter; then the factor at the result.
  bool polish(Eigen::VectorXd& x) {
    Eigen::VectorXd gradient, step(x.size());
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most_polishing_steps; ++i) {
      potential_.derivatives(x, Curvature::exact, gradient, lower_);
      const SparseMatrix full = lower_.selfadjointView<Eigen::Lower>();
      if (!solver_->has_pattern_of(full)) solver_->analyze(full);
      if (!solver_->factorize(full)) return false;
      solver_->solve(gradient, step);
      const double size = potential_.step_size(step);
      if (!std::isfinite(size)) return false;
      if (size <= newton_rounding || size >= last) return true;
      x -= step;
      last = size;
    }
    return true;
  }

  ImplicitEuler integrator_;
  IncrementalPotential& potential_;
  StepLoss& loss_;
  const ControlledFrame& frame_;
  double unit_;
  ParameterRange range_;
  std::unique_ptr<SparseSolver> solver_;
  SparseMatrix lower_;
};

// A unit vector with entries of fixed pseudorandom numbers, the same on every machine.
Eigen::VectorXd direction_of(Eigen::Index size, unsigned seed) {
  Eigen::VectorXd d(size);
  std::uint64_t state = seed;
  for (double& entry : d) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    entry = static_cast<double>(state >> 11) * 0x1p-52 - 1;
  }
  return d.normalized();
}

struct DirectionalErrors {
  double gradient = std::numeric_limits<double>::infinity(), hessian = gradient;
};

// The errors along d of given derivatives by differences of one length; none where a step could not be solved.
std::optional<DirectionalErrors> errors_along(ReferenceStep& reference, const Eigen::VectorXd& u, const Eigen::VectorXd& d,
                                              double length, const Eigen::VectorXd& gradient, const Eigen::MatrixXd& hessian) {
  double slope = 0;
  Eigen::VectorXd curvature = Eigen::VectorXd::Zero(u.size());
  for (const auto& [at, weight] : {std::pair(1, 8.0), std::pair(-1, -8.0), std::pair(2, -1.0), std::pair(-2, 1.0)}) {
    const std::optional<Sample> sample = reference.at(u + at * length * d);
    if (!sample) return std::nullopt;
    slope += weight * sample->value / (12 * length);
    curvature += weight / (12 * length) * sample->gradient;
  }
  return DirectionalErrors{std::abs(gradient.dot(d) - slope) / gradient.norm(),
                           (hessian * d - curvature).norm() / hessian.norm()};
}

}  // namespace

DerivativeCertificate certify_derivatives(const ElasticScene& scene, StepLoss& loss, const ControlledFrame& frame,
                                          double unit) {
  ImplicitEuler integrator(scene);
  InverseStep step(integrator, loss, {.unit = unit});
  const Eigen::VectorXd u = frame.activations / unit + displacement * direction_of(frame.activations.size(), 1);
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
  if (!step.begin(frame.start, frame.activations)) return {};
  if (frame.lag_positions.size() > 0) step.update_lag(frame.lag_positions);
  step.gradient(u, gradient);
  if (!gradient.allFinite() || !step.hessian(u, hessian)) return {};
  ReferenceStep reference(scene, loss, frame, unit);
  DerivativeCertificate certificate{0, 0};
  for (const unsigned seed : {2u, 3u, 4u}) {
    DirectionalErrors best;
    for (const double length : lengths) {
      const auto errors = errors_along(reference, u, direction_of(u.size(), seed), length, gradient, hessian);
      if (!errors) return {};
      best.gradient = std::min(best.gradient, errors->gradient);
      best.hessian = std::min(best.hessian, errors->hessian);
    }
    certificate.gradient = std::max(certificate.gradient, best.gradient);
    certificate.hessian = std::max(certificate.hessian, best.hessian);
  }
  return certificate;
}

}  // namespace holo
