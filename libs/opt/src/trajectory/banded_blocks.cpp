#include "holo/opt/trajectory/banded_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "holo/core/error.h"

namespace holo {

namespace {

std::vector<int> first_entries(const std::vector<int>& counts) {
  std::vector<int> first(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), first.begin() + 1);
  return first;
}

bool are_finite(const double* values, Eigen::Index count) {
  return std::all_of(values, values + count, [](double value) { return std::isfinite(value); });
}

}  // namespace

int BandedSaddleShape::unknown_count() const { return std::accumulate(unknowns.begin(), unknowns.end(), 0); }
int BandedSaddleShape::constraint_count() const { return std::accumulate(constraints.begin(), constraints.end(), 0); }

void check_shape(const BandedSaddleShape& shape) {
  const auto refuse = [](const std::string& found, const char* allowed) {
    throw Error(Failure::internal, "the saddle-point system of a trajectory has " + found + "; " + allowed + ".");
  };
  if (shape.unknowns.size() != shape.constraints.size())
    refuse(fmt::format("unknowns of {} points and constraints of {}", shape.unknowns.size(), shape.constraints.size()),
           "both must be given for each point");
  for (std::size_t point = 0; point < shape.unknowns.size(); ++point)
    if (shape.unknowns[point] < 0 || shape.constraints[point] < 0)
      refuse(fmt::format("{} unknowns and {} constraints at point {}", shape.unknowns[point], shape.constraints[point], point),
             "neither may be negative");
  if (shape.unknown_count() < 1) refuse("no unknowns", "it needs at least one");
  if (shape.hessian_reach < 0 || shape.jacobian_before < 0 || shape.jacobian_after < 0)
    refuse(fmt::format("the reaches {} of the Hessian, {} before and {} after of the Jacobian", shape.hessian_reach,
                       shape.jacobian_before, shape.jacobian_after),
           "none may be negative");
}

BandedBlocks::BandedBlocks(const BandedSaddleShape& shape)
    : shape_((check_shape(shape), shape)),
      first_unknown_(first_entries(shape.unknowns)),
      first_constraint_(first_entries(shape.constraints)) {
  // No block is further from the diagonal than the points reach.
  const int farthest = shape_.points() - 1;
  for (int* reach : {&shape_.hessian_reach, &shape_.jacobian_before, &shape_.jacobian_after})
    *reach = std::min(*reach, farthest);
  std::size_t hessian_entries = 0, jacobian_entries = 0;
  for (int point = 0; point < shape_.points(); ++point) {
    for (int other = point - shape_.hessian_reach; other <= point; ++other) {
      hessian_offsets_.push_back(hessian_entries);
      if (other >= 0) hessian_entries += std::size_t(unknowns(point)) * std::size_t(unknowns(other));
    }
    for (int other = point - shape_.jacobian_before; other <= point + shape_.jacobian_after; ++other) {
      jacobian_offsets_.push_back(jacobian_entries);
      if (other >= 0 && other <= farthest) jacobian_entries += std::size_t(constraints(point)) * std::size_t(unknowns(other));
    }
  }
  hessian_ = AlignedArray(hessian_entries);
  jacobian_ = AlignedArray(jacobian_entries);
}

std::size_t BandedBlocks::hessian_offset(int point, int earlier) const {
  const int last = shape_.points() - 1;
  if (point < 0 || point > last || earlier < first_coupled(point) || earlier > point)
    throw Error(Failure::internal, fmt::format("the Hessian of a trajectory has no block of points {} and {}; points are 0 to "
                                               "{}, the second one is at most {} before the first.",
                                               point, earlier, last, shape_.hessian_reach));
  return hessian_offsets_[std::size_t(point * (shape_.hessian_reach + 1) + earlier - point + shape_.hessian_reach)];
}

std::size_t BandedBlocks::jacobian_offset(int constraint_point, int unknown_point) const {
  const int last = shape_.points() - 1;
  if (constraint_point < 0 || constraint_point > last || unknown_point < first_seen(constraint_point) ||
      unknown_point > last_seen(constraint_point))
    throw Error(Failure::internal,
                fmt::format("the Jacobian of a trajectory has no block of constraints of point {} and unknowns of point {}; "
                            "points are 0 to {}, the second one is at most {} before and {} after the first.",
                            constraint_point, unknown_point, last, shape_.jacobian_before, shape_.jacobian_after));
  const int width = shape_.jacobian_before + 1 + shape_.jacobian_after;
  return jacobian_offsets_[std::size_t(constraint_point * width + unknown_point - constraint_point + shape_.jacobian_before)];
}

