// The activations of one time step: gradient and Hessian against differences of deeply solved steps, and the methods of
// minimization on a toy, a block with twelve muscle segments on the ground.
#include "holo/sim/control/inverse_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "activation_penalty.h"
#include "holo/core/plugins/plugin_host.h"
#include "term_checks.h"

namespace holo::test {
namespace {

constexpr double youngs_modulus = 1e5, poissons_ratio = 0.4;
constexpr double shear_modulus = youngs_modulus / (2 * (1 + poissons_ratio));
constexpr double time_step = 1.0 / 40;

struct Ground {
  double friction = 0.5, stick_speed = 0.01;
  BarrierShape shape = BarrierShape::logarithmic;
};

// 0.3 x 0.3 x 0.8 m with four vertical muscles of three segments each.
ElasticScene block_on_the_ground(const Ground& ground, const Vector3d& velocity) {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  const auto plugin = host.get<MaterialPlugin>("stable_neo_hookean");
  ElasticBodyDefinition body;
  body.name = "body";
  body.mesh = box_source({0.3, 0.3, 0.8}, 96);
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = plugin->coefficients({{"youngs_modulus", youngs_modulus}, {"poissons_ratio", poissons_ratio}});
  std::vector<Polyline> lines;
  for (const double x : {0.07, 0.23})
    for (const double y : {0.07, 0.23}) lines.push_back({{x, y, 0.02}, {x, y, 0.28}, {x, y, 0.52}, {x, y, 0.78}});
  body.muscles = line_muscles(MuscleLaw::fiber, 0.1, lines, {0, 0, 0, 0});
  body.mass_damping = 0.1;
  body.velocity = velocity;
  ElasticSceneDefinition definition;
  definition.time_step = time_step;
  definition.bodies = {body};
  definition.contact.activation_distance = 2e-3;
  definition.contact.shape = ground.shape;
  definition.contact.stick_speed = ground.stick_speed;
  definition.contact.planes.push_back({"ground", {0, 0, -1.2e-3}, {0, 0, 1}, ground.friction, {}});
  return ElasticScene(definition);
}

// |c(v) - target|^2/(0.1 m/s)^2 of the center of mass, with v = (x - x_n)/dt, plus the fourth power of the distance of one
// vertex: what is not quadratic. A penalty of the activations is added.
class ToyLoss final : public PenalizedLoss {
 public:
  ToyLoss(const ElasticModel& model, const Eigen::Vector3d& velocity)
      : PenalizedLoss(1e-2, shear_modulus), model_(model), target_(velocity) {
    for (const double m : model.masses()) mass_ += m;
  }
  static constexpr double scale = 100;  // [s^2/m^2]
  double quartic_weight = 0;            // [1/m^4]
  void begin(const ElasticState& state) { start_ = state.positions; }
  void aim_at(const Eigen::Vector3d& velocity) { target_ = velocity; }

  double value(const Eigen::VectorXd& x) override {
    const double r2 = offset(x).squaredNorm();
    return scale * (speed(x) - target_).squaredNorm() + quartic_weight * r2 * r2 + penalty();
  }
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override {
    add_shares(2 * scale * (speed(x) - target_), gradient);
    gradient.tail<3>() += 4 * quartic_weight * offset(x).squaredNorm() * offset(x);
  }
  void add_hessian_products(const Eigen::VectorXd& x, const Eigen::MatrixXd& directions, bool gauss_newton,
                            Eigen::MatrixXd& result) override {
    const Eigen::Vector3d r = offset(x);
    for (Eigen::Index j = 0; j < directions.cols(); ++j) {
      Eigen::VectorXd column = Eigen::VectorXd::Zero(x.size());
      add_shares(2 * scale * speed(start_ + directions.col(j)), column);
      const Eigen::Vector3d d = directions.col(j).tail<3>();
      if (!gauss_newton) column.tail<3>() += quartic_weight * (8 * r.dot(d) * r + 4 * r.squaredNorm() * d);
      result.col(j) += column;
    }
  }

