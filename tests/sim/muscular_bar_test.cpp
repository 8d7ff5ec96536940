// Equilibria of a bar of one fiber: closed forms, and the table of docs/elastic-dynamics.md#muscles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "holo/sim/dynamics/elastic_term.h"
#include "term_checks.h"

namespace holo::test {
namespace {

constexpr double bar_poissons_ratio = 0.45, bar_shear_modulus = 1e5 / (2 * (1 + bar_poissons_ratio));
constexpr std::array<double, 3> bar_size = {0.5, 0.4, 0.3};
const char* const bar_law_names[] = {"fiber", "fiber_squared", "paper"};

// Stretches along and across the bar.
struct Stretches {
  double along = 1, across = 1;
  double determinant() const { return along * across * across; }
};

// A bar along x of [Shen2024] Eq 2 with one fiber, whose weight is 1 everywhere, free across.
class MuscularBar {
 public:
  MuscularBar(MuscleLaw law, double activation_over_shear_modulus) : scene_(definition(law)), terms_(static_terms(scene_)) {
    // As a parameter: scenes refuse some activations of bars without equilibrium.
    Eigen::VectorXd parameters = terms_[0]->parameters();
    parameters.tail(1).setConstant(activation_over_shear_modulus * bar_shear_modulus);
    terms_[0]->set_parameters(parameters);
  }

  // Forces along both stretches over volume and shear modulus, of x = F X; the law `paper` takes its stress at x, too. All laws
  // have the forces of their stress, but not all have an energy.
  Eigen::Vector2d forces(const Eigen::Vector2d& stretches) {
    Eigen::VectorXd x = scene_.model->start_positions();
    for (Eigen::Index v = 0; v < x.size(); v += 3)
      x.segment<3>(v) = x.segment<3>(v).cwiseProduct(Eigen::Vector3d(stretches[0], stretches[1], stretches[1]));
    terms_[0]->update_lag(x);
    const Eigen::VectorXd products = gradient_of(*terms_[0], x).cwiseProduct(scene_.model->start_positions());
    Eigen::Vector2d sum(0, 0);
    for (Eigen::Index v = 0; v < x.size(); v += 3) sum += Eigen::Vector2d(products[v], products[v + 1] + products[v + 2]);
    return sum / (bar_size[0] * bar_size[1] * bar_size[2] * bar_shear_modulus);
  }
  // Where the forces vanish, by Newton's method on differences; steps of at most 0.2.
  Stretches equilibrium() {
    Eigen::Vector2d at(1, 1), step(1, 1);
    for (int iteration = 0; iteration < 60 && step.norm() > 1e-12; ++iteration) {
      Eigen::Matrix2d slopes;
      for (int j = 0; j < 2; ++j)
        slopes.col(j) = difference([&](double t) { return forces(at + t * Eigen::Vector2d::Unit(j)); }, 1e-3);
      step = slopes.inverse() * forces(at);
      at -= step * std::min(1.0, 0.2 / step.norm());
    }
    EXPECT_LT(forces(at).norm(), 1e-10);
    return {at[0], at[1]};
  }

 private:
  static ElasticSceneDefinition definition(MuscleLaw law) {
    ElasticBodyDefinition body = hand_body(HandEnergy::stable, box_source(bar_size, 60), 1e5, bar_poissons_ratio);
    // Of the center, with a width beside which the body is a point: the weights are 1 - 1e-13.
    body.muscles = line_muscles(law, 1e6, {{{0.2, 0.2, 0.15}, {0.3, 0.2, 0.15}}}, {0});
    ElasticSceneDefinition result;
    result.gravity = {0, 0, 0};
    result.bodies = {body};
    return result;
  }

