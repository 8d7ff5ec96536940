// One time step against the same step written from its formulas (reference_step.h): its energy and solution, and the gradient
// and the Hessian of a loss in the activations against complex steps through steps that are solved anew [Luo2019]. Contact
// between edges is left to the differences of inverse_step_contact_test.cpp.
#include <gtest/gtest.h>

#include "inverse_step_derivatives.h"
#include "inverse_step_toy.h"
#include "reference_step.h"

namespace holo::test {
namespace {

using ComplexVector = DenseVector<std::complex<double>>;

constexpr double complex_step = 1e-30, unit_roundoff = 0x1p-53;

// Derivative of a function of a real number at 0, from its value at i h.
template <class Value>
auto along_imaginary(const Value& value) {
  return (value.imag() / complex_step).eval();
}

ReferenceDefinition reference_definition(const Toy& toy, const GroundContact& ground, const Eigen::VectorXd& lagged_at) {
  ReferenceDefinition result;
  const TetrahedralMesh& mesh = toy.scene().model->bodies()[0].mesh;
  for (const auto& vertex : mesh.vertices) result.vertices.emplace_back(vertex[0], vertex[1], vertex[2]);
  result.elements = mesh.tetrahedra;
  result.time_step = toy_time_step;
  result.mass_damping = 0.1;
  const double heights[] = {0.02, 0.28, 0.52, 0.78};
  for (const double x : {0.07, 0.23})
    for (const double y : {0.07, 0.23})
      for (int i = 0; i < 3; ++i) result.muscles.push_back({{x, y, heights[i]}, {x, y, heights[i + 1]}});
  result.muscle_width = 0.1;
  result.ground = -1.2e-3;
  result.activation_distance = 2e-3;
  result.stiffness = toy.scene().contact.barrier.stiffness;
  result.friction = ground.friction;
  result.stick_speed = ground.stick_speed;
  result.has_smooth_barrier = ground.barrier == BarrierShape::smooth;
  result.has_quadratic_friction = ground.law == FrictionLaw::quadratic;
  result.positions = toy.state().positions;
  result.velocities = toy.state().velocities;
  result.lagged_at = lagged_at;
  return result;
}

// The loss of the toy as a function of the activations u, in units of the shear modulus.
class ReferenceControl {
 public:
  ReferenceControl(const Toy& toy, const ReferenceDefinition& definition)
      : step_(definition), target_(toy.loss.target()), quartic_weight_(toy.loss.quartic_weight) {}

  template <class S>
  S energy(const DenseVector<S>& x, const DenseVector<S>& u) const {
    return step_.energy(x, pressures(u));
  }
  template <class S>
  DenseVector<S> residual(const DenseVector<S>& x, const DenseVector<S>& u) const {
    return step_.gradient(x, pressures(u));
  }
  template <class S>
  DenseMatrix<S> stiffness(const DenseVector<S>& x, const DenseVector<S>& u) const {
    return step_.hessian(x, pressures(u));
  }
  template <class S>
  DenseMatrix<S> activation_gradient(const DenseVector<S>& x) const {
    return block_shear_modulus * step_.activation_gradient(x);
  }
  template <class S>
  S loss(const DenseVector<S>& x, const DenseVector<S>& u) const {
    const Displacement<S> missed = velocity(x) - target_, off = offset(x);
    const S square = bilinear(off, off);
    return 100.0 * bilinear(missed, missed) + quartic_weight_ * square * square + 0.005 * bilinear(u, u);
  }
  // L_u + A^T y at a solution x, with H y = -L_x.
  template <class S>
  DenseVector<S> gradient(const DenseVector<S>& x, const DenseVector<S>& u) const {
    const Displacement<S> missed = velocity(x) - target_, off = offset(x);
    DenseVector<S> of_x(x.size());
    for (Eigen::Index v = 0; v < x.size() / 3; ++v) of_x.template segment<3>(3 * v) = 200 * share(v) * missed;
    of_x.template tail<3>() += 4 * quartic_weight_ * bilinear(off, off) * off;
    const DenseVector<S> adjoint = -stiffness(x, u).lu().solve(of_x);
    return 0.01 * u + activation_gradient(x).transpose() * adjoint;
  }
  template <class S>
  DenseVector<S> newton_step(const DenseVector<S>& x, const DenseVector<S>& u) const {
    return -stiffness(x, u).lu().solve(residual(x, u));
  }
  // From the start of the time step until Newton steps are rounding.
  Eigen::VectorXd solution(const Eigen::VectorXd& u) const {
    Eigen::VectorXd x = step_.body().of.positions;
    double last = 1;
    for (int iteration = 0; iteration < 100; ++iteration) {
      const Eigen::VectorXd step = newton_step(x, u);
      const double size = step.norm();
      if (size < 1e-12 && size > 0.1 * last) return x;
      double length = 1;  // the energy is no number under the ground
      while (size > 1e-6 && !(energy(Eigen::VectorXd(x + length * step), u) < energy(x, u))) length /= 2;
      x += length * step;
      last = size;
    }
    throw std::runtime_error("the reference step has no solution");
  }
  // x(u + i h d) from x(u): one step of Newton's method is exact up to rounding, which the second one corrects.
  ComplexVector solution_nearby(const Eigen::VectorXd& x, const ComplexVector& u) const {
    ComplexVector result = x.cast<std::complex<double>>();
    for (int iteration = 0; iteration < 2; ++iteration) result += newton_step(result, u);
    return result;
  }