 private:
  Eigen::Vector3d offset(const Eigen::VectorXd& x) const { return x.tail<3>() - model_.start_positions().tail<3>(); }
  Eigen::Vector3d speed(const Eigen::VectorXd& x) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int v = 0; v < model_.vertex_count(); ++v)
      sum += model_.masses()[std::size_t(v)] * (x.segment<3>(3 * v) - start_.segment<3>(3 * v));
    return sum / (mass_ * time_step);
  }
  // The gradient of g . speed(x).
  void add_shares(const Eigen::Vector3d& g, Eigen::VectorXd& gradient) const {
    for (int v = 0; v < model_.vertex_count(); ++v)
      gradient.segment<3>(3 * v) += model_.masses()[std::size_t(v)] / (mass_ * time_step) * g;
  }

  const ElasticModel& model_;
  Eigen::Vector3d target_;
  double mass_ = 0;
  Eigen::VectorXd start_;
};

// The block after some steps of its own, and its next step with activations as unknowns in units of the shear modulus.
class Toy {
 public:
  Toy(const Ground& ground, const Vector3d& velocity, int steps, const Eigen::Vector3d& target, double forward_tolerance = 1e-8)
      : scene_(block_on_the_ground(ground, velocity)),
        integrator_(scene_),
        state_(initial_state(*scene_.model)),
        loss(*scene_.model, target),
        problem(integrator_, loss, {.unit = shear_modulus, .forward = {.tolerance = forward_tolerance}}) {
    for (int n = 0; n < steps; ++n)
      if (integrator_.step(state_).newton.status != NewtonStatus::converged)
        throw std::runtime_error("the block does not settle");
    loss.begin(state_);
    if (!problem.begin(state_, Eigen::VectorXd::Zero(problem.dimension()))) throw std::runtime_error(problem.diagnosis());
  }
  // At an x that is converged deeply.
  double deep_value(const Eigen::VectorXd& u) {
    if (!problem.finish(u)) throw std::runtime_error(problem.diagnosis());
    loss.set_activations(shear_modulus * u);
    return loss.value(problem.x());
  }
  Eigen::VectorXd deep_gradient(const Eigen::VectorXd& u) {
    Eigen::VectorXd gradient;
    problem.gradient(u, gradient);
    return gradient;
  }
  // Vertices that the ground repels, whose friction is complete or not.
  struct Contacts {
    int stick = 0, slip = 0;
  };
  Contacts contacts(double stick_speed) const {
    Contacts found;
    for (int v = 0; v < scene_.model->vertex_count(); ++v) {
      if (problem.x()[3 * v + 2] + 1.2e-3 >= 2e-3) continue;
      const double sliding = (problem.x() - state_.positions).segment<2>(3 * v).norm();
      (sliding < stick_speed * time_step ? found.stick : found.slip) += 1;
    }
    return found;
  }
  DenseResult minimize_by(DenseMethod method, int iterations, Eigen::VectorXd& u) {
    DenseWorkspace workspace;
    return minimize(problem, {}, u, {.method = method, .tolerance = 1e-9, .max_iterations = iterations}, workspace);
  }
  // A step with the activations that give the center of mass this velocity; then the next one begins.
  void step_to(const Eigen::Vector3d& velocity) {
    loss.aim_at(velocity);
    Eigen::VectorXd u = problem.activations() / shear_modulus;
    minimize_by(DenseMethod::newton, 12, u);
    if (!problem.finish(u)) throw std::runtime_error(problem.diagnosis());
    Eigen::VectorXd x = problem.x();
    integrator_.advance(state_, x);
    loss.begin(state_);
    if (!problem.begin(state_, problem.activations())) throw std::runtime_error(problem.diagnosis());
  }

  Toy(const Toy&) = delete;  // its parts refer to each other

 private:
  ElasticScene scene_;
  ImplicitEuler integrator_;
  ElasticState state_;

 public:
  ToyLoss loss;
  InverseStep problem;
};

Eigen::VectorXd activations_at_random(const InverseStep& problem) { return 0.3 * random_columns(problem.dimension(), 1, 17); }