  ElasticScene scene_;
  PotentialTerms terms_;
};

constexpr MuscleLaw all_laws[] = {MuscleLaw::fiber, MuscleLaw::fiber_squared, MuscleLaw::paper};

// The stretch along the bar and the determinant, over the activation over the shear modulus, of
// docs/elastic-dynamics.md#muscles. A program of its own found them, with 30 digits.
struct TableRow {
  double activation;
  std::array<double, 3> along, determinant;  // [law]; 0: no equilibrium
};
constexpr TableRow table[] = {
    {-3, {3.110, 0, 1.921}, {1.068, 0, 1.048}},           {-1, {1.475, 0, 1.338}, {1.032, 0, 1.025}},
    {-0.5, {1.203, 1.269, 1.172}, {1.017, 1.021, 1.015}}, {0.5, {0.852, 0.869, 0.830}, {0.983, 0.985, 0.980}},
    {1, {0.744, 0.786, 0.676}, {0.966, 0.973, 0.952}},    {2, {0.599, 0.682, 0.449}, {0.933, 0.953, 0.877}},
    {3, {0.507, 0.617, 0.320}, {0.903, 0.938, 0.787}},    {6, {0.359, 0.505, 0.165}, {0.822, 0.902, 0.494}}};

// The rounding of the table is 5e-4.
TEST(MuscularBar, HasTheStretchesOfTheTable) {
  for (const MuscleLaw law : all_laws)
    for (const TableRow& row : table) {
      if (row.along[std::size_t(law)] == 0) continue;
      const Stretches found = MuscularBar(law, row.activation).equilibrium();
      EXPECT_NEAR(found.along, row.along[std::size_t(law)], 5.01e-4) << bar_law_names[int(law)] << " " << row.activation;
      EXPECT_NEAR(found.determinant(), row.determinant[std::size_t(law)], 5.01e-4)
          << bar_law_names[int(law)] << " " << row.activation;
    }
}

// Closed form: s - r^2 + L (s r^2 - 1) r^2 + a g(s, r) = 0 along and r - s r + L (s r^2 - 1) s r = 0 across, for the stretches
// s and r. g is the slope of the law's energy, of `paper` what a stress of 1 along the bar pulls with on the area across it.
TEST(MuscularBar, HasTheStretchAtWhichItsStressVanishes) {
  const double L = 1 + 2 * bar_poissons_ratio / (1 - 2 * bar_poissons_ratio);
  for (const MuscleLaw law : all_laws)
    for (const TableRow& row : table) {
      if (row.along[std::size_t(law)] == 0) continue;
      const Stretches found = MuscularBar(law, row.activation).equilibrium();
      const double s = found.along, r = found.across, J = found.determinant();
      const double pull = law == MuscleLaw::fiber ? s / std::hypot(s, 1e-4) : law == MuscleLaw::fiber_squared ? s : r * r;
      EXPECT_NEAR(s - r * r + L * (J - 1) * r * r + row.activation * pull, 0, 1e-11)
          << bar_law_names[int(law)] << " " << row.activation;
      EXPECT_NEAR(r - s * r + L * (J - 1) * s * r, 0, 1e-11) << bar_law_names[int(law)] << " " << row.activation;
    }
}

// From a = -mu on: at each stretch along, where the bar rests across, its force still extends it.
TEST(MuscularBar, OfTheSquaredLawExtendsWithoutEndUnderStrongExtension) {
  for (const double activation : {-1.0, -3.0}) {
    MuscularBar bar(MuscleLaw::fiber_squared, activation);
    for (double along = 0.5; along < 1000; along *= 2) {
      double across = 1 / std::sqrt(along);
      for (int iteration = 0; iteration < 20; ++iteration)
        across -= bar.forces({along, across})[1] / difference(
                                                       [&](double t) {
                                                         return bar.forces({along, across + t})[1];
                                                       },
                                                       1e-3 * across);
      EXPECT_NEAR(bar.forces({along, across})[1], 0, 1e-9 * along);
      EXPECT_LT(bar.forces({along, across})[0], 0) << activation << " " << along;
    }
  }
}

}  // namespace
}  // namespace holo::test
