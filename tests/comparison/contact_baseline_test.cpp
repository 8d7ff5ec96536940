// The complementarity problem of contact that barriers are compared with, against closed forms and brute force.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <vector>

#include "holo/comparison/contact_branches.h"
#include "holo/comparison/contact_gauss_seidel.h"
#include "small_contact_problems.h"

namespace holo_test {
namespace {

using namespace holo::comparison;

Eigen::VectorXd activation(double u) { return Eigen::VectorXd::Constant(1, u); }

// tan 0.3 = 0.309 < 0.5: friction carries the weight along the plane.
TEST(ContactForces, HoldAPointOnAPlaneThatIsNotTooSteep) {
  const InclinedPoint point;
  const ContactProblem problem = point.problem();
  const GaussSeidelResult found = solve_contact_forces(problem, activation(0));
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.forces[0], point.normal_force(), 1e-9);
  EXPECT_NEAR(found.forces[1], point.weight_along(), 1e-9);
  EXPECT_NEAR(contact_displacements(problem, activation(0), found.forces).norm(), 0, 1e-12);
}

// tan 0.6 = 0.684 > 0.5: it slides by h^2 g (sin - mu cos).
TEST(ContactForces, LetAPointSlideOnASteepPlane) {
  InclinedPoint point;
  point.angle = 0.6;
  const ContactProblem problem = point.problem();
  const GaussSeidelResult found = solve_contact_forces(problem, activation(0));
  const Eigen::VectorXd w = contact_displacements(problem, activation(0), found.forces);
  EXPECT_NEAR(found.forces[1], 0.5 * point.normal_force(), 1e-9);
  EXPECT_NEAR(w[1], -1e-4 * 9.81 * (std::sin(0.6) - 0.5 * std::cos(0.6)), 1e-12);
}

TEST(ContactForces, VanishWhereAPointLeavesThePlane) {
  ContactProblem problem = InclinedPoint{}.problem();
  problem.free[0] = 1e-3;
  const GaussSeidelResult found = solve_contact_forces(problem, activation(0));
  EXPECT_EQ(found.forces.norm(), 0);
}

// Each law by itself: gaps and forces are not negative and not both positive; friction is within its limit, and at it, against
// the motion, where a contact slides.
TEST(ContactForces, ObeyTheLawsOfCoupledContacts) {
  int touching = 0;
  for (const int contacts : {1, 2, 3, 8}) {
    const ContactProblem problem = coupled_contacts(contacts, 5);
    const Eigen::VectorXd u = Eigen::Vector2d(0.3, -0.2);
    const GaussSeidelResult found = solve_contact_forces(problem, u, {.tolerance = 1e-12});
    ASSERT_TRUE(found.converged);
    const Eigen::VectorXd w = contact_displacements(problem, u, found.forces);
    for (int i = 0; i < contacts; ++i) {
      const double normal = found.forces[3 * i];
      touching += normal > 0;
      EXPECT_GE(normal, 0);
      EXPECT_GE(w[3 * i], -1e-11);
      EXPECT_NEAR(normal * w[3 * i], 0, 1e-10);
      for (int row = 3 * i + 1; row < 3 * i + 3; ++row) {
        EXPECT_LE(std::abs(found.forces[row]), 0.5 * normal + 1e-11);
        if (std::abs(w[row]) > 1e-9) {
          EXPECT_NEAR(found.forces[row], w[row] > 0 ? -0.5 * normal : 0.5 * normal, 1e-10);
        }
      }
    }
    EXPECT_LE(complementarity_residual(problem, found.forces, w), 1e-12);
  }
  EXPECT_GE(touching, 3);
}

// The residual is 0 for solutions alone: a force of the wrong size, or along the motion, is seen.
TEST(ComplementarityResidual, SeesEachLawBroken) {
  InclinedPoint point;
  point.angle = 0.6;
  const ContactProblem problem = point.problem();
  const GaussSeidelResult found = solve_contact_forces(problem, activation(0));
  const auto residual = [&](const Eigen::VectorXd& f) {
    return complementarity_residual(problem, f, contact_displacements(problem, activation(0), f));
  };
  EXPECT_LE(residual(found.forces), 1e-12);
  for (const Eigen::Vector3d& change : {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(-1, 0, 0), Eigen::Vector3d(0, -1, 0),
                                        Eigen::Vector3d(0, 1, 0), Eigen::Vector3d(0, 0, 1)})
    EXPECT_GE(residual(found.forces + change), 0.9 * point.per_force());
}

// The point shall move up the plane by 1 mm, against its weight and friction P = m g (sin + mu cos): where it slides up,
// w = (u - P) b, and the smallest (w - t)^2/h^2 + c u^2 has u = b (t + b P)/(b^2 + c h^2). Standing still without effort is a
// minimum of its branch inside of it, which a search from there does not leave; only all branches, or a search that begins with
// a point that slides, find the better one.
TEST(Branches, TakeAPointUpThePlane) {
  InclinedPoint point;
  point.target = 1e-3;
  const ContactProblem problem = point.problem();
  const double b = point.per_force(), against = point.weight_along() + 0.5 * point.normal_force(), hh = point.step * point.step;
  const double u = b * (1e-3 + b * against) / (b * b + point.effort * hh), miss = (u - against) * b - 1e-3;
  const double slides = miss * miss / hh + point.effort * u * u, stands = 1e-6 / hh;
  ASSERT_LT(slides, 0.2 * stands);
  const auto from = [&](double start) {
    return search_branches(problem, activation(start), solve_contact_forces(problem, activation(start)).forces);
  };
  EXPECT_NEAR(from(0).objective, stands, 1e-12);
  EXPECT_NEAR(from(20).objective, slides, 1e-12);
  EXPECT_NEAR(from(20).activations[0], u, 1e-8);
  EXPECT_NEAR(search_all_branches(problem).objective, slides, 1e-12);
}

// The minimum over all branches by enumeration in (u, f): for each of the 10^n branches, and each set of at most two active
// conditions, the point of the conditions of optimality. Its forces are unknowns, and no elimination is shared with the code.
class EnumeratedMinimum {
 public:
  explicit EnumeratedMinimum(const ContactProblem& problem) : p_(problem), size_(p_.activations() + 3 * p_.contacts()) {
    std::vector<int> branch(std::size_t(p_.contacts()), 0);
    for (;;) {
      look_at(branch);
      std::size_t i = 0;
      while (i < branch.size() && ++branch[i] == 10) branch[i++] = 0;
      if (i == branch.size()) break;
    }
  }
  double value() const { return best_; }