struct ContactCase {
  const char* name;
  Ground ground;
  Vector3d velocity;
  int steps;
  bool sticks, slips;
};
const ContactCase contact_cases[] = {
    {"Stick", {0.8, 0.05}, {0, 0, 0}, 30, true, false},
    {"Slip", {0.1, 0.002}, {0.5, 0.2, 0}, 4, false, true},
    {"Mixed", {0.3, 0.004}, {0, 0, 0}, 30, true, true},
};

class InverseStepDerivatives : public testing::TestWithParam<ContactCase> {
 protected:
  InverseStepDerivatives()
      : toy(GetParam().ground, GetParam().velocity, GetParam().steps, {0.2, -0.1, 0.15}),
        u(activations_at_random(toy.problem)) {
    toy.loss.quartic_weight = 1e6;
  }
  Toy toy;
  Eigen::VectorXd u;
};

TEST_P(InverseStepDerivatives, AreThoseOfStepsSolvedAnew) {
  const Eigen::VectorXd gradient = toy.deep_gradient(u);
  const Toy::Contacts contacts = toy.contacts(GetParam().ground.stick_speed);
  EXPECT_EQ(contacts.stick > 0, GetParam().sticks) << contacts.stick;
  EXPECT_EQ(contacts.slip > 0, GetParam().slips) << contacts.slip;
  Eigen::MatrixXd hessian;
  ASSERT_TRUE(toy.problem.hessian(u, hessian));
  for (const std::size_t seed : {1, 2, 3}) {
    const Eigen::VectorXd d = random_columns(u.size(), 1, 100 + seed).normalized();
    const double slope = difference([&](double t) { return toy.deep_value(u + t * d); }, 2e-3);
    EXPECT_NEAR(gradient.dot(d), slope, 1e-8 * gradient.norm());
    const Eigen::VectorXd change = difference([&](double t) { return toy.deep_gradient(u + t * d); }, 2e-3);
    EXPECT_LT((hessian * d - change).norm(), 1e-8 * hessian.norm()) << "along " << seed;
  }
}

// Where the quartic part is left out, the Gauss-Newton model still lacks what the step's potential bends: the exact Hessian is
// another matrix.
TEST_P(InverseStepDerivatives, DifferFromTheGaussNewtonModel) {
  toy.loss.quartic_weight = 0;
  toy.deep_gradient(u);
  Eigen::MatrixXd hessian, model;
  ASSERT_TRUE(toy.problem.hessian(u, hessian));
  ASSERT_TRUE(toy.problem.gauss_newton_hessian(u, model));
  EXPECT_GT((hessian - model).norm(), 1e-4 * model.norm());
  EXPECT_GT(model.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0);
}

INSTANTIATE_TEST_SUITE_P(Contacts, InverseStepDerivatives, testing::ValuesIn(contact_cases),
                         [](const auto& of) { return std::string(of.param.name); });

// Steps of 4 mm end a forward solve here; derivatives are those of its minimum all the same.
TEST(InverseStep, DerivativesAreTakenAtMinimaWhereForwardSolvesAreCoarse) {
  Toy fine({0.5, 0.01}, {0, 0, 0}, 30, {0, 0, 0.3}), coarse({0.5, 0.01}, {0, 0, 0}, 30, {0, 0, 0.3}, 5e-3);
  const Eigen::VectorXd u = activations_at_random(fine.problem), expected = fine.deep_gradient(u);
  coarse.problem.value(u);
  EXPECT_LT((coarse.deep_gradient(u) - expected).norm(), 1e-10 * expected.norm());
}

// The factor that the forward solve left brings x to its last digits; only the exact Hessian there is factorized anew.
TEST(InverseStep, DerivativesTakeOneFactorizationAfterAForwardSolve) {
  Toy toy({0.5, 0.01}, {0, 0, 0}, 30, {0, 0, 0.3});
  const Eigen::VectorXd u = activations_at_random(toy.problem);
  ASSERT_TRUE(std::isfinite(toy.problem.value(u)));
  const int before = toy.problem.counts().factorizations;
  toy.deep_gradient(u);
  EXPECT_EQ(toy.problem.counts().factorizations - before, 1);
}

