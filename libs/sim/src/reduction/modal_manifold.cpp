#include "holo/sim/reduction/modal_manifold.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "holo/core/error.h"
#include "holo/sim/dynamics/elastic_term.h"
#include "reduction/drawn_numbers.h"

namespace holo {
namespace {

void require_one_system(const ModalSystem& system, const LinearModes& modes, const ModalDerivatives& derivatives) {
  if (modes.shapes.rows() != system.size() || derivatives.mode_count != modes.shapes.cols() ||
      derivatives.first.rows() != system.size())
    throw Error(Failure::input, "a manifold got " + std::to_string(modes.shapes.cols()) + " modes and derivatives of " +
                                    std::to_string(derivatives.mode_count) +
                                    "; both must be of one system, the derivatives of these modes.");
}

double largest_motion(const Eigen::VectorXd& u) {
  return Eigen::Map<const Eigen::Matrix3Xd>(u.data(), 3, u.size() / 3).colwise().norm().maxCoeff();
}

// Elastic forces at displacements, without what prescribed vertices and rigid motions of a free body take.
class ElasticForces {
 public:
  explicit ElasticForces(const ModalSystem& system)
      : system_(system), term_(std::shared_ptr<const ElasticModel>(std::shared_ptr<const ElasticModel>(), &system.model())) {}

  double energy(const Eigen::VectorXd& u) { return term_.energy(system_.positions() + u); }
  Eigen::VectorXd at(const Eigen::VectorXd& u) {
    Eigen::VectorXd force = Eigen::VectorXd::Zero(u.size());
    term_.add_gradient(system_.positions() + u, force);
    for (Eigen::Index k = 0; k < force.size(); ++k)
      if (system_.is_prescribed(k)) force[k] = 0;
    const Eigen::MatrixXd& R = system_.rigid_motions();
    if (R.cols() > 0) force -= system_.masses().cwiseProduct(R * (R.transpose() * force));
    return force;
  }

 private:
  const ModalSystem& system_;
  ElasticTerm term_;
};

}  // namespace

double ManifoldQuotients::largest_deviation() const {
  double largest = 0;
  for (int order = 1; order <= 3; ++order) {
    const double quotient = of_order[static_cast<std::size_t>(order - 1)];
    if (!std::isfinite(quotient)) return INFINITY;
    largest = std::max(largest, std::abs(quotient / std::pow(2, order) - 1));
  }
  return largest;
}

ManifoldQuotients manifold_quotients(const ModalSystem& system, const LinearModes& modes, const ModalDerivatives& derivatives,
                                     double displacement) {
  require_one_system(system, modes, derivatives);
  if (derivatives.second.cols() != ModalDerivatives::triple_count(modes.shapes.cols()))
    throw Error(Failure::input, "the residuals of a manifold need derivatives of second order.");
  ElasticForces forces(system);
  Eigen::VectorXd direction = modes.frequencies[0] * modes.frequencies.cwiseInverse();
  for (Eigen::Index i = 1; i < direction.size(); i += 2) direction[i] = -direction[i];
  direction *= displacement * system.model().length() / largest_motion(modes.shapes * direction);
  ManifoldQuotients result;
  for (int order = 1; order <= 3; ++order) {
    const auto residual = [&](double part) {
      const Eigen::VectorXd q = part * direction, linear = modes.shapes * q, load = system.stiffness_times(linear);
      const Eigen::VectorXd u = modal_displacement(modes.shapes, derivatives, q, order - 1);
      return (forces.at(u) - load).norm() / load.norm();
    };
    result.of_order[static_cast<std::size_t>(order - 1)] = residual(1) / residual(0.5);
  }
  if (!std::isfinite(result.largest_deviation()))
    throw Error(Failure::input, "at displacements of " + std::to_string(displacement) +
                                    " of the body's length its forces are not finite, or 0: choose smaller ones.");
  return result;
}

double amplitude_of(const ModalSystem& system, const LinearModes& modes, double displacement) {
  return displacement * system.model().length() / largest_motion(modes.shapes.col(0));
}

Eigen::MatrixXd deformation_samples(const ModalSystem& system, const LinearModes& modes, const ModalDerivatives& derivatives,
                                    const Eigen::MatrixXd& basis, double amplitude, int count, std::uint64_t seed) {
  require_one_system(system, modes, derivatives);
  if (count < 2 || basis.rows() != system.size() || basis.cols() == 0)
    throw Error(Failure::input, std::to_string(count) + " samples are wanted of a basis of " + std::to_string(basis.rows()) +
                                    " rows and " + std::to_string(basis.cols()) +
                                    " columns; 2 samples and one column are the least, and the system has " +
                                    std::to_string(system.size()) + " coordinates.");
  DrawnNumbers drawn(seed);
  ElasticForces forces(system);
  const Eigen::Index modal = count / 2;
  const Eigen::VectorXd widths = amplitude * modes.frequencies[0] * modes.frequencies.cwiseInverse();
  Eigen::MatrixXd samples(basis.cols(), count);
  const auto draw = [&](const auto& make) {
    Eigen::VectorXd sample = make();
    for (double scale = 0.8; !std::isfinite(forces.energy(basis * sample)); scale *= 0.8) sample = scale * make();
    return sample;
  };
  for (Eigen::Index n = 0; n < modal; ++n)
    samples.col(n) = draw([&]() -> Eigen::VectorXd {
      const Eigen::VectorXd q = widths.cwiseProduct(drawn.uniform(widths.size()));
      return basis.transpose() * system.masses().cwiseProduct(modal_displacement(modes.shapes, derivatives, q));
    });
  Eigen::MatrixXd stiffness(basis.cols(), basis.cols());
  for (Eigen::Index k = 0; k < basis.cols(); ++k) stiffness.col(k) = basis.transpose() * system.stiffness_times(basis.col(k));
  const Eigen::LLT<Eigen::MatrixXd> factor(0.5 * (stiffness + stiffness.transpose()));
  // Mean energies of the first half without what is not linear: w_i^2 q_i^2/2, in which q_i^2 has the mean width^2/3.
  const double unit = amplitude * modes.frequencies[0] * std::sqrt(double(widths.size()) / (3 * double(basis.cols())));
  for (Eigen::Index n = modal; n < count; ++n)
    samples.col(n) = draw([&]() -> Eigen::VectorXd { return unit * factor.matrixU().solve(drawn.normal(basis.cols())); });
  return samples;
}

}  // namespace holo
