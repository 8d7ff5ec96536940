// Each term of the potential by itself: its derivatives against differences of its energy.
#include "holo/sim/dynamics/potential_term.h"

#include <gtest/gtest.h>

#include "algebra/symmetric.h"
#include "dynamics/loads/dead_load.h"
#include "dynamics/loads/pressure.h"
#include "holo/core/error.h"
#include "holo/core/plugins/plugin_host.h"
#include "term_checks.h"

namespace holo::test {
namespace {

constexpr double time_step = 0.02;  // s

LoadDefinition load_at_end(LoadMaker make) {
  LoadDefinition load;
  load.make = std::move(make);
  load.subset.kind = SubsetDefinition::Kind::box;
  load.subset.minimum = {-9, -9, -9};
  load.subset.maximum = {3 + 1e-9, 9, 9};
  return load;
}

// A tilted plane below the body, whose lower half is within the activation distance.
ContactDefinition contact_below(double friction, double stick_speed) {
  ContactDefinition contact;
  contact.activation_distance = 0.42;  // no vertex is near it
  contact.stiffness = 1e5;
  contact.stick_speed = stick_speed;
  contact.planes.push_back({"ground", {3, 0, -1.3}, {0, 0.6, 0.8}, friction, {}});
  return contact;
}

// The same, of a plane that moves and turns in the time step.
ContactDefinition contact_with_a_moving_plane(double friction, double stick_speed) {
  ContactDefinition contact = contact_below(friction, stick_speed);
  MotionDefinition& motion = contact.planes[0].motion;
  motion.kind = MotionDefinition::Kind::keyframes;
  motion.axis = {0.6, 0, 0.8};
  motion.center = {3, 0, -1};
  motion.keyframes = {{0, {}, 0}, {time_step, {0.03, -0.02, -0.01}, 0.04}};
  return contact;
}

// A bent muscle that contracts and a straight one that extends.
std::shared_ptr<const MusclesDefinition> muscles_of(MuscleLaw law) {
  return line_muscles(
      law, 0.15, {{{0.05, 0.1, 0.1}, {0.25, 0.2, 0.1}, {0.45, 0.3, 0.2}}, {{0.4, 0.1, 0.05}, {0.1, 0.35, 0.25}}}, {4e4, -2e4});
}

struct TermCase {
  const char* name;
  int parameters;
  bool has_lag, depends_on_start;
  std::size_t number;  // in the list of terms
  void (*change)(ElasticBodyDefinition& body, ContactDefinition& contact);
  double step = 1e-3;  // of differences in positions
};

const TermCase term_cases[] = {
    {"Elasticity", 2, false, false, 0, [](ElasticBodyDefinition&, ContactDefinition&) {}},
    {"ElasticityWithStiffnessDamping", 3, true, true, 0,
     [](ElasticBodyDefinition& body, ContactDefinition&) { body.stiffness_damping = 0.01; }},
    {"ElasticityWithFibers", 5, false, false, 0,
     [](ElasticBodyDefinition& body, ContactDefinition&) { body.muscles = muscles_of(MuscleLaw::fiber); }},
    {"ElasticityWithSquaredFibers", 5, false, false, 0,
     [](ElasticBodyDefinition& body, ContactDefinition&) { body.muscles = muscles_of(MuscleLaw::fiber_squared); }},
    {"ElasticityWithLaggedMuscles", 5, true, false, 0,
     [](ElasticBodyDefinition& body, ContactDefinition&) { body.muscles = muscles_of(MuscleLaw::paper); }},
    {"Inertia", 0, false, true, 1, [](ElasticBodyDefinition&, ContactDefinition&) {}},
    {"MassDamping", 1, false, true, 2, [](ElasticBodyDefinition& body, ContactDefinition&) { body.mass_damping = 0.7; }},
    {"Gravity", 3, false, false, 2, [](ElasticBodyDefinition&, ContactDefinition&) {}},
    {"Force", 3, false, false, 3,
     [](ElasticBodyDefinition& body, ContactDefinition&) {
       body.loads = {load_at_end(force_load({10, -20, 30}))};
     }},
    {"Traction", 3, false, false, 3,
     [](ElasticBodyDefinition& body, ContactDefinition&) {
       body.loads = {load_at_end(traction_load({10, -20, 30}))};
     }},
    {"PressureOnAnOpenSurface", 1, true, false, 3,
     [](ElasticBodyDefinition& body, ContactDefinition&) { body.loads = {load_at_end(pressure_load(700))}; }},
    {"PressureOnAClosedSurface", 1, false, false, 3,
     [](ElasticBodyDefinition& body, ContactDefinition&) {
       body.loads = {load_at_end(pressure_load(700))};
       body.loads[0].subset = {};
       body.loads[0].subset.kind = SubsetDefinition::Kind::all;
       body.loads[0].ramp = 2 * time_step;
     }},
    {"Contact", 1, false, false, 3, [](ElasticBodyDefinition&, ContactDefinition& contact) { contact = contact_below(0, 1); }},
    {"SmoothContact", 1, false, false, 3,
     [](ElasticBodyDefinition&, ContactDefinition& contact) {
       contact = contact_below(0, 1);
       contact.shape = BarrierShape::smooth;
     }},
    {"FrictionThatSticks", 1, true, true, 4,
     [](ElasticBodyDefinition&, ContactDefinition& contact) { contact = contact_below(0.4, 10); }, 1e-4},
    {"FrictionThatSlips", 1, true, true, 4,
     [](ElasticBodyDefinition&, ContactDefinition& contact) { contact = contact_below(0.4, 0.01); }, 1e-4},
    {"QuadraticFriction", 1, true, true, 4,
     [](ElasticBodyDefinition&, ContactDefinition& contact) {
       contact = contact_below(0.4, 10);
       contact.friction_law = FrictionLaw::quadratic;
     },
     1e-4},
    {"ContactWithAMovingPlane", 1, false, false, 3,
     [](ElasticBodyDefinition&, ContactDefinition& contact) { contact = contact_with_a_moving_plane(0, 1); }},
    {"FrictionOnAMovingPlane", 1, true, true, 4,
     [](ElasticBodyDefinition&, ContactDefinition& contact) { contact = contact_with_a_moving_plane(0.4, 10); }, 1e-4},
    {"ElasticityOfAnAffineBody", 3, true, true, 0,
     [](ElasticBodyDefinition& body, ContactDefinition&) {
       body.deformation = Deformation::affine;
       body.stiffness_damping = 0.01;
     }},
    {"ContactOfAnAffineBody", 1, false, false, 3,
     [](ElasticBodyDefinition& body, ContactDefinition& contact) {
       body.deformation = Deformation::affine;
       contact = contact_below(0, 1);
     }},
    {"FrictionOfAnAffineBody", 1, true, true, 4,
     [](ElasticBodyDefinition& body, ContactDefinition& contact) {
       body.deformation = Deformation::affine;
       contact = contact_with_a_moving_plane(0.4, 10);
     },
     1e-4}};

ElasticSceneDefinition scene_of(const TermCase& term_case) {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  const auto plugin = host.get<MaterialPlugin>("stable_neo_hookean");
  ElasticBodyDefinition body;
  body.name = "body";
  body.mesh = box_source({0.5, 0.4, 0.3}, 24);
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.4}});
  body.translation = {3, 0, -1};
  ElasticSceneDefinition definition;
  definition.time_step = time_step;
  term_case.change(body, definition.contact);
  definition.bodies = {body};
  return definition;
}