// The energy itself as a loss: at a minimum nothing of its slope comes through x.
class EnergyLoss final : public StepLoss {
 public:
  explicit EnergyLoss(IncrementalPotential& potential) : potential_(potential) {}
  double value(const Eigen::VectorXd& x) override { return potential_.energy(x); }
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override {
    Eigen::VectorXd g;
    SparseMatrix H;
    potential_.derivatives(x, Curvature::exact, g, H);
    gradient += g;
  }
  void add_hessian_products(const Eigen::VectorXd&, const Eigen::MatrixXd&, bool, Eigen::MatrixXd&) override {}

 private:
  IncrementalPotential& potential_;
};

TEST(InverseStep, SlopeOfTheMinimalEnergyIsItsPartialDerivative) {
  const ElasticScene scene = block_on_the_ground({}, {0, 0, 0});
  ImplicitEuler integrator(scene);
  const ElasticState state = initial_state(*scene.model);
  EnergyLoss loss(integrator.potential());
  InverseStep problem(integrator, loss, {.unit = shear_modulus});
  ASSERT_TRUE(problem.begin(state, Eigen::VectorXd::Zero(problem.dimension())));
  const Eigen::VectorXd u = activations_at_random(problem);
  Eigen::VectorXd through_x;
  problem.gradient(u, through_x);
  const auto minimal_energy = [&](const Eigen::VectorXd& at) {
    if (!problem.finish(at)) throw std::runtime_error(problem.diagnosis());
    return loss.value(problem.x());
  };
  for (Eigen::Index k = 0; k < u.size(); ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(u.size(), k);
    const double total = difference([&](double t) { return minimal_energy(u + t * unit); }, 1e-2);
    // E is linear in the activations: its partial derivative is a difference at the same x.
    ASSERT_TRUE(problem.finish(u));
    const Eigen::VectorXd x = problem.x();
    ASSERT_TRUE(problem.finish(u + unit));
    const double with = loss.value(x);
    ASSERT_TRUE(problem.finish(u));
    const double partial = with - loss.value(x);
    EXPECT_NEAR(total, partial, 1e-8 * std::abs(partial));
    EXPECT_LT(std::abs(through_x[k]), 1e-10 * std::abs(partial));
  }
}

// Newton's method is at a gradient of 1e-9 after few iterations, the last of which only sees that it stops; after as many the
// other methods are far from there.
void expect_fast_convergence(const std::function<std::unique_ptr<Toy>()>& toy, int iterations) {
  const auto after = [&](DenseMethod method, int count) {
    const auto at = toy();
    Eigen::VectorXd u = at->problem.activations() / shear_modulus;
    return at->minimize_by(method, count, u);
  };
  const DenseResult newton = after(DenseMethod::newton, iterations + 1);
  EXPECT_EQ(newton.status, DenseStatus::converged) << newton.diagnosis;
  EXPECT_LT(newton.projected_gradient, 1e-9);
  for (const DenseMethod method : {DenseMethod::l_bfgs, DenseMethod::gradient_descent})
    EXPECT_GT(after(method, int(newton.iterations.size())).projected_gradient, 1e-4) << to_string(method);
}

TEST(InverseStepToy, NewtonConvergesWithinFewIterationsInPushOffs) {
  for (const double acceleration : {0.6 * 9.81, 2.5 * 9.81})
    expect_fast_convergence(
        [&] { return std::make_unique<Toy>(Ground{}, Vector3d{}, 40, Eigen::Vector3d(0, 0, acceleration * time_step)); }, 8);
}

// Four steps of a push with 1.5 g; then the center of mass is to fall freely, so that contact has to end.
TEST(InverseStepToy, NewtonConvergesWithinFewIterationsInALiftOff) {
  const double g = 9.81;
  expect_fast_convergence(
      [&] {
        auto toy = std::make_unique<Toy>(Ground{}, Vector3d{}, 40, Eigen::Vector3d(0, 0, 0));
        for (int n = 1; n <= 4; ++n) toy->step_to({0, 0, 1.5 * g * time_step * n});
        EXPECT_GT(toy->contacts(0.01).stick + toy->contacts(0.01).slip, 0);
        toy->loss.aim_at({0, 0, (1.5 * 4 - 1) * g * time_step});
        return toy;
      },
      12);
}

}  // namespace
}  // namespace holo::test
