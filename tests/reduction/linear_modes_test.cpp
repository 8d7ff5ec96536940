// Linear modes against dense solvers and closed forms.
#include "holo/sim/reduction/linear_modes.h"

#include <gtest/gtest.h>

#include <numbers>

#include "holo/core/error.h"
#include "reduced_bodies.h"
#include "reduction/flexibility_pairs.h"

namespace holo::test {
namespace {

// The generalized eigenvalues of what is not prescribed, by Eigen's dense solver on K and M.
Eigen::VectorXd dense_eigenvalues(const std::shared_ptr<const ElasticModel>& model, const ModalSystem& system) {
  std::vector<Eigen::Index> free;
  for (Eigen::Index k = 0; k < system.size(); ++k)
    if (!system.is_prescribed(k)) free.push_back(k);
  const Eigen::MatrixXd K = dense_stiffness(model, system.positions())(free, free);
  const Eigen::MatrixXd M = Eigen::VectorXd(system.masses()(free)).asDiagonal();
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M).eigenvalues();
}

Eigen::MatrixXd mass_product(const ModalSystem& system, const Eigen::MatrixXd& a) {
  return a.transpose() * system.masses().asDiagonal() * a;
}

// 450 elements take Lanczos iterations, 60 the dense solver.
TEST(LinearModes, AreTheLowestOfADenseSolver) {
  for (const int elements : {60, 450}) {
    const auto model = box_model("neo_hookean", {1.0, 0.3, 0.3}, elements);
    const ModalSystem system = clamped(model);
    const LinearModes modes = linear_modes(system, 12);
    const Eigen::VectorXd expected = dense_eigenvalues(model, system);
    for (int i = 0; i < 12; ++i) {
      const double square = modes.frequencies[i] * modes.frequencies[i];
      EXPECT_NEAR(square, expected[i], 1e-9 * expected[i]) << "mode " << i << " of " << elements << " elements";
      EXPECT_LE(modes.residuals[i], 1e-7);
      const double rayleigh = modes.shapes.col(i).dot(system.stiffness_times(modes.shapes.col(i)));
      EXPECT_NEAR(rayleigh, square, 1e-9 * square);
    }
    EXPECT_LE((mass_product(system, modes.shapes) - Eigen::MatrixXd::Identity(12, 12)).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_EQ(system.factorizations(), 1);
  }
}

TEST(LinearModes, OfAFreeBodyAreThoseAboveTheSixRigidOnes) {
  for (const int elements : {60, 450}) {
    const auto model = box_model("stvk", {1.0, 0.3, 0.2}, elements);
    const ModalSystem system(model, model->start_positions(), {{}, true});
    const LinearModes modes = linear_modes(system, 8);
    const Eigen::VectorXd expected = dense_eigenvalues(model, system);
    EXPECT_LE(expected.head(6).cwiseAbs().maxCoeff(), 1e-8 * expected[6]);
    for (int i = 0; i < 8; ++i)
      EXPECT_NEAR(modes.frequencies[i] * modes.frequencies[i], expected[6 + i], 1e-8 * expected[6 + i]);
    EXPECT_LE((system.rigid_motions().transpose() * system.masses().asDiagonal() * modes.shapes).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_EQ(system.factorizations(), 1);
  }
}

TEST(LinearModes, AllOfABodyAreThere) {
  const auto model = box_model("neo_hookean", {1.0, 0.5, 0.5}, 12);
  const ModalSystem system = clamped(model);
  const int all = static_cast<int>(system.degrees_of_freedom());
  const LinearModes modes = linear_modes(system, all);
  const Eigen::VectorXd expected = dense_eigenvalues(model, system);
  for (int i = 0; i < all; ++i) EXPECT_NEAR(modes.frequencies[i] * modes.frequencies[i], expected[i], 1e-9 * expected[all - 1]);
}

// Without Poisson's effect a bar that is clamped at one end vibrates along its axis with the frequency pi/2 sqrt(E/rho)/L;
// lumped masses and elements of a tenth of the length change it by less than 1 %.
TEST(LinearModes, OfABarAlongItsAxisHasTheFrequencyOfTheContinuum) {
  const double E = 1e5, density = 1000, length = 1;
  const auto model = box_model("stvk", {length, 0.1, 0.1}, 600, {{"poissons_ratio", 0.0}});
  const ModalSystem system = clamped(model);
  const LinearModes modes = linear_modes(system, 16);
  const auto part_along = [&](int i) {
    double part = 0;
    for (Eigen::Index k = 0; k < system.size(); k += 3) part += system.masses()[k] * modes.shapes(k, i) * modes.shapes(k, i);
    return part;
  };
  int mode = 0;
  while (mode < 16 && part_along(mode) < 0.9) ++mode;
  ASSERT_LT(mode, 16);
  const double expected = std::numbers::pi / 2 / length * std::sqrt(E / density);
  EXPECT_NEAR(modes.frequencies[mode], expected, 0.01 * expected);
}

// Six equal bodies have each frequency six times, exactly; iterations from one vector see one of them.
std::shared_ptr<const ElasticModel> equal_bodies(std::initializer_list<const char*> names) {
  const auto plugin = material_host().get<MaterialPlugin>("neo_hookean");
  ElasticModelDefinition definition;
  for (const char* name : names) {
    ElasticBodyDefinition body;
    body.name = name;
    body.mesh = [] { return box_mesh({1.0, 0.3, 0.2}, 150); };
    body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
    body.coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.3}});
    definition.bodies.push_back(std::move(body));
  }
  return std::make_shared<const ElasticModel>(definition);
}