// One term in a disturbed moving state.
class PotentialTermOf : public testing::TestWithParam<TermCase> {
 protected:
  PotentialTermOf() : elastic(scene_of(GetParam())), term(std::move(implicit_euler_terms(elastic)[GetParam().number])) {
    const ElasticState state = initial_state(model);
    at.lagged_at = at.start_positions = disturbed(state.positions, 0.03, 1);
    at.start_velocities = disturbed(state.velocities, 1, 2);
    at.x = disturbed(at.start_positions, 0.03, 3);
    at.parameters = term->parameters();
    at.apply(*term, time_step);
  }
  Eigen::VectorXd direction(std::size_t seed) const { return random_columns(at.x.size(), 1, seed); }
  // Small where eigenvalues of the damping's stiffness may change their sign.
  double step() const { return GetParam().has_lag ? 1e-5 : 1e-3; }

  ElasticScene elastic;
  const ElasticModel& model = *elastic.model;
  std::unique_ptr<PotentialTerm> term;
  TermPoint at;
};

TEST_P(PotentialTermOf, GradientIsTheDerivativeOfTheEnergy) {
  const Eigen::VectorXd gradient = gradient_of(*term, at.x);
  ASSERT_GT(gradient.norm(), 0);
  for (std::size_t seed = 10; seed < 13; ++seed) {
    const Eigen::VectorXd d = direction(seed);
    const double slope = difference([&](double t) { return term->energy(at.x + t * d); }, GetParam().step);
    EXPECT_NEAR(gradient.dot(d), slope, 1e-9 * gradient.norm() * d.norm());
  }
}