 private:
  struct Row {
    Eigen::VectorXd a;  // a . z + c
    double c = 0;
  };
  Row force(Eigen::Index row) const { return {Eigen::VectorXd::Unit(size_, p_.activations() + row), 0}; }
  Row displacement(Eigen::Index row) const {
    Eigen::VectorXd a(size_);
    a << p_.by_activations.row(row).transpose(), p_.by_forces.row(row).transpose();
    return {a, p_.free[row]};
  }
  static Row sum(double s, const Row& a, double t, const Row& b) { return {s * a.a + t * b.a, s * a.c + t * b.c}; }

  void look_at(const std::vector<int>& branch) {
    equations_.clear();
    conditions_.clear();
    for (std::size_t i = 0; i < branch.size(); ++i) {
      const Eigen::Index n = Eigen::Index(3 * i);
      const double mu = p_.friction[Eigen::Index(i)];
      if (branch[i] == 9) {
        for (int k = 0; k < 3; ++k) equations_.push_back(force(n + k));
        conditions_.push_back(displacement(n));
        continue;
      }
      equations_.push_back(displacement(n));
      conditions_.push_back(force(n));
      const int signs[] = {branch[i] % 3 - 1, branch[i] / 3 - 1};
      for (int a = 0; a < 2; ++a) {
        const Row f = force(n + 1 + a), w = displacement(n + 1 + a);
        if (signs[a] == 0) {
          equations_.push_back(w);
          conditions_.push_back(sum(mu, force(n), 1, f));
          conditions_.push_back(sum(mu, force(n), -1, f));
        } else {
          equations_.push_back(sum(signs[a] * mu, force(n), 1, f));
          conditions_.push_back({signs[a] * w.a, signs[a] * w.c});
        }
      }
    }
    for (Eigen::Index j = 0; j < p_.activations(); ++j) {
      conditions_.push_back({-Eigen::VectorXd::Unit(size_, j), p_.bounds.upper[j]});
      conditions_.push_back({Eigen::VectorXd::Unit(size_, j), -p_.bounds.lower[j]});
    }
    const int count = int(conditions_.size());
    for (int i = -1; i < count; ++i)
      for (int j = i < 0 ? -1 : i + 1; j < (i < 0 ? 0 : count); ++j) {
        active_ = equations_;
        if (i >= 0) active_.push_back(conditions_[std::size_t(i)]);
        if (i >= 0 && j >= 0) active_.push_back(conditions_[std::size_t(j)]);
        look_at_active();
      }
    for (const Row& only : conditions_) {
      active_ = equations_;
      active_.push_back(only);
      look_at_active();
    }
  }

