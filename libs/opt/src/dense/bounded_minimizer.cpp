#include "holo/opt/dense/bounded_minimizer.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace holo {

namespace {

constexpr double violated = 1e-13;   // by more than that
constexpr double dependent = 1e-10;  // the relative length across the active normals below which a normal depends on them

// In the coordinates z = L^T x the function is half the squared distance from the minimizer without bounds. So a z on active
// bounds is that point minus a combination of their outward normals, whose coefficients are the multipliers.
class DualActiveSet {
 public:
  DualActiveSet(const Eigen::MatrixXd& cholesky, const LinearBounds& bounds, const Eigen::VectorXd& x)
      : bounds_(bounds),
        normals_(cholesky.triangularView<Eigen::Lower>().solve(bounds.normals.transpose())),
        point_(cholesky.triangularView<Eigen::Lower>().transpose() * x) {}

  // Adds violated bounds one after the other, the most violated first. Each addition increases the function, so that no set of
  // active bounds returns; the limit is for rounding errors.
  bool solve() {
    const int most_additions = 50 * (int(bounds_.lower.size()) + 1);
    for (int additions = 0; additions < most_additions; ++additions) {
      const Bound next = most_violated();
      if (next.number < 0) return true;
      if (!add(next)) return false;
    }
    return false;
  }

  bool is_moved() const { return is_moved_; }
  const Eigen::VectorXd& point() const { return point_; }

  void store(Eigen::VectorXd& multipliers) const {
    multipliers.setZero(bounds_.lower.size());
    for (const Bound& bound : active_) multipliers[bound.number] = bound.sign * bound.multiplier;
  }

 private:
  struct Bound {
    int number = -1;
    double sign = 1;  // 1 of an upper bound, -1 of a lower one: sign times the normal points outward
    double multiplier = 0;
  };

  Eigen::VectorXd normal(const Bound& bound) const { return bound.sign * normals_.col(bound.number); }
  double violation(const Bound& bound) const {
    const double value = normals_.col(bound.number).dot(point_);
    return bound.sign > 0 ? value - bounds_.upper[bound.number] : bounds_.lower[bound.number] - value;
  }

  Bound most_violated() const {
    Bound most;
    double largest = violated;
    for (int i = 0; i < int(bounds_.lower.size()); ++i) {
      if (std::any_of(active_.begin(), active_.end(), [i](const Bound& each) { return each.number == i; })) continue;
      for (const double sign : {1.0, -1.0}) {
        const Bound bound{i, sign, 0};
        if (const double amount = violation(bound); amount > largest) {
          largest = amount;
          most = bound;
        }
      }
    }
    return most;
  }

  // normal = N along + across, with the active normals N and across orthogonal to them.
  void split(const Eigen::VectorXd& of, Eigen::VectorXd& along, Eigen::VectorXd& across) const {
    Eigen::MatrixXd active(of.size(), Eigen::Index(active_.size()));
    for (std::size_t i = 0; i < active_.size(); ++i) active.col(Eigen::Index(i)) = normal(active_[i]);
    along.setZero(active.cols());
    if (!active_.empty()) along = active.householderQr().solve(of);
    across = of - active * along;
  }

  // Increases the bound's multiplier until the bound holds. On the way the multipliers of active bounds change so that these
  // stay active; one that would change its sign leaves the set.
  bool add(Bound bound) {
    const Eigen::VectorXd outward = normal(bound);
    Eigen::VectorXd along, across;
    for (;;) {
      split(outward, along, across);
      const bool is_dependent = !(across.norm() > dependent * outward.norm());
      constexpr double never = std::numeric_limits<double>::infinity();
      const double full = is_dependent ? never : std::max(violation(bound), 0.0) / across.squaredNorm();
      double partial = never;
      std::size_t blocking = 0;
      for (std::size_t i = 0; i < active_.size(); ++i) {
        const double rate = along[Eigen::Index(i)];
        if (!(rate > dependent) || active_[i].multiplier / rate >= partial) continue;
        partial = active_[i].multiplier / rate;
        blocking = i;
      }
      const double step = std::min(full, partial);
      if (step == never) return false;
      for (std::size_t i = 0; i < active_.size(); ++i)
        active_[i].multiplier = std::max(active_[i].multiplier - step * along[Eigen::Index(i)], 0.0);
      bound.multiplier += step;
      if (!is_dependent) point_ -= step * across;
      is_moved_ = true;
      if (full <= partial) break;
      active_.erase(active_.begin() + std::ptrdiff_t(blocking));
    }
    active_.push_back(bound);
    return true;
  }

  const LinearBounds& bounds_;
  Eigen::MatrixXd normals_;  // L^-1 times those of x, [unknown][bound]
  Eigen::VectorXd point_;
  std::vector<Bound> active_;
  bool is_moved_ = false;
};

}  // namespace

bool minimize_within(const Eigen::MatrixXd& cholesky, const LinearBounds& bounds, Eigen::VectorXd& x,
                     Eigen::VectorXd& multipliers) {
  DualActiveSet set(cholesky, bounds, x);
  if (!set.solve()) return false;
  set.store(multipliers);
  if (!set.is_moved()) return true;
  x = set.point();
  cholesky.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
  return true;
}

}  // namespace holo