TEST_P(PotentialTermOf, HessianIsTheDerivativeOfTheGradient) {
  for (std::size_t seed = 13; seed < 16; ++seed) {
    const Eigen::VectorXd d = direction(seed);
    const Eigen::VectorXd slope = difference([&](double t) { return gradient_of(*term, at.x + t * d); }, GetParam().step);
    const Eigen::VectorXd product = hessian_of(*term, model, at.x, Curvature::exact) * d;
    EXPECT_LT((product - slope).norm(), 1e-10 * product.norm() + 1e-9);
  }
}

TEST_P(PotentialTermOf, ProjectedHessianHasNoNegativeEigenvalueAndOnlyAdds) {
  const Eigen::MatrixXd projected = hessian_of(*term, model, at.x, Curvature::projected);
  const Eigen::MatrixXd exact = hessian_of(*term, model, at.x, Curvature::exact);
  const double scale = projected.norm() + 1e-300;
  EXPECT_GT(symmetric_eigenvalues(projected)[0], -1e-10 * scale);
  EXPECT_GT(symmetric_eigenvalues(projected - exact)[0], -1e-10 * scale);
}

TEST_P(PotentialTermOf, BothDerivativesAtOnceAreThoseOneByOne) {
  for (const Curvature curvature : {Curvature::exact, Curvature::projected}) {
    BlockAssembler assembler(model.pattern().matrix);
    SparseMatrix hessian;
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(at.x.size());
    assembler.begin(hessian, nullptr);
    term->add_derivatives(at.x, curvature, gradient, assembler);
    assembler.finish();
    const Eigen::VectorXd alone = gradient_of(*term, at.x);
    EXPECT_LE((gradient - alone).norm(), 1e-14 * alone.norm());
    EXPECT_EQ(Eigen::MatrixXd(Eigen::MatrixXd(hessian).selfadjointView<Eigen::Lower>()),
              hessian_of(*term, model, at.x, curvature));
  }
}

TEST_P(PotentialTermOf, ParameterGradientIsTheDerivativeOfTheGradient) {
  ASSERT_EQ(term->parameter_count(), GetParam().parameters);
  const Eigen::MatrixXd columns = parameter_gradient_of(*term, at.x);
  for (Eigen::Index k = 0; k < at.parameters.size(); ++k) {
    const double size = at.parameters[k] != 0 ? std::abs(at.parameters[k]) : 1;
    const Eigen::VectorXd slope = difference(
        [&](double t) {
          term->set_parameters(at.parameters + t * Eigen::VectorXd::Unit(at.parameters.size(), k));
          return gradient_of(*term, at.x);
        },
        0.01 * size);
    EXPECT_LT((columns.col(k) - slope).norm(), 1e-11 * (slope.norm() + gradient_of(*term, at.x).norm() / size)) << k;
  }
}

