#include "path_follower.h"

#include <array>
#include <cmath>
#include <utility>

namespace holo {

namespace {

constexpr double largest_contraction = 0.25;     // of Newton's steps, one after the other
constexpr double negligible_step = 1e-9;         // rounding errors may keep shorter steps from contracting
constexpr double largest_deviation = 0.5;        // of the corrector's first step from the predictor's
constexpr int most_corrections = 12;             // quadratic convergence needs fewer
constexpr double difference = 1e-4;              // of the path's part, for the equations' rate
constexpr double first_crossing = 16;            // smallest ways: far beyond a point that is at most four of them ahead
constexpr double largest_crossing = 0.3;         // way of the states across a change point
constexpr double largest_bend = 0.1;             // of the tangent across a change point
constexpr double interpolation_distance = 0.02;  // way of the states between poses that are interpolated

}  // namespace

PathFollower::PathFollower(const ConstraintEquations& equations, const Eigen::VectorXd& parameters,
                           const KinematicsOptions& options)
    : equations_(equations),
      parameters_(parameters),
      options_(options),
      here_(std::make_unique<EquationSolver>(equations.patterns().states)),
      there_(std::make_unique<EquationSolver>(equations.patterns().states)),
      comparison_(equations.patterns().states),
      residual_(equations.patterns().states.rows(), 1),
      controls_values_(equations.patterns().controls.nonZeros(), 1),
      parameters_values_(equations.patterns().parameters.nonZeros(), 1) {}

double PathFollower::evaluate(const Drive& drive, const Eigen::VectorXd& state) {
  equations_.residual(at(drive, state), residual_);
  return residual_.size() == 0 ? 0 : residual_.cwiseAbs().maxCoeff();
}

bool PathFollower::differentiate(const Drive& drive, const Eigen::VectorXd& state, EquationSolver& solver, double damping) {
  Eigen::Map<Eigen::MatrixXd> values(solver.jacobian().valuePtr(), solver.jacobian().nonZeros(), 1);
  equations_.jacobians(at(drive, state), {values, controls_values_, parameters_values_});
  return solver.factorize(damping);
}

bool PathFollower::begin(const Drive& drive, Eigen::VectorXd& state, int& iterations) {
  if (evaluate(drive, state) < options_.tolerance) return equations_.is_unflipped(at(drive, state), 0);
  if (!differentiate(drive, state, *here_)) return false;
  for (int i = 0; i < options_.max_iterations; ++i) {
    ++iterations;
    if (!differentiate(drive, state, *there_)) return false;
    step_ = -there_->solve(residual_.col(0));
    if (!step_.allFinite() || !descend(drive, state)) return false;
    if (residual_.cwiseAbs().maxCoeff() < options_.tolerance)
      return equations_.is_unflipped(at(drive, state), 0) && differentiate(drive, state, *there_) &&
             comparison_.has_same_orientation(*here_, *there_);
  }
  return false;
}

bool PathFollower::descend(const Drive& drive, Eigen::VectorXd& state) {
  const Eigen::VectorXd from = state;
  const double before = residual_.squaredNorm();
  for (double length = 1; length >= 1e-4; length /= 2) {
    state = from + length * step_;
    const double largest = evaluate(drive, state);
    if (residual_.squaredNorm() <= (1 - 2e-4 * length) * before) return true;
    // The decrease of a residual of the size of rounding errors cannot be seen.
    if (length == 1 && largest < options_.tolerance) return true;
  }
  state = from;
  return false;
}

// Newton's method without damping. If its steps do not contract fast, its limit may belong to another branch, and it stops.
bool PathFollower::correct(const Drive& drive, double largest_first_step, Eigen::VectorXd& state, int& iterations) {
  double last = 0;
  for (int i = 0; i < most_corrections; ++i) {
    if (evaluate(drive, state) < options_.tolerance) return equations_.is_unflipped(at(drive, state), 0);
    ++iterations;
    if (!differentiate(drive, state, *there_)) return false;
    step_ = -there_->solve(residual_.col(0));
    const double length = step_.norm();
    if (!(length <= (i == 0 ? largest_first_step : std::max(largest_contraction * last, negligible_step)))) return false;
    state += step_;
    last = length;
  }
  return false;
}

// One more Newton step, with the factors that the tangent needs anyway.
void PathFollower::polish(const Drive& drive, Eigen::VectorXd& state) {
  const double before = evaluate(drive, state);
  const Eigen::VectorXd from = state;
  state -= there_->solve(residual_.col(0));
  if (!(evaluate(drive, state) <= before)) state = from;
}

// ds/dt = -J^+ dC/dt by the factors of here_.
void PathFollower::find_tangent(const DrivePath& path, double part, const Eigen::VectorXd& state) {
  evaluate(path.at(part + difference), state);
  rate_ = residual_.col(0);
  evaluate(path.at(part - difference), state);
  rate_ = (rate_ - residual_.col(0)) / (2 * difference);
  tangent_ = -here_->solve(rate_);
}

// Predictor and corrector with step control. A step is accepted if the corrector converges fast and no pose between both ends
// can be singular, by a comparison of their Jacobians. The step doubles after fast convergence and halves after a failure.
bool PathFollower::advance(const DrivePath& path, double to, double smallest_way, Eigen::VectorXd& state, Progress& progress) {
  const double direction = to < progress.part ? -1 : 1;
  if (!differentiate(path.at(progress.part), state, *here_)) return false;
  find_tangent(path, progress.part, state);
  double step = std::abs(to - progress.part);
  Eigen::VectorXd trial;
  while (progress.part != to) {
    const double left = std::abs(to - progress.part);
    const bool is_last = step >= left;
    const double next = is_last ? to : progress.part + direction * step, way = (next - progress.part) * tangent_.norm();
    trial = state + (next - progress.part) * tangent_;
    const Drive drive = path.at(next);
    const int before = progress.iterations;
    if (correct(drive, largest_deviation * std::abs(way) + negligible_step, trial, progress.iterations) &&
        differentiate(drive, trial, *there_) && comparison_.is_regular_between(*here_, *there_)) {
      polish(drive, trial);
      state = trial;
      progress.part = next;
      ++progress.parts;
      std::swap(here_, there_);
      find_tangent(path, next, state);
      if (!is_last && progress.iterations - before <= 4) step *= 2;
      continue;
    }
    step = std::min(step, left) / 2;
    if (!(step * tangent_.norm() > smallest_way) || progress.parts > options_.most_parts) return false;
  }
  return true;
}

// Crosses a singular pose from which no short step is safe. At a change point the motion has the same tangent beyond it, so
// that longer and longer steps along the tangent are tried until one arrives on a motion without a bend.
bool PathFollower::cross(const DrivePath& path, Eigen::VectorXd& state, Progress& progress) {
  Eigen::VectorXd trial;
  const Eigen::VectorXd before = tangent_;
  for (double step = first_crossing * options_.smallest_way / before.norm(); step * before.norm() <= largest_crossing;
       step *= 2) {
    const Drive drive = path.at(progress.part + step);
    trial = state + step * before;
    if (!correct(drive, largest_bend * step * before.norm(), trial, progress.iterations)) continue;
    if (!differentiate(drive, trial, *there_)) continue;
    polish(drive, trial);
    std::swap(here_, there_);
    find_tangent(path, progress.part + step, trial);
    std::swap(here_, there_);
    const double bend = (tangent_ - before).norm(), way = (trial - state - step / 2 * (tangent_ + before)).norm();
    if (!(bend <= largest_bend * before.norm() && way <= largest_bend * step * before.norm())) continue;
    // The smallest singular value decreases in proportion to the distance, which gives the position of the point.
    comparison_.is_regular_between(*here_, *there_);
    progress.change_points.push_back(progress.part + step / std::max(comparison_.radius(), 1.0));
    state = trial;
    progress.part += step;
    ++progress.parts;
    return true;
  }
  return false;
}

// Advances along the path and crosses change points. A singular pose that cannot be crossed is a dead point.
bool PathFollower::follow(const DrivePath& path, Eigen::VectorXd& state, Progress& progress, Sides& sides) {
  sides.distance = 0;
  while (!advance(path, 1, options_.smallest_way, state, progress)) {
    const Eigen::VectorXd before = state;
    const double before_part = progress.part;
    if (!cross(path, state, progress)) {
      progress.part = before_part;
      state = before;
      return false;
    }
    if (progress.part >= 1) return interpolate(path, before_part, before, state, progress, sides);
  }
  return true;
}

// The end of the path is at a change point, or so near that Newton's method does not find its pose accurately. The motion
// through it is smooth, so that a polynomial through three regular poses on each side gives the pose.
bool PathFollower::interpolate(const DrivePath& path, double before_part, const Eigen::VectorXd& before, Eigen::VectorXd& state,
                               Progress& progress, Sides& sides) {
  const double speed = (state - before).norm() / (progress.part - before_part);
  const double distance = std::max(std::min(interpolation_distance / speed, 0.5), 2 * (progress.part - before_part));
  const double away = options_.smallest_way / 64;  // the first steps from near the point are short
  std::array<Eigen::VectorXd, 3> earlier, later;
  Eigen::VectorXd pose = state;
  Progress beyond = progress;
  for (int i = 0; i < 3; ++i) {
    if (!advance(path, 1 + (i + 1) * distance, away, pose, beyond)) return false;
    later[std::size_t(i)] = pose;
  }
  pose = before;
  beyond.part = before_part;
  for (int i = 0; i < 3; ++i) {
    if (!advance(path, 1 - (i + 1) * distance, away, pose, beyond)) return false;
    earlier[std::size_t(i)] = pose;
  }
  progress.iterations = beyond.iterations;
  progress.part = 1;
  state = (15 * (earlier[0] + later[0]) - 6 * (earlier[1] + later[1]) + (earlier[2] + later[2])) / 20;
  for (const int first : equations_.layout().state_quaternions()) state.segment<4>(first).normalize();
  sides = {distance, earlier[0], later[0]};
  return evaluate(path.at(1), state) < options_.change_point_tolerance;
}

// Levenberg-Marquardt: the damping decreases after a success and increases after a failure.
const Eigen::MatrixXd& PathFollower::approach(const Drive& drive, Eigen::VectorXd& state) {
  double damping = 1e-3;
  evaluate(drive, state);
  for (int i = 0; i < 200 && damping < 1e8; ++i) {
    const Eigen::VectorXd before = state;
    const double value = residual_.squaredNorm();
    const bool is_factorized = differentiate(drive, state, *there_, damping);
    if ((there_->jacobian().transpose() * residual_).norm() < 1e-10) break;
    if (is_factorized) {
      step_ = -there_->solve(residual_.col(0));
      if (step_.allFinite()) state += step_;
    }
    evaluate(drive, state);
    if (residual_.squaredNorm() < value) {
      damping /= 4;
    } else {
      state = before;
      evaluate(drive, state);
      damping *= 8;
    }
  }
  return residual_;
}

}  // namespace holo