 private:
  template <class S>
  static DenseVector<S> pressures(const DenseVector<S>& u) {
    return block_shear_modulus * u;
  }
  double share(Eigen::Index v) const { return step_.body().masses[v] / (step_.body().masses.sum() * toy_time_step); }
  // Of the center of mass.
  template <class S>
  Displacement<S> velocity(const DenseVector<S>& x) const {
    Displacement<S> sum = Displacement<S>::Zero();
    for (Eigen::Index v = 0; v < x.size() / 3; ++v)
      sum += share(v) * (x.template segment<3>(3 * v) - step_.body().of.positions.segment<3>(3 * v));
    return sum;
  }
  template <class S>
  Displacement<S> offset(const DenseVector<S>& x) const {
    return x.template tail<3>() - step_.body().of.vertices.back();
  }

  ReferenceStep step_;
  Eigen::Vector3d target_;
  double quartic_weight_;
};

struct ReferenceCase {
  const char* name;
  GroundContact ground;
  Vector3d velocity;
  int steps;
  bool sticks, slips;
  bool takes_forces_of_end = false;  // normal forces of friction at the end of the step without activations
};
const ReferenceCase reference_cases[] = {
    {"Stick", {0.8, 0.05}, {0, 0, 0}, 30, true, false},
    {"Slip", {0.1, 0.002}, {0.5, 0.2, 0}, 4, false, true},
    {"Mixed", {0.3, 0.004}, {0, 0, 0}, 30, true, true},
    {"SlipWithForcesOfTheEnd", {0.1, 0.002}, {0.5, 0.2, 0}, 4, false, true, true},
    {"MixedWithOtherLaws", {0.3, 0.004, {}, BarrierShape::smooth, FrictionLaw::quadratic}, {0, 0, 0}, 30, true, true},
};

class InverseStepReference : public testing::TestWithParam<ReferenceCase> {
 protected:
  InverseStepReference()
      : toy(GetParam().ground, GetParam().velocity, GetParam().steps, {0.2, -0.1, 0.15}),
        u(activations_at_random(toy.problem)) {
    toy.loss.quartic_weight = 1e6;
    if (!GetParam().takes_forces_of_end) return;
    lagged_at = toy.problem.x();
    toy.problem.update_lag(lagged_at);
  }
  ReferenceControl reference() const { return {toy, reference_definition(toy, GetParam().ground, lagged_at)}; }
  // Solutions are known to the rounding of a solve with the stiffness matrix, the largest part of which is the ground's.
  double solution_error(const Eigen::MatrixXd& stiffness) const { return unit_roundoff / stiffness.lu().rcond(); }
  // So are derivatives; the stiffness changes with the rounding of positions over the shortest length of the energy, that of
  // displacements which stick.
  double derivative_error(const Eigen::MatrixXd& stiffness) const {
    return solution_error(stiffness) + unit_roundoff * length() / (GetParam().ground.stick_speed * toy_time_step);
  }
  double length() const { return toy.scene().model->length(); }