  void look_at_active() {
    const Eigen::Index k = Eigen::Index(active_.size());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size_ + k, size_ + k);
    Eigen::VectorXd right(size_ + k);
    matrix.topLeftCorner(size_, size_) = p_.hessian;
    right.head(size_) = -p_.gradient;
    for (Eigen::Index i = 0; i < k; ++i) {
      matrix.col(size_ + i).head(size_) = active_[std::size_t(i)].a;
      matrix.row(size_ + i).head(size_) = active_[std::size_t(i)].a;
      right[size_ + i] = -active_[std::size_t(i)].c;
    }
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(matrix);
    const Eigen::VectorXd z = lu.solve(right).head(size_);
    if (!z.allFinite()) return;
    for (const Row& row : active_)
      if (std::abs(row.a.dot(z) + row.c) > 1e-9) return;  // a singular choice
    for (const Row& row : conditions_)
      if (row.a.dot(z) + row.c < -1e-9) return;
    best_ = std::min(best_, contact_objective(p_, z.head(p_.activations()), z.tail(3 * p_.contacts())));
  }

  const ContactProblem& p_;
  Eigen::Index size_;
  std::vector<Row> equations_, conditions_, active_;
  double best_ = std::numeric_limits<double>::infinity();
};

TEST(Branches, AllOfThemHaveTheMinimumOfEnumeration) {
  for (const int contacts : {1, 2})
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const ContactProblem problem = coupled_contacts(contacts, seed);
      const BranchSearchResult all = search_all_branches(problem);
      const double least = EnumeratedMinimum(problem).value();
      EXPECT_EQ(all.branches, std::pow(10, contacts));
      EXPECT_NEAR(all.objective, least, 1e-9 * (1 + std::abs(least))) << contacts << " " << seed;
    }
}

// A search that follows the ends of branches finds a point that obeys the laws, never below the least of all, and mostly there.
TEST(Branches, SearchEndsAtSolutionsOfTheLaws) {
  int global = 0, searches = 0;
  for (const int contacts : {1, 2, 3})
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const ContactProblem problem = coupled_contacts(contacts, seed);
      const Eigen::VectorXd rest = Eigen::VectorXd::Zero(2);
      const GaussSeidelResult start = solve_contact_forces(problem, rest);
      const BranchSearchResult found = search_branches(problem, rest, start.forces);
      ASSERT_EQ(found.status, BranchSearchStatus::stationary);
      const Eigen::VectorXd w = contact_displacements(problem, found.activations, found.forces);
      EXPECT_LE(complementarity_residual(problem, found.forces, w), 1e-9) << contacts << " " << seed;
      EXPECT_LE(found.activations.lpNorm<Eigen::Infinity>(), 1 + 1e-12);
      EXPECT_LE(found.objective, contact_objective(problem, rest, start.forces) + 1e-9);
      const double least = search_all_branches(problem).objective;
      EXPECT_GE(found.objective, least - 1e-9 * (1 + std::abs(least)));
      ++searches;
      global += found.objective <= least + 1e-6 * (1 + std::abs(least));
    }
  EXPECT_GE(global, searches / 2) << "of " << searches;
  RecordProperty("global", global);
}

// From no force, the point first touches and slides down, and then sticks.
TEST(Branches, PivotFromOtherForcesToTheBranchOfTheStart) {
  InclinedPoint point;
  point.target = 1e-3;
  const ContactProblem problem = point.problem();
  const BranchSearchResult found = search_branches(problem, activation(0), Eigen::Vector3d::Zero());
  EXPECT_EQ(found.status, BranchSearchStatus::stationary);
  EXPECT_EQ(found.pivots, 2);
  EXPECT_NEAR(found.forces[0], point.normal_force(), 1e-9);
  EXPECT_NEAR(found.forces[1], point.weight_along(), 1e-9);
}

TEST(Branches, StopAtTheirLimit) {
  const ContactProblem problem = coupled_contacts(3, 2);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(2);
  const GaussSeidelResult start = solve_contact_forces(problem, rest);
  const BranchSearchResult found = search_branches(problem, rest, start.forces, {.max_branches = 1});
  EXPECT_EQ(found.branches, 1);
  EXPECT_EQ(found.status, BranchSearchStatus::branch_limit);
  EXPECT_EQ(search_branches(problem, rest, start.forces + Eigen::VectorXd::Ones(9), {.max_pivots = 0}).status,
            BranchSearchStatus::no_start);
}

}  // namespace
}  // namespace holo_test
