#include "holo/sim/mechanism/forward_kinematics.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <cmath>

#include "holo/core/joint_plugin.h"
#include "holo/core/singular_values.h"

namespace holo {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

// Solves J ds = -r: exactly where J is square, else in the sense of least squares.
class RowSolver {
 public:
  explicit RowSolver(const Sparse& pattern) : jacobian_(pattern) {
    if (is_square())
      lu_.analyzePattern(jacobian_);
    else
      normal_.analyzePattern(Sparse(jacobian_.transpose() * jacobian_));
  }

  Sparse& jacobian() { return jacobian_; }

  // False where the matrix is singular to working precision. `damping` only in the sense of least squares.
  bool solve(const Eigen::VectorXd& residual, double damping, Eigen::VectorXd& step) {
    if (is_square() && damping == 0) {
      lu_.factorize(jacobian_);
      if (lu_.info() != Eigen::Success) return false;
      step = -lu_.solve(residual);
    } else {
      Sparse matrix = jacobian_.transpose() * jacobian_;
      for (int k = 0; k < matrix.cols(); ++k) matrix.coeffRef(k, k) += damping;
      normal_.compute(matrix);
      if (normal_.info() != Eigen::Success) return false;
      step = -normal_.solve(jacobian_.transpose() * residual);
    }
    return step.allFinite();
  }

 private:
  bool is_square() const { return jacobian_.rows() == jacobian_.cols(); }
  Sparse jacobian_;
  Eigen::SparseLU<Sparse, Eigen::COLAMDOrdering<int>> lu_;
  Eigen::SimplicialLDLT<Sparse> normal_;
};

// One instant's controls and prescribed coordinates.
struct Drive {
  Eigen::MatrixXd controls, prescribed;  // one column
};

class Follower {
 public:
  Follower(const MechanismRows& rows, const Eigen::VectorXd& parameters, const KinematicsOptions& options)
      : rows_(rows),
        parameters_(parameters),
        options_(options),
        solver_(rows.patterns().states),
        residual_(rows.patterns().states.rows(), 1),
        controls_values_(rows.patterns().controls.nonZeros(), 1),
        parameters_values_(rows.patterns().parameters.nonZeros(), 1) {}

  enum class Outcome { solved, diverged, flipped, jumped };

  // Newton with Armijo's rule on the squared residual.
  Outcome solve(const Drive& drive, Eigen::MatrixXd& state, int& iterations) {
    const Eigen::MatrixXd start = state;
    double first_step = -1;
    evaluate(drive, state);
    for (int i = 0; i < options_.max_iterations; ++i) {
      if (residual_.cwiseAbs().maxCoeff() < options_.tolerance) return judge(drive, state, (state - start).norm(), first_step);
      ++iterations;
      differentiate(drive, state);
      if (!solver_.solve(residual_, 0, step_)) return Outcome::diverged;
      if (first_step < 0) first_step = step_.norm();
      if (!descend(drive, state)) return Outcome::diverged;
    }
    return Outcome::diverged;
  }

  // Levenberg-Marquardt to the least residual, for the diagnosis.
  void approach(const Drive& drive, Eigen::MatrixXd& state) {
    double damping = 1e-3;
    evaluate(drive, state);
    for (int i = 0; i < 200 && damping < 1e8; ++i) {
      const Eigen::MatrixXd before = state;
      const double value = residual_.squaredNorm();
      differentiate(drive, state);
      if ((solver_.jacobian().transpose() * residual_).norm() < 1e-10) return;
      if (solver_.solve(residual_, damping, step_)) state += step_;
      evaluate(drive, state);
      if (residual_.squaredNorm() < value) {
        damping /= 4;
      } else {
        state = before;
        evaluate(drive, state);
        damping *= 8;
      }
    }
  }

  const Eigen::MatrixXd& residual() const { return residual_; }
  MechanismInstants at(const Drive& drive, const Eigen::MatrixXd& state) const {
    return {state, drive.controls, parameters_, drive.prescribed};
  }

