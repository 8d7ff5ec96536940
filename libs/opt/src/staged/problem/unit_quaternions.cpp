#include "staged/problem/unit_quaternions.h"

#include <algorithm>

namespace holo {

UnitQuaternions::UnitQuaternions(int full_count, const std::vector<int>& quaternions)
    : full_count_(full_count), places_(quaternions) {
  std::sort(places_.begin(), places_.end());
}

Eigen::Matrix<double, 4, 3> UnitQuaternions::tangents(const Eigen::Vector4d& q) {
  Eigen::Matrix<double, 4, 3> z;
  z << -q[1], -q[2], -q[3],  //
      q[0], q[3], -q[2],     //
      -q[3], q[0], q[1],     //
      q[2], -q[1], q[0];
  return z / q.norm();
}

void UnitQuaternions::expand(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& reduced,
                             Eigen::Ref<Eigen::VectorXd> to) const {
  for_each_piece([&](int full, int from, int count) { to.segment(full, count) = reduced.segment(from, count); },
                 [&](int full, int from) { to.segment<4>(full) = tangents(q.segment<4>(full)) * reduced.segment<3>(from); });
}

void UnitQuaternions::radial_step(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& residual,
                                  Eigen::Ref<Eigen::VectorXd> to) const {
  to.setZero();
  for (std::size_t n = 0; n < places_.size(); ++n) {
    const auto quaternion = q.segment<4>(places_[n]);
    to.segment<4>(places_[n]) = -quaternion * (residual[Eigen::Index(n)] / (2 * quaternion.squaredNorm()));
  }
}

}  // namespace holo