TEST(LinearModes, RepeatedFrequenciesAreFoundAsOftenAsTheyOccur) {
  const ModalSystem system = clamped(equal_bodies({"a", "b", "c", "d", "e", "f"}));
  const LinearModes modes = linear_modes(system, 12), expected = linear_modes(clamped(equal_bodies({"a"})), 2);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(modes.frequencies[i], expected.frequencies[i / 6], 1e-9 * modes.frequencies[i]);
  EXPECT_LE((mass_product(system, modes.shapes) - Eigen::MatrixXd::Identity(12, 12)).cwiseAbs().maxCoeff(), 1e-8);
}

// What iterations could return that saw one shape of each of two repeated frequencies, and shapes above them: the others are
// found, each once, and take the place of those above.
TEST(LinearModes, ShapesThatIterationsMissedAreAdded) {
  const ModalSystem system = clamped(equal_bodies({"a", "b", "c"}));
  const FlexibilityPairs right = dense_pairs(system, 9);
  for (const std::vector<Eigen::Index>& seen :
       {std::vector<Eigen::Index>{0, 3, 4, 5, 6, 7}, {3, 4, 5, 6, 7, 8}, {0, 1, 2, 3, 4, 5}}) {
    FlexibilityPairs pairs{right.vectors(Eigen::all, seen), right.values(seen), 0};
    add_missed_pairs(system, pairs);
    EXPECT_GT(pairs.solves, 0);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(pairs.values[i], right.values[i], 1e-9 * right.values[i]) << "pair " << i;
    EXPECT_LE((pairs.vectors.transpose() * pairs.vectors - Eigen::MatrixXd::Identity(6, 6)).cwiseAbs().maxCoeff(), 1e-8);
    const Eigen::MatrixXd lowest = right.vectors.leftCols(6);
    EXPECT_LE((pairs.vectors - lowest * (lowest.transpose() * pairs.vectors)).cwiseAbs().maxCoeff(), 1e-7);
  }
}

TEST(LinearModes, SignsAreChosenByTheShapes) {
  const auto model = box_model("neo_hookean", {1.0, 0.3, 0.3}, 450);
  const LinearModes modes = linear_modes(clamped(model), 6), again = linear_modes(clamped(model), 6);
  EXPECT_EQ(modes.shapes, again.shapes);
  for (int i = 0; i < 6; ++i) {
    const double half = 0.5 * modes.shapes.col(i).cwiseAbs().maxCoeff();
    Eigen::Index k = 0;
    while (std::abs(modes.shapes(k, i)) < half) ++k;
    EXPECT_GT(modes.shapes(k, i), 0);
  }
}

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "nothing was refused";
}

void expect_refusal(const std::function<void()>& call, const std::string& part) {
  const std::string text = refusal_of(call);
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(LinearModesBadInput, NumbersOfModesBeyondTheDegreesOfFreedomAreRefused) {
  const auto model = box_model("neo_hookean", {1.0, 0.5, 0.5}, 12);
  const ModalSystem system = clamped(model);
  const std::string most = std::to_string(system.degrees_of_freedom());
  expect_refusal([&] { linear_modes(system, int(system.degrees_of_freedom()) + 1); }, "the model has 1 to " + most);
  expect_refusal([&] { linear_modes(system, 0); }, "0 modes are wanted");
}

TEST(LinearModesBadInput, BodiesThatCanMoveAreRefused) {
  const auto model = box_model("neo_hookean", {1.0, 0.5, 0.5}, 12);
  const Eigen::VectorXd& x = model->start_positions();
  expect_refusal([&] { ModalSystem(model, x, {}); }, "the body 'bar' can move rigidly, with 0 prescribed vertices");
  expect_refusal([&] { ModalSystem(model, x, {{0}, false}); }, "can move rigidly, with 1 prescribed");
  expect_refusal([&] { ModalSystem(model, x, {{0, 1}, false}); }, "can move rigidly, with 2 prescribed");
  expect_refusal([&] { ModalSystem(model, x, {{0}, true}); }, "a free body prescribes vertices");
  expect_refusal([&] { ModalSystem(model, x, {{0, model->vertex_count()}, false}); }, "prescribes the vertex");
  expect_refusal([&] { ModalSystem(model, x, {{-1}, false}); }, "prescribes the vertex -1");
  expect_refusal([&] { ModalSystem(model, x.head(6), {{}, true}); }, "got 6 coordinates");
}

TEST(LinearModesBadInput, AffineBodiesAreRefused) {
  const auto plugin = material_host().get<MaterialPlugin>("neo_hookean");
  const auto model = box_of(std::shared_ptr<const holo_material>(plugin, &plugin->abi()),
                            plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.3}}), {1.0, 0.5, 0.5}, 12, {},
                            Deformation::affine);
  expect_refusal([&] { ModalSystem(model, model->start_positions(), {{}, true}); }, "'bar' deforms by one affine map");
}

// Compressed to 70 % between two clamped ends, a slender bar buckles; a free one that is stretched turns under stress.
TEST(LinearModesBadInput, StatesUnderStressAreRefused) {
  const auto model = box_model("stvk", {1.0, 0.05, 0.05}, 300);
  Eigen::VectorXd x = model->start_positions();
  std::vector<int> ends;
  for (int v = 0; v < model->vertex_count(); ++v)
    if (x[3 * v] < 1e-9 || x[3 * v] > 1 - 1e-9) ends.push_back(v);
  for (Eigen::Index k = 0; k < x.size(); k += 3) x[k] *= 0.7;
  expect_refusal([&] { ModalSystem(model, x, {ends, false}); }, "the equilibrium is not stable");
  expect_refusal([&] { ModalSystem(model, x, {{}, true}); }, "the free body is under stress");
}

}  // namespace
}  // namespace holo::test
