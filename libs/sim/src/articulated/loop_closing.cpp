#include "articulated/loop_closing.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <random>

namespace holo {

namespace {

Eigen::Isometry3d pose_in_world(const std::vector<Eigen::Isometry3d>& frames, int body, const Eigen::Isometry3d& place) {
  return body == ArticulatedModel::world ? place : frames[std::size_t(body)] * place;
}

// The axis of the turn times its angle in [0, pi].
Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& rotation) {
  const Eigen::AngleAxisd turn(rotation);  // through a quaternion: sound at small angles and near half-turns
  return turn.angle() * turn.axis();
}

struct Gap {
  Eigen::Vector3d shift, turn;  // from frame A to frame B, in the world
  Eigen::Vector3d point_a, point_b;
};

Gap gap_of(const ArticulatedLoop& loop, const std::vector<Eigen::Isometry3d>& frames) {
  const Eigen::Isometry3d a = pose_in_world(frames, loop.body_a, loop.frame_a),
                          b = pose_in_world(frames, loop.body_b, loop.frame_b);
  const Eigen::Vector3d turn = loop.locks_rotation
                                   ? Eigen::Vector3d(a.linear() * rotation_vector(a.linear().transpose() * b.linear()))
                                   : Eigen::Vector3d::Zero();
  return {b.translation() - a.translation(), turn, a.translation(), b.translation()};
}

// The motion of a body in the world with one coordinate of its joint: a rotation about an axis through a point, or a
// translation.
struct Twist {
  Eigen::Vector3d axis, point;
  bool shifts;
};

std::vector<Twist> twists(const ArticulatedBody& body, const JointMotion& motion,
                          const std::vector<Eigen::Isometry3d>& frames) {
  const Eigen::Isometry3d a = pose_in_world(frames, body.parent, body.joint.frame_a);
  const Eigen::Matrix3d b = (a * motion_of(body.joint, motion)).linear();
  const std::string& type = body.joint.type;
  if (type == "revolute") return {{a.linear().col(0), a.translation(), false}};
  if (type == "prismatic") return {{a.linear().col(0), a.translation(), true}};
  if (type == "universal") return {{a.linear().col(0), a.translation(), false}, {b.col(1), a.translation(), false}};
  if (type == "spherical")
    return {{b.col(0), a.translation(), false}, {b.col(1), a.translation(), false}, {b.col(2), a.translation(), false}};
  return {};
}

void move(const ArticulatedJoint& joint, const double* step, JointMotion& motion) {
  if (joint.type == "spherical") {
    const Eigen::Vector3d turn(step[0], step[1], step[2]);
    if (turn.norm() > 0)
      motion.transform.linear() =
          orthonormal(motion.transform.linear() * Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix());
    return;
  }
  for (int i = 0; i < joint.coordinate_count(); ++i) motion.coordinates[std::size_t(i)] += step[i];
}

class Closing {
 public:
  Closing(const ArticulatedModel& model, const std::vector<bool>& fixed, ArticulatedPose& pose)
      : model_(model), pose_(pose), length_(extent(model, pose)) {
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
      first_.push_back(count_);
      is_fixed_.push_back(fixed[i]);
      if (!fixed[i]) count_ += model.bodies[i].joint.coordinate_count();
    }
  }

  // Downhill from the present motions, and where that stops at open loops (a stretched chain is a saddle) from shifted ones,
  // farther each time; the nearest closed pose that is found stays, or else the least open one.
  void run() {
    const ArticulatedPose start = pose_;
    ArticulatedPose best = start;
    double least = std::numeric_limits<double>::infinity();
    std::mt19937 shifts;  // the same ones in every run
    for (int attempt = 0; attempt < 20 && count_ > 0 && least > closed; ++attempt) {
      pose_ = start;
      if (attempt > 0) take(shift(shifts, 0.05 * attempt));
      descend();
      const double open = residual().norm();
      if (open >= least) continue;
      least = open;
      best = pose_;
    }
    pose_ = best;
  }

 private:
  static constexpr double closed = 1e-10;  // in the residual's units: far above rounding, far below any tolerance of use

  // Up to `size` rad, or as much of the length.
  Eigen::VectorXd shift(std::mt19937& numbers, double size) const {
    Eigen::VectorXd step(count_);
    for (std::size_t i = 0; i < model_.bodies.size(); ++i)
      for (int k = 0; !is_fixed_[i] && k < model_.bodies[i].joint.coordinate_count(); ++k)
        step[first_[i] + k] =
            size * (2 * (double(numbers()) / 4294967295.0) - 1) * (model_.bodies[i].joint.type == "prismatic" ? length_ : 1);
    return step;
  }

  void descend() {
    double damping = 1e-3, value = 0.5 * residual().squaredNorm();
    for (int iteration = 0; iteration < 500 && count_ > 0 && damping < 1e12; ++iteration) {
      const Eigen::VectorXd r = residual();
      if (r.norm() < 1e-14) return;
      const Eigen::MatrixXd J = jacobian();
      const Eigen::VectorXd downhill = -J.transpose() * r;
      Eigen::MatrixXd normal = J.transpose() * J;
      normal.diagonal().array() += damping;
      const Eigen::VectorXd step = normal.ldlt().solve(downhill);
      const ArticulatedPose before = pose_;
      take(step);
      const double next = 0.5 * residual().squaredNorm();
      if (next < value) {
        const bool has_converged = value - next < 1e-15 * value || step.norm() < 1e-15;
        value = next;
        damping = std::max(damping / 5, 1e-14);
        if (has_converged) return;
      } else {
        pose_ = before;
        damping *= 4;
      }
    }
  }