BlockReference BandedBlocks::hessian_block(int point, int earlier) {
  const std::size_t offset = hessian_offset(point, earlier);
  return {hessian_.data() + offset, unknowns(point), unknowns(earlier)};
}

ConstBlockReference BandedBlocks::hessian_block(int point, int earlier) const {
  const std::size_t offset = hessian_offset(point, earlier);
  return {hessian_.data() + offset, unknowns(point), unknowns(earlier)};
}

BlockReference BandedBlocks::jacobian_block(int constraint_point, int unknown_point) {
  const std::size_t offset = jacobian_offset(constraint_point, unknown_point);
  return {jacobian_.data() + offset, constraints(constraint_point), unknowns(unknown_point)};
}

ConstBlockReference BandedBlocks::jacobian_block(int constraint_point, int unknown_point) const {
  const std::size_t offset = jacobian_offset(constraint_point, unknown_point);
  return {jacobian_.data() + offset, constraints(constraint_point), unknowns(unknown_point)};
}

void BandedBlocks::set_zero() {
  std::fill_n(hessian_.data(), hessian_.size(), 0.0);
  std::fill_n(jacobian_.data(), jacobian_.size(), 0.0);
}

bool BandedBlocks::is_finite() const {
  if (!are_finite(jacobian_.data(), Eigen::Index(jacobian_.size()))) return false;
  for (int point = 0; point < shape_.points(); ++point)
    for (int earlier = first_coupled(point); earlier <= point; ++earlier) {
      const ConstBlockReference block = hessian_block(point, earlier);
      for (Eigen::Index column = 0; column < block.cols(); ++column) {
        const Eigen::Index first = earlier == point ? column : 0;
        if (!are_finite(block.col(column).data() + first, block.rows() - first)) return false;
      }
    }
  return true;
}

void BandedBlocks::multiply_hessian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const {
  product.setZero(unknown_count());
  for (int point = 0; point < shape_.points(); ++point) {
    const auto own = p.segment(first_unknown(point), unknowns(point));
    auto result = product.segment(first_unknown(point), unknowns(point));
    if (own.size() == 0) continue;
    result.noalias() += hessian_block(point, point).selfadjointView<Eigen::Lower>() * own;
    for (int earlier = first_coupled(point); earlier < point; ++earlier) {
      const ConstBlockReference block = hessian_block(point, earlier);
      result.noalias() += block * p.segment(first_unknown(earlier), unknowns(earlier));
      product.segment(first_unknown(earlier), unknowns(earlier)).noalias() += block.transpose() * own;
    }
  }
}

void BandedBlocks::multiply_jacobian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const {
  product.setZero(constraint_count());
  for (int point = 0; point < shape_.points(); ++point)
    for (int other = first_seen(point); other <= last_seen(point); ++other)
      product.segment(first_constraint(point), constraints(point)).noalias() +=
          jacobian_block(point, other) * p.segment(first_unknown(other), unknowns(other));
}

void BandedBlocks::multiply_jacobian_transposed(const Eigen::VectorXd& y, Eigen::VectorXd& product) const {
  product.setZero(unknown_count());
  for (int point = 0; point < shape_.points(); ++point)
    for (int other = first_seen(point); other <= last_seen(point); ++other)
      product.segment(first_unknown(other), unknowns(other)).noalias() +=
          jacobian_block(point, other).transpose() * y.segment(first_constraint(point), constraints(point));
}

void BandedBlocks::hessian_diagonal(Eigen::VectorXd& diagonal) const {
  diagonal.resize(unknown_count());
  for (int point = 0; point < shape_.points(); ++point)
    diagonal.segment(first_unknown(point), unknowns(point)) = hessian_block(point, point).diagonal();
}

void BandedBlocks::jacobian_row_norms(Eigen::VectorXd& norms) const {
  norms.setZero(constraint_count());
  for (int point = 0; point < shape_.points(); ++point)
    for (int other = first_seen(point); other <= last_seen(point); ++other)
      norms.segment(first_constraint(point), constraints(point)) += jacobian_block(point, other).rowwise().squaredNorm();
  norms = norms.cwiseSqrt();
}

}  // namespace holo