TEST_P(PotentialTermOf, SetParametersGivesTheParameters) {
  const Eigen::VectorXd values = 1.25 * at.parameters;
  if (values.size() > 0) term->set_parameters(values);
  EXPECT_EQ(term->parameters(), values);
}

TEST_P(PotentialTermOf, LagDerivativeIsThatOfTheGradientInPositionsAndParameters) {
  ASSERT_EQ(term->lag_count() > 0, GetParam().has_lag);
  const DerivativeCheck check = check_lag_derivative(*term, at, time_step, step());
  EXPECT_EQ(check.size > 0.1, GetParam().has_lag);
  EXPECT_LE(check.error, 1e-8 * check.size);
}

TEST_P(PotentialTermOf, StartGradientIsTheDerivativeOfTheGradient) {
  const DerivativeCheck check = check_start_gradient(*term, at, time_step, GetParam().step);
  EXPECT_EQ(check.size > 0, GetParam().depends_on_start);
  EXPECT_LE(check.error, 1e-10 * check.size);
}

TEST_P(PotentialTermOf, AdjointHessianIsTheSecondDerivativeOfTheResidual) {
  EXPECT_LT(adjoint_hessian_error(*term, model, at, time_step, step()), GetParam().has_lag ? 1e-8 : 1e-9);
}

TEST_P(PotentialTermOf, LagCurvatureIsTheSecondDerivativeOfTheLag) {
  for (const DerivativeCheck& check : check_lag_curvature(*term, at, time_step, step())) {
    EXPECT_LE(check.error, 1e-7 * check.size);
    EXPECT_EQ(check.size > 0, GetParam().has_lag);
  }
}

INSTANTIATE_TEST_SUITE_P(Terms, PotentialTermOf, testing::ValuesIn(term_cases),
                         [](const auto& term_case) { return std::string(term_case.param.name); });

// A force of springs whose stiffness is a parameter that its author forgot.
struct Forgetful : PotentialTerm {
  Eigen::Index parameters_ = 0, lag_ = 0;
  std::string name() const override { return "forgetful"; }
  double energy(const Eigen::VectorXd&) override { return 0; }
  void add_gradient(const Eigen::VectorXd&, Eigen::VectorXd&) override {}
  void add_hessian(const Eigen::VectorXd&, Curvature, BlockAssembler&) override {}
  void add_adjoint_hessian(const Eigen::VectorXd&, const Eigen::VectorXd&, const TermDirections&, Eigen::MatrixXd&) override {}
  Eigen::Index parameter_count() const override { return parameters_; }
  Eigen::Index lag_count() const override { return lag_; }
};

TEST(PotentialTerm, DefaultsServeTermsWithoutParametersAndLagAlone) {
  Forgetful term;
  const Eigen::VectorXd x = Eigen::VectorXd::Zero(3);
  const Eigen::MatrixXd none(0, 2);
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(3, 1), square = Eigen::MatrixXd::Zero(2, 2);
  EXPECT_EQ(term.parameters().size(), 0);
  EXPECT_NO_THROW(term.add_parameter_gradient(x, columns));
  EXPECT_NO_THROW(term.add_lag_curvature(x, x, none, none, square));
  EXPECT_EQ(term.lag_derivative(Eigen::MatrixXd::Zero(3, 2), none).cols(), 2);
  term.parameters_ = 1;
  EXPECT_THROW(term.parameters(), Error);
  EXPECT_THROW(term.set_parameters(x), Error);
  EXPECT_THROW(term.add_parameter_gradient(x, columns), Error);
  term.lag_ = 2;
  EXPECT_THROW(term.add_lag_gradient(x, Eigen::MatrixXd::Zero(2, 1), columns), Error);
  EXPECT_THROW(term.lag_derivative(columns, none), Error);
  EXPECT_THROW(term.add_lag_curvature(x, x, none, none, square), Error);
}

}  // namespace
}  // namespace holo::test