  // Gaps in units of the length, and turns.
  Eigen::VectorXd residual() const {
    const std::vector<Eigen::Isometry3d> frames = world_frames(model_, pose_);
    Eigen::VectorXd r(row_count());
    for (std::size_t i = 0; i < model_.loops.size(); ++i) {
      const Gap gap = gap_of(model_.loops[i], frames);
      r.segment<6>(6 * Eigen::Index(i)) << gap.shift / length_, gap.turn;
    }
    for (std::size_t i = 0; i < model_.couplings.size(); ++i)
      r[first_coupling() + Eigen::Index(i)] = coupling_gap(model_.couplings[i], pose_) / unit_of(model_.couplings[i].joint);
    return r;
  }

  // The derivative of rotations is that of small ones. The gradient is exact nevertheless, because the rotation vector is an
  // eigenvector of the omitted part.
  Eigen::MatrixXd jacobian() const {
    const std::vector<Eigen::Isometry3d> frames = world_frames(model_, pose_);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(row_count(), count_);
    for (std::size_t i = 0; i < model_.loops.size(); ++i) {
      const ArticulatedLoop& loop = model_.loops[i];
      const Gap gap = gap_of(loop, frames);
      add_chain(loop.body_b, gap.point_b, 1, loop.locks_rotation, frames, J.middleRows<6>(6 * Eigen::Index(i)));
      add_chain(loop.body_a, gap.point_a, -1, loop.locks_rotation, frames, J.middleRows<6>(6 * Eigen::Index(i)));
    }
    for (std::size_t i = 0; i < model_.couplings.size(); ++i) {
      const JointCoupling& coupling = model_.couplings[i];
      const Eigen::Index row = first_coupling() + Eigen::Index(i);
      const std::size_t joint = std::size_t(coupling.joint), leader = std::size_t(coupling.leader);
      if (!is_fixed_[joint]) J(row, first_[joint]) = 1 / unit_of(coupling.joint);
      if (coupling.leader == no_body || is_fixed_[leader]) continue;
      J(row, first_[leader]) = -polynomial_slope(coupling.polynomial, pose_[leader].coordinates[0]) / unit_of(coupling.joint);
    }
    return J;
  }

  Eigen::Index first_coupling() const { return 6 * Eigen::Index(model_.loops.size()); }
  Eigen::Index row_count() const { return first_coupling() + Eigen::Index(model_.couplings.size()); }
  double unit_of(int body) const { return model_.bodies[std::size_t(body)].joint.type == "prismatic" ? length_ : 1; }

  void add_chain(int body, const Eigen::Vector3d& point, double sign, bool locks_rotation,
                 const std::vector<Eigen::Isometry3d>& frames, Eigen::Ref<Eigen::MatrixXd> rows) const {
    for (; body != ArticulatedModel::world; body = model_.bodies[std::size_t(body)].parent) {
      if (is_fixed_[std::size_t(body)]) continue;
      Eigen::Index column = first_[std::size_t(body)];
      for (const Twist& twist : twists(model_.bodies[std::size_t(body)], pose_[std::size_t(body)], frames)) {
        const Eigen::Vector3d shift = twist.shifts ? twist.axis : twist.axis.cross(point - twist.point).eval();
        rows.col(column).head<3>() += sign * shift / length_;
        if (locks_rotation && !twist.shifts) rows.col(column).tail<3>() += sign * twist.axis;
        ++column;
      }
    }
  }

  void take(const Eigen::VectorXd& step) {
    for (std::size_t i = 0; i < model_.bodies.size(); ++i)
      if (!is_fixed_[i] && model_.bodies[i].joint.coordinate_count() > 0)
        move(model_.bodies[i].joint, step.data() + first_[i], pose_[i]);
  }

  const ArticulatedModel& model_;
  ArticulatedPose& pose_;
  double length_;
  std::vector<int> first_;
  std::vector<bool> is_fixed_;
  int count_ = 0;
};

}  // namespace

double coupling_gap(const JointCoupling& coupling, const ArticulatedPose& pose) {
  const double leader = coupling.leader == no_body ? 0 : pose[std::size_t(coupling.leader)].coordinates[0];
  const double wanted = coupling.leader == no_body ? coupling.polynomial[0] : polynomial_value(coupling.polynomial, leader);
  return pose[std::size_t(coupling.joint)].coordinates[0] - wanted;
}

std::vector<LoopGap> loop_gaps(const ArticulatedModel& model, const ArticulatedPose& pose) {
  const std::vector<Eigen::Isometry3d> frames = world_frames(model, pose);
  std::vector<LoopGap> gaps;
  for (const ArticulatedLoop& loop : model.loops) {
    const Gap gap = gap_of(loop, frames);
    gaps.push_back({gap.shift.norm(), gap.turn.norm()});
  }
  return gaps;
}

double extent(const ArticulatedModel& model, const ArticulatedPose& pose) {
  Eigen::AlignedBox3d box;
  const std::vector<Eigen::Isometry3d> frames = world_frames(model, pose);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    box.extend(frames[i].translation());
    box.extend(pose_in_world(frames, model.bodies[i].parent, model.bodies[i].joint.frame_a).translation());
  }
  const double length = box.isEmpty() ? 0 : 0.5 * box.diagonal().norm();
  return length > 0 ? length : 1;
}

void close_loops(const ArticulatedModel& model, const std::vector<bool>& fixed, ArticulatedPose& pose) {
  if (!model.loops.empty()) Closing(model, fixed, pose).run();
}

}  // namespace holo
