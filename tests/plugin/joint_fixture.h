#pragma once
// The poses that every joint is tested at, and its batched operations on them.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "holo/core/plugins/joint_plugin.h"
#include "plugin_batch.h"
#include "plugin_choice.h"

namespace holo {

using std::vector;

inline std::size_t upper_size(std::size_t n) { return n * (n + 1) / 2; }

// One knot of a joint: x in the order of the ABI (pose of A, pose of B, coordinates), and weights of six equations or a pose.
struct JointKnot {
  vector<double> x, weights;
};

// The same joint at several knots.
struct JointCase {
  vector<double> frames, constants;
  vector<JointKnot> knots;
};

class Joints : public testing::TestWithParam<std::string> {
 protected:
  static constexpr std::size_t poses = 2 * HOLO_POSE_SIZE;

  void SetUp() override {
    plugin_ = host().get<JointPlugin>(GetParam());
    reference_ = host().get_reference<JointPlugin>(GetParam());
    for (int i = 0; i < 3; ++i) {
      JointCase joint = make_case(0.2 + 0.3 * i);
      for (std::size_t k = 0; k < 2 * HOLO_LANE_WIDTH + 1; ++k) joint.knots.push_back(anywhere());
      cases_.push_back(joint);
    }
  }

  const holo_joint& joint() const { return plugin_->abi(); }
  const holo_joint_reference& reference() const { return reference_->abi(); }
  std::size_t coordinate_count() const { return joint().coordinate_count; }
  std::size_t x_size() const { return poses + coordinate_count(); }

  double within(double minimum, double maximum) { return minimum + (maximum - minimum) * sequence_.next(); }
  Eigen::Vector3d point() { return {within(-1, 1), within(-1, 1), within(-1, 1)}; }
  Eigen::Quaterniond turn() {
    for (;;) {
      const Eigen::Vector4d q(within(-1, 1), within(-1, 1), within(-1, 1), within(-1, 1));
      if (q.norm() > 0.2 && q.norm() < 1) return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
    }
  }

  JointCase make_case(double position) {
    JointCase made;
    for (int body = 0; body < 2; ++body) {
      const Eigen::Vector3d at = point();
      const Eigen::Quaterniond q = turn();
      const Eigen::Matrix3d axes = q.toRotationMatrix();
      made.frames.insert(made.frames.end(), at.data(), at.data() + 3);
      made.frames.insert(made.frames.end(), axes.data(), axes.data() + 9);  // by columns: axis after axis
      made.frames.insert(made.frames.end(), {q.w(), q.x(), q.y(), q.z()});
    }
    SampleReader reader(position);
    const holo_parameter_reader abi = reader.abi();
    holo_error error = {sizeof(holo_error), ""};
    made.constants.resize(joint().constant_count);
    EXPECT_EQ(0, joint().read(&abi, made.constants.data(), nullptr, &error)) << error.message;
    return made;
  }

  // Quaternions, those among the coordinates too, of length 0.5 to 2.
  JointKnot anywhere() {
    JointKnot knot;
    const auto add_quaternion = [&] {
      const Eigen::Quaterniond q = turn();
      const double length = within(0.5, 2);
      for (const double entry : {q.w(), q.x(), q.y(), q.z()}) knot.x.push_back(length * entry);
    };
    for (int body = 0; body < 2; ++body) {
      for (int i = 0; i < 3; ++i) knot.x.push_back(within(-1, 1));
      add_quaternion();
    }
    while (knot.x.size() < x_size()) {
      const std::uint32_t kind = joint().coordinates[knot.x.size() - poses].kind;
      if (kind == HOLO_COORDINATE_QUATERNION)
        add_quaternion();
      else
        knot.x.push_back(kind == HOLO_COORDINATE_ANGLE ? within(-3.1, 3.1) : within(-1, 1));
    }
    for (std::uint32_t i = 0; i < HOLO_POSE_SIZE; ++i) knot.weights.push_back(within(-1, 1));
    return knot;
  }

  // Coordinates that are a motion: quaternions of length 1.
  vector<double> proper_coordinates() {
    vector<double> q;
    while (q.size() < coordinate_count()) {
      const std::uint32_t kind = joint().coordinates[q.size()].kind;
      if (kind == HOLO_COORDINATE_QUATERNION) {
        const Eigen::Quaterniond rotation = turn();
        q.insert(q.end(), {rotation.w(), rotation.x(), rotation.y(), rotation.z()});
      } else {
        q.push_back(kind == HOLO_COORDINATE_ANGLE ? within(-3.1, 3.1) : within(-1, 1));
      }
    }
    return q;
  }

  std::size_t entry_count(holo_joint_operation operation) const {
    const std::size_t n = x_size(), m = coordinate_count();
    switch (operation) {
      case HOLO_JOINT_EQUATIONS:
        return 6;
      case HOLO_JOINT_JACOBIAN:
        return 6 * n;
      case HOLO_JOINT_HESSIAN:
        return upper_size(n);
      case HOLO_JOINT_MOTION:
        return HOLO_POSE_SIZE;
      case HOLO_JOINT_MOTION_JACOBIAN:
        return HOLO_POSE_SIZE * m;
      case HOLO_JOINT_MOTION_HESSIAN:
        return upper_size(m);
      default:
        return m;
    }
  }

