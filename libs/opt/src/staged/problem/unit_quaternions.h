#pragma once
// Eliminates the linearized unit length 2 q . dq = -r of quaternions, r = |q|^2 - 1, in closed form: dq = -q r / (2 |q|^2) + Z
// t with Z = [i q, j q, k q] / |q|, orthonormal to q. [Maloisel2023] Eqs 8, 9 without their SVD.

#include <Eigen/Core>
#include <vector>

namespace holo {

// Numbers of which some are quaternions, and the fewer numbers t that are free.
class UnitQuaternions {
 public:
  UnitQuaternions() = default;
  UnitQuaternions(int full_count, const std::vector<int>& quaternions);

  int full_count() const { return full_count_; }
  int reduced_count() const { return full_count_ - int(places_.size()); }
  bool empty() const { return places_.empty(); }
  // First index of each quaternion in the full vector; in the reduced one, that of the n-th is smaller by n.
  const std::vector<int>& places() const { return places_; }

  static Eigen::Matrix<double, 4, 3> tangents(const Eigen::Vector4d& q);

  // to = matrix Z, by columns. `q` are the full numbers that hold the quaternions. to: [rows][reduced], may not be `matrix`.
  template <class From, class To>
  void reduce_columns(const Eigen::Ref<const Eigen::VectorXd>& q, const From& matrix, To&& to) const {
    for_each_piece([&](int full, int reduced, int count) { to.middleCols(reduced, count) = matrix.middleCols(full, count); },
                   [&](int full, int reduced) {
                     const Eigen::Matrix<double, 4, 3> z = tangents(q.segment<4>(full));
                     for (int c = 0; c < 3; ++c)
                       to.col(reduced + c) = matrix.col(full) * z(0, c) + matrix.col(full + 1) * z(1, c) +
                                             matrix.col(full + 2) * z(2, c) + matrix.col(full + 3) * z(3, c);
                   });
  }
  // to = Z^T matrix, by rows.
  template <class From, class To>
  void reduce_rows(const Eigen::Ref<const Eigen::VectorXd>& q, const From& matrix, To&& to) const {
    for_each_piece([&](int full, int reduced, int count) { to.middleRows(reduced, count) = matrix.middleRows(full, count); },
                   [&](int full, int reduced) {
                     const Eigen::Matrix<double, 4, 3> z = tangents(q.segment<4>(full));
                     for (Eigen::Index j = 0; j < matrix.cols(); ++j)
                       to.template block<3, 1>(reduced, j) = z.transpose() * matrix.template block<4, 1>(full, j);
                   });
  }
  // to = Z reduced.
  void expand(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& reduced,
              Eigen::Ref<Eigen::VectorXd> to) const;
  // The part of dq along q; zero at other numbers. `residual` has |q|^2 - 1, or what stands for it, of each.
  void radial_step(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& residual,
                   Eigen::Ref<Eigen::VectorXd> to) const;

 private:
  // scalars(full, reduced, count) and quaternion(full, reduced), in order.
  template <class Scalars, class Quaternion>
  void for_each_piece(const Scalars& scalars, const Quaternion& quaternion) const {
    int full = 0, reduced = 0;
    for (int place : places_) {
      if (place > full) scalars(full, reduced, place - full);
      reduced += place - full;
      quaternion(place, reduced);
      full = place + 4;
      reduced += 3;
    }
    if (full < full_count_) scalars(full, reduced, full_count_ - full);
  }

  int full_count_ = 0;
  std::vector<int> places_;  // ascending
};

}  // namespace holo