 private:
  void evaluate(const Drive& drive, const Eigen::MatrixXd& state) { rows_.residual(at(drive, state), residual_); }
  void differentiate(const Drive& drive, const Eigen::MatrixXd& state) {
    Eigen::Map<Eigen::MatrixXd> values(solver_.jacobian().valuePtr(), solver_.jacobian().nonZeros(), 1);
    rows_.jacobians(at(drive, state), {values, controls_values_, parameters_values_});
  }

  bool descend(const Drive& drive, Eigen::MatrixXd& state) {
    const Eigen::MatrixXd from = state;
    const double before = residual_.squaredNorm();
    for (double length = 1; length >= 1e-4; length /= 2) {
      state = from + length * step_;
      evaluate(drive, state);
      if (residual_.squaredNorm() <= (1 - 2e-4 * length) * before) return true;
      // Rounding errors hide the decrease of a residual that is as small as they are.
      if (length == 1 && residual_.cwiseAbs().maxCoeff() < options_.tolerance) return true;
    }
    state = from;
    return false;
  }

  Outcome judge(const Drive& drive, const Eigen::MatrixXd& state, double moved, double predicted) const {
    if (!rows_.is_unflipped(at(drive, state), 0)) return Outcome::flipped;
    return predicted >= 0 && moved > 3 * predicted + 0.5 ? Outcome::jumped : Outcome::solved;
  }

  const MechanismRows& rows_;
  const Eigen::VectorXd& parameters_;
  const KinematicsOptions& options_;
  RowSolver solver_;
  Eigen::MatrixXd residual_, controls_values_, parameters_values_;
  Eigen::VectorXd step_;
};

// Between two instants; a quaternion stays of length 1 and takes the shorter way.
Eigen::MatrixXd between(const Eigen::VectorXd& from, const Eigen::VectorXd& to, double part,
                        const std::vector<int>& quaternions) {
  Eigen::VectorXd result = from + part * (to - from);
  for (const int first : quaternions) {
    const double sign = from.segment<4>(first).dot(to.segment<4>(first)) < 0 ? -1 : 1;
    result.segment<4>(first) =
        (from.segment<4>(first) + part * (sign * to.segment<4>(first) - from.segment<4>(first))).normalized();
  }
  if (part == 1) result = to;
  return result;
}

}  // namespace

std::string to_string(KinematicsStatus status) {
  switch (status) {
    case KinematicsStatus::done:
      return "done";
    case KinematicsStatus::unreachable:
      return "unreachable";
    case KinematicsStatus::singular:
      return "singular";
    default:
      return "other branch";
  }
}

namespace {

class Simulation {
 public:
  Simulation(const MechanismRows& rows, const Eigen::MatrixXd& controls, const Eigen::VectorXd& parameters,
             const Eigen::MatrixXd& prescribed, const KinematicsOptions& options)
      : rows_(rows), controls_(controls), prescribed_(prescribed), options_(options), follower_(rows, parameters, options) {}

  Kinematics run(const Eigen::VectorXd& start) {
    Eigen::MatrixXd state = start;
    Kinematics result;
    result.states.resize(start.size(), controls_.cols());
    for (Eigen::Index k = 0; k < controls_.cols(); ++k) {
      int iterations = 0, parts = 1;
      if (!advance(k, state, iterations, parts)) {
        diagnose(k, state, result);
        result.states.conservativeResize(Eigen::NoChange, k);
        return result;
      }
      result.states.col(k) = state;
      result.iterations.push_back(iterations);
      result.parts.push_back(parts);
    }
    return result;
  }

 private:
  Drive drive(Eigen::Index instant, double part) const {
    const Eigen::Index before = instant == 0 ? 0 : instant - 1;
    return {between(controls_.col(before), controls_.col(instant), part, rows_.layout().control_quaternions()),
            between(prescribed_.col(before), prescribed_.col(instant), part, {})};
  }

