#pragma once
// One loss at one block of instants, and the derivatives of points carried by bodies.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <vector>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/losses/mechanism_losses.h"

namespace holo {

// Of R(q) a = (w^2 - v.v) a + 2 (v.a) v + 2 w (v x a) in q = (w, x, y, z).
inline Eigen::Matrix<double, 3, 4> rotated_point_jacobian(const Eigen::Vector4d& q, const Eigen::Vector3d& a) {
  const double w = q[0];
  const Eigen::Vector3d v = q.tail<3>();
  Eigen::Matrix3d cross;
  cross << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  Eigen::Matrix<double, 3, 4> jacobian;
  jacobian.col(0) = 2 * (w * a + v.cross(a));
  jacobian.rightCols<3>() = 2 * (v * a.transpose() - a * v.transpose() + v.dot(a) * Eigen::Matrix3d::Identity() - w * cross);
  return jacobian;
}

inline Eigen::Vector3d rotated_point(const Eigen::Vector4d& q, const Eigen::Vector3d& a) {
  const double w = q[0];
  const Eigen::Vector3d v = q.tail<3>();
  return (w * w - v.squaredNorm()) * a + 2 * v.dot(a) * v + 2 * w * v.cross(a);
}

// The Hessian of y . R(q) a in q, which does not depend on q.
inline Eigen::Matrix4d rotated_point_hessian(const Eigen::Vector3d& a, const Eigen::Vector3d& y) {
  Eigen::Matrix4d hessian;
  hessian(0, 0) = a.dot(y);
  hessian.block<1, 3>(0, 1) = a.cross(y).transpose();
  hessian.block<3, 1>(1, 0) = a.cross(y);
  hessian.block<3, 3>(1, 1) = a * y.transpose() + y * a.transpose() - a.dot(y) * Eigen::Matrix3d::Identity();
  return 2 * hessian;
}

// q r as a matrix on q; quaternions (w, x, y, z).
inline Eigen::Matrix4d quaternion_times(const Eigen::Vector4d& r) {
  Eigen::Matrix4d matrix;
  matrix << r[0], -r[1], -r[2], -r[3],  //
      r[1], r[0], r[3], -r[2],          //
      r[2], -r[3], r[0], r[1],          //
      r[3], r[2], -r[1], r[0];
  return matrix;
}

// Numbers of instants in lanes.
struct AlignedValues {
  void resize(std::size_t size) {
    if (size <= values.size() * HOLO_LANE_WIDTH) return;
    values.resize((size + HOLO_LANE_WIDTH - 1) / HOLO_LANE_WIDTH);
  }
  double* data() { return values.empty() ? nullptr : values.front().lane; }
  struct alignas(HOLO_BLOCK_ALIGNMENT) Lanes {
    double lane[HOLO_LANE_WIDTH];
  };
  std::vector<Lanes> values;
};

// Scratch memory of one thread.
class MechanismLosses::Block {
 public:
  static constexpr int lanes = int(HOLO_LANE_WIDTH);

  static Block& of_this_thread() {
    thread_local Block block;
    return block;
  }

  // Instants first, ..., first + count - 1 with count <= lanes; the last again in the lanes left.
  void gather(const Term& term, const holo_loss_description& description, const LossInstants& at, const LossData& data,
              int first, int count) {
    const std::size_t n = term.unknowns.size();
    unknowns_.resize(n * lanes);
    observables_.resize(std::size_t(term.size) * lanes);
    data_.resize(std::size_t(description.datum_count) * lanes);
    for (std::size_t i = 0; i < n; ++i)
      for (int lane = 0; lane < lanes; ++lane)
        unknowns_.data()[i * lanes + std::size_t(lane)] = value(term.unknowns[i], at, first + std::min(lane, count - 1));
    for (const Observable& observable : term.observables) observe(observable);
    for (std::uint32_t i = 0; i < description.datum_count; ++i)
      for (int lane = 0; lane < lanes; ++lane)
        data_.data()[i * lanes + std::uint32_t(lane)] = datum(description.data[i], data, first + std::min(lane, count - 1));
  }

  const double* run(const LossInstance& loss, holo_loss_operation operation, std::size_t outputs) {
    AlignedValues& to = outputs_[operation];
    to.resize(outputs * lanes);
    const holo_loss_batch batch = {sizeof(holo_loss_batch), 1, observables_.data(), data_.data(), to.data()};
    loss.run(operation, batch);
    return to.data();
  }

  Eigen::Vector4d quaternion(const Observable& observable, int lane) const {
    const double* from = const_cast<AlignedValues&>(unknowns_).data() + (observable.unknown + 3) * lanes + lane;
    return {from[0], from[lanes], from[2 * lanes], from[3 * lanes]};
  }

  Eigen::MatrixXd jacobian, hessian, pulled;  // dz/dy, d2L/dz2, d2L/dy2
  Eigen::VectorXd gradient, pulled_gradient;
  std::vector<double> before;  // at another point

 private:
  static double value(const Unknown& unknown, const LossInstants& at, int instant) {
    switch (unknown.kind) {
      case Unknown::Kind::parameter:
        return unknown.scale * at.parameters[unknown.index];
      case Unknown::Kind::control:
        return unknown.scale * at.controls(unknown.index, instant);
      case Unknown::Kind::rate:
        return unknown.scale * at.rates(unknown.index, instant);
      default:
        return unknown.scale * at.states(unknown.index, instant);
    }
  }

  void observe(const Observable& observable) {
    for (int lane = 0; lane < lanes; ++lane) {
      const double* from = unknowns_.data() + observable.unknown * lanes + lane;
      double* to = observables_.data() + observable.first * lanes + lane;
      if (!observable.has_point()) {
        for (int k = 0; k < observable.size; ++k) to[k * lanes] = from[k * lanes];
        continue;
      }
      const Eigen::Vector4d q = quaternion(observable, lane);
      const Eigen::Vector3d turned = rotated_point(q, observable.point);
      for (int k = 0; k < 3; ++k) to[k * lanes] = from[k * lanes] + turned[k];
      if (!observable.is_part) continue;
      const Eigen::Vector4d product = quaternion_times(observable.turn) * q;
      for (int k = 0; k < 4; ++k) to[(3 + k) * lanes] = product[k];
    }
  }

  static double datum(const holo_datum& wanted, const LossData& data, int instant) {
    switch (wanted.kind) {
      case HOLO_DATUM_SIGNAL:
        return data.signals[wanted.subject](Eigen::Index(wanted.index), instant);
      case HOLO_DATUM_INITIAL_VALUE:
        return wanted.index == HOLO_OBSERVABLE_CONTROL ? data.initial_controls(wanted.subject, instant)
                                                       : data.initial_parameters[wanted.subject];
      default:
        return data.time_step * (instant - beginning(data.task_beginnings, instant));
    }
  }

  static int beginning(const std::vector<int>& beginnings, int instant) {
    const auto next = std::upper_bound(beginnings.begin(), beginnings.end(), instant);
    return next == beginnings.begin() ? 0 : *(next - 1);
  }

  AlignedValues unknowns_, observables_, data_, outputs_[HOLO_LOSS_OPERATION_COUNT];
};

// body(begin, count) for blocks of instants.
template <class Body>
void for_blocks(int first, int last, const Body& body) {
  for (int begin = first; begin < last; begin += int(HOLO_LANE_WIDTH))
    body(begin, std::min(int(HOLO_LANE_WIDTH), last - begin));
}

}  // namespace holo