  // The operation's output at each knot.
  vector<vector<double>> run(holo_joint_operation operation, const JointCase& joint_case) const {
    const vector<JointKnot>& knots = joint_case.knots;
    const std::size_t count = knots.size(), entries = entry_count(operation);
    const std::size_t weight_count = operation == HOLO_JOINT_MOTION_HESSIAN ? HOLO_POSE_SIZE : HOLO_JOINT_EQUATION_COUNT;
    const auto part = [&](std::size_t first) {
      return [&, first](std::size_t e, std::size_t k) { return knots[e].x[first + k]; };
    };
    Blocks a(count, HOLO_POSE_SIZE, part(0)), b(count, HOLO_POSE_SIZE, part(HOLO_POSE_SIZE)),
        q(count, coordinate_count(), part(poses));
    Blocks weights(count, weight_count, [&](std::size_t e, std::size_t k) { return knots[e].weights[k]; });
    Blocks output(count, entries);
    const bool weighted = operation == HOLO_JOINT_HESSIAN || operation == HOLO_JOINT_MOTION_HESSIAN;
    const holo_joint_batch batch = {sizeof(holo_joint_batch),
                                    a.block_count(),
                                    joint_case.frames.data(),
                                    joint_case.constants.data(),
                                    a.data(),
                                    b.data(),
                                    q.data(),
                                    weighted ? weights.data() : nullptr,
                                    output.data()};
    joint().operations[operation](&batch);
    vector<vector<double>> result(count, vector<double>(entries));
    for (std::size_t e = 0; e < count; ++e)
      for (std::size_t k = 0; k < entries; ++k) result[e][k] = output.at(e, k);
    return result;
  }
  vector<double> run_one(holo_joint_operation operation, const JointCase& joint_case, const JointKnot& knot) const {
    return run(operation, {joint_case.frames, joint_case.constants, {knot}})[0];
  }

  // The frame number `body` in the world, carried by a pose of length 1.
  Eigen::Isometry3d frame(const JointCase& joint_case, const vector<double>& x, std::size_t body) const {
    const double* f = joint_case.frames.data() + body * HOLO_FRAME_SIZE;
    const double* pose = x.data() + body * HOLO_POSE_SIZE;
    return to_isometry(pose) * to_isometry(f, f + 12);
  }
  static Eigen::Isometry3d to_isometry(const double* point, const double* q) {
    return Eigen::Translation3d(point[0], point[1], point[2]) * Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
  }
  static Eigen::Isometry3d to_isometry(const double* pose) { return to_isometry(pose, pose + 3); }

  // A knot at which B's frame is A's, moved by the coordinates and then by `more`.
  JointKnot moved(const JointCase& joint_case, const vector<double>& coordinates,
                  const Eigen::Isometry3d& more = Eigen::Isometry3d::Identity()) {
    JointKnot knot = anywhere();
    const Eigen::Quaterniond q = turn();
    const double turned[] = {q.w(), q.x(), q.y(), q.z()};
    std::copy(turned, turned + 4, knot.x.begin() + 3);
    std::copy(coordinates.begin(), coordinates.end(), knot.x.begin() + poses);
    const vector<double> motion = run_one(HOLO_JOINT_MOTION, joint_case, knot);
    const double* frame_b = joint_case.frames.data() + HOLO_FRAME_SIZE;
    const Eigen::Isometry3d body =
        frame(joint_case, knot.x, 0) * to_isometry(motion.data()) * more * to_isometry(frame_b, frame_b + 12).inverse();
    const Eigen::Quaterniond rotation(body.linear());
    const double pose[] = {body.translation()[0], body.translation()[1], body.translation()[2], rotation.w(),
                           rotation.x(),          rotation.y(),          rotation.z()};
    std::copy(pose, pose + 7, knot.x.begin() + HOLO_POSE_SIZE);
    return knot;
  }

  // The largest residual of the equations, relative to what a rounding of x would change of it: of the first `count`.
  double violation(const JointCase& joint_case, const JointKnot& knot, std::size_t count) const {
    const vector<double> r = run_one(HOLO_JOINT_EQUATIONS, joint_case, knot);
    const vector<double> J = run_one(HOLO_JOINT_JACOBIAN, joint_case, knot);
    double result = 0;
    for (std::size_t i = 0; i < count; ++i) {
      double size = 0;
      for (std::size_t k = 0; k < x_size(); ++k) size += std::abs(J[i * x_size() + k]) * (1 + std::abs(knot.x[k]));
      result = std::max(result, std::abs(r[i]) / size);
    }
    return result;
  }

  Sequence sequence_;
  std::shared_ptr<const JointPlugin> plugin_;
  std::shared_ptr<const JointReference> reference_;
  vector<JointCase> cases_;
};

}  // namespace holo