  bool advance(Eigen::Index instant, Eigen::MatrixXd& state, int& iterations, int& parts) {
    double done = 0, step = 1;
    Eigen::MatrixXd trial;
    while (done < 1) {
      trial = state;
      const double next = std::min(1.0, done + step);
      last_ = follower_.solve(drive(instant, next), trial, iterations);
      if (last_ == Follower::Outcome::solved) {
        state = trial;
        done = next;
        step = std::min(2 * step, 1 - done);
        continue;
      }
      step /= 2;
      parts = std::max(parts, int(std::lround(1 / step)));
      if (instant == 0 || step * options_.smallest_step < 1 - 1e-12) return false;
    }
    return true;
  }

  void diagnose(Eigen::Index instant, const Eigen::MatrixXd& state, Kinematics& result) {
    const MechanismLayout& layout = rows_.layout();
    const Drive target = drive(instant, 1);
    Eigen::MatrixXd nearest = state;
    follower_.approach(target, nearest);
    result.failed_instant = int(instant);
    // The nearest pose may cheat by quaternions that are too long: what it says of the joints tells the user more.
    Eigen::VectorXd misses = follower_.residual().col(0).cwiseAbs();
    const double largest = misses.maxCoeff();
    for (std::size_t i = 0; i < layout.kept_rows().size(); ++i)
      if (layout.rows()[std::size_t(layout.kept_rows()[i])].joint < 0) misses[Eigen::Index(i)] = 0;
    Eigen::Index worst = 0;
    const double largest_of_joints = misses.maxCoeff(&worst);
    const std::string when = "instant " + std::to_string(instant) + ": ";
    if (largest > 1e-6) {
      result.status = KinematicsStatus::unreachable;
      result.diagnosis = when + "no pose satisfies the joints; the nearest one misses most at '" +
                         layout.row_name(layout.kept_rows()[std::size_t(worst)]) + "' by " + std::to_string(largest_of_joints) +
                         ". Change the controls, or the design";
      return;
    }
    const Eigen::MatrixXd jacobian = rows_.dense_jacobian(follower_.at(target, nearest), 0)(layout.kept_rows(), Eigen::all)
                                         .leftCols(layout.state_count())
                                         .rowwise()
                                         .normalized();
    const SingularValueDecomposition svd = singular_value_decomposition(jacobian, SingularVectors::right);
    // Fewer rows than state coordinates leave some of these free.
    const double smallest = jacobian.rows() < layout.state_count() ? 0 : svd.values[layout.state_count() - 1];
    if (smallest < options_.singular_below) {
      result.status = KinematicsStatus::singular;
      result.diagnosis = when + "the motion runs through a singular pose (smallest singular value " + std::to_string(smallest) +
                         "); what moves without being driven there is '" + most_moved(svd.V.col(layout.state_count() - 1)) +
                         "'";
      return;
    }
    result.status = KinematicsStatus::other_branch;
    int joint = -1;
    const bool flipped = !rows_.is_unflipped(follower_.at(target, nearest), 0, &joint);
    result.diagnosis = when +
                       (flipped ? "only poses with the joint '" + layout.model().joints()[std::size_t(joint)].name +
                                      "' turned half around satisfy the joints"
                                : "the pose jumps to another branch") +
                       ". Take smaller time steps, or smaller changes of the controls";
  }

  std::string most_moved(const Eigen::VectorXd& direction) const {
    const auto& bodies = rows_.layout().model().bodies();
    std::size_t most = 0;
    const auto moved = [&](std::size_t b) {
      return direction.segment<HOLO_POSE_SIZE>(Eigen::Index(b * HOLO_POSE_SIZE)).norm();
    };
    for (std::size_t b = 1; b < bodies.size(); ++b)
      if (moved(b) > moved(most)) most = b;
    return bodies[most].name;
  }

  const MechanismRows& rows_;
  const Eigen::MatrixXd& controls_;
  const Eigen::MatrixXd& prescribed_;
  const KinematicsOptions& options_;
  Follower follower_;
  Follower::Outcome last_ = Follower::Outcome::solved;
};

}  // namespace

Kinematics forward_kinematics(const MechanismRows& rows, const Eigen::VectorXd& start, const Eigen::MatrixXd& controls,
                              const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                              const KinematicsOptions& options) {
  return Simulation(rows, controls, parameters, prescribed, options).run(start);
}

}  // namespace holo