  Toy toy;
  Eigen::VectorXd u, lagged_at = toy.state().positions;
};

TEST_P(InverseStepReference, HasTheSameEnergyAndSolution) {
  ASSERT_TRUE(toy.problem.finish(u));
  const Toy::Contacts contacts = toy.contacts(GetParam().ground.stick_speed);
  EXPECT_EQ(contacts.stick > 0, GetParam().sticks) << contacts.stick;
  EXPECT_EQ(contacts.slip > 0, GetParam().slips) << contacts.slip;
  const Eigen::VectorXd x = reference().solution(u);
  const double error = solution_error(reference().stiffness(x, u));
  EXPECT_LT(error, 1e-12);
  EXPECT_LT((toy.problem.x() - x).norm(), error * length());
  const double energy = reference().energy(x, u);
  EXPECT_NEAR(toy.problem.integrator().potential().energy(x), energy, error * std::abs(energy));
}

TEST_P(InverseStepReference, HasTheDerivativesOfComplexSteps) {
  const Eigen::VectorXd gradient = deep_gradient(toy.problem, u);
  Eigen::MatrixXd hessian;
  ASSERT_TRUE(toy.problem.hessian(u, hessian));
  EXPECT_GT(toy.contacts(GetParam().ground.stick_speed).margin, 1e-6);
  EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-12 * hessian.norm());
  const ReferenceControl step = reference();
  const Eigen::VectorXd x = step.solution(u);
  const double error = derivative_error(step.stiffness(x, u));
  EXPECT_LT(error, 1e-11);
  for (const std::size_t seed : {1, 2, 3}) {
    const Eigen::VectorXd d = random_columns(u.size(), 1, 100 + seed).normalized();
    const ComplexVector u_nearby = u + std::complex<double>(0, complex_step) * d, x_nearby = step.solution_nearby(x, u_nearby);
    const double slope = step.loss(x_nearby, u_nearby).imag() / complex_step;
    const Eigen::VectorXd change = along_imaginary(step.gradient(x_nearby, u_nearby));
    EXPECT_NEAR(gradient.dot(d), slope, error * gradient.norm());
    EXPECT_LT((hessian * d - change).norm(), error * hessian.norm());
  }
}

// What the reference has as derivatives, complex steps of its energy give, too.
TEST_P(InverseStepReference, HasDerivativesOfItsEnergy) {
  const ReferenceControl step = reference();
  const Eigen::VectorXd x = disturbed(toy.problem.x(), 1e-4), dx = random_columns(x.size(), 1, 1),
                        du = random_columns(u.size(), 1, 2);
  const ComplexVector moved = x + std::complex<double>(0, complex_step) * dx,
                      pulled = u + std::complex<double>(0, complex_step) * du, u_there = u.cast<std::complex<double>>(),
                      x_there = x.cast<std::complex<double>>();
  const Eigen::VectorXd residual = step.residual(x, u), along_x = step.stiffness(x, u) * dx,
                        along_u = step.activation_gradient(x) * du;
  const double error = derivative_error(step.stiffness(x, u));
  EXPECT_NEAR(step.energy(moved, u_there).imag() / complex_step, residual.dot(dx), error * residual.norm() * dx.norm());
  EXPECT_LT((along_imaginary(step.residual(moved, u_there)) - along_x).norm(), error * along_x.norm());
  EXPECT_LT((along_imaginary(step.residual(x_there, pulled)) - along_u).norm(), error * along_u.norm());
}

INSTANTIATE_TEST_SUITE_P(Contacts, InverseStepReference, testing::ValuesIn(reference_cases),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace holo::test
