#include "holo/sim/articulated/trajectory/point_recurrence.h"

#include <fmt/format.h>

#include <cmath>

#include "holo/core/error.h"

namespace holo::articulated {

using Eigen::MatrixXd, Eigen::VectorXd;

// The rotation from the heading of a state to the world, of pairs of entries along x and y, and its derivative by the heading.
struct PointRecurrence::Heading {
  double cosine = 1, sine = 0;

  Eigen::Vector2d turned(const Eigen::Vector2d& p) const {
    return {cosine * p.x() - sine * p.y(), sine * p.x() + cosine * p.y()};
  }
  Eigen::Vector2d turned_back(const Eigen::Vector2d& p) const {
    return {cosine * p.x() + sine * p.y(), cosine * p.y() - sine * p.x()};
  }
  Eigen::Vector2d turned_slope(const Eigen::Vector2d& p) const { return turned({-p.y(), p.x()}); }
  Eigen::Vector2d turned_back_slope(const Eigen::Vector2d& p) const { return turned_back({p.y(), -p.x()}); }
};

namespace {

bool is_along(const Vector3<double>& axis, int k) { return std::abs(std::abs(axis[k]) - 1) < 1e-12; }

template <class Vector>
Eigen::Vector2d pair_of(const Vector& entries, Eigen::Index x, Eigen::Index y) {
  return {entries[x], entries[y]};
}
template <class Vector>
void set_pair(Vector&& entries, Eigen::Index x, Eigen::Index y, const Eigen::Vector2d& pair) {
  entries[x] = pair.x();
  entries[y] = pair.y();
}

}  // namespace

PointRecurrence::PointRecurrence(const TrajectoryModel& model, PointFrame frame) : frame_(frame) {
  const CharacterModel& character = model.character();
  const Eigen::Index n = character.dof_count();
  start_.setZero(2 * n);
  start_.head(n) = Eigen::Map<const VectorXd>(model.definition().start.coordinates.data(), n);
  scale_.setOnes(2 * n);
  const double length = characteristic_torque(character, model.definition().start, 1) / character.total_mass();
  for (Eigen::Index j = 0; j < n; ++j) {
    const DegreeOfFreedom& dof = character.dofs()[std::size_t(j)];
    if (std::isfinite(dof.upper - dof.lower) && dof.upper > dof.lower)
      scale_[j] = (dof.upper - dof.lower) / 2;
    else if (dof.is_length && length > 0)
      scale_[j] = length;
    scale_[n + j] = scale_[j];
  }
  if (frame_ == PointFrame::heading) find_heading(character);
  for (int j = 0; j < 2 * n; ++j)
    if (j != x_ && j != y_ && j != yaw_) {
      if (j == n + x_) feature_along_x_ = int(kept_.size());
      if (j == n + y_) feature_along_y_ = int(kept_.size());
      kept_.push_back(j);
    }
}

// A base moves along axes of the world first, and then it turns. A turn about z that comes first is the yaw; in a plane, along
// x or y alone, there is none.
void PointRecurrence::find_heading(const CharacterModel& model) {
  const auto is_of_base = [&](int j, DofKind kind) {
    return j < model.dof_count() && model.dofs()[std::size_t(j)].kind == kind && model.dofs()[std::size_t(j)].parent == j - 1;
  };
  RigidFrame<double> frame = identity_frame<double>();
  const auto world_axis = [&](int j) {
    frame = frame * model.dofs()[std::size_t(j)].placement;
    return frame.rotation * model.dofs()[std::size_t(j)].axis;
  };
  int next = 0;
  for (; is_of_base(next, DofKind::prismatic); ++next) {
    const Vector3<double> axis = world_axis(next);
    if (is_along(axis, 0)) x_ = next;
    if (is_along(axis, 1)) y_ = next;
  }
  if (x_ < 0 || y_ < 0) return;
  if (is_of_base(next, DofKind::revolute) && is_along(world_axis(next), 2)) {
    yaw_ = next;
    // Both have one scale, so that a turn of what is normalized is one of what is not.
    for (const Eigen::Index part : {Eigen::Index(0), scale_.size() / 2}) scale_[part + y_] = scale_[part + x_];
    return;
  }
  throw Error(Failure::input, fmt::format("the heading of '{}' is no coordinate of its own; describe its base by `base: "
                                          "{{rotation: euler, order: zyx}}`, or predict points in the frame `world`.",
                                          model.name()));
}

PointRecurrence::Heading PointRecurrence::heading(const ConstVector& state) const {
  const double yaw = start_[yaw_] + scale_[yaw_] * state[yaw_];
  return {std::cos(yaw), std::sin(yaw)};
}

MatrixXd PointRecurrence::normalized(const MatrixXd& points) const {
  return (points.colwise() - start_).array().colwise() / scale_.array();
}

void PointRecurrence::features(const ConstVector& state, Vector features) const {
  for (std::size_t k = 0; k < kept_.size(); ++k) features[Eigen::Index(k)] = state[kept_[k]];
  if (yaw_ < 0) return;
  const Eigen::Index tangents = scale_.size() / 2;
  set_pair(features, feature_along_x_, feature_along_y_,
           heading(state).turned_back(pair_of(state, tangents + x_, tangents + y_)));
}

void PointRecurrence::pull_features(const ConstVector& state, const ConstVector& adjoint, Vector state_adjoint) const {
  for (std::size_t k = 0; k < kept_.size(); ++k) state_adjoint[kept_[k]] += adjoint[Eigen::Index(k)];
  if (yaw_ < 0) return;
  const Eigen::Index x = scale_.size() / 2 + x_, y = scale_.size() / 2 + y_;
  const Heading h = heading(state);
  const Eigen::Vector2d pulled = pair_of(adjoint, feature_along_x_, feature_along_y_);
  set_pair(state_adjoint, x, y, pair_of(state_adjoint, x, y) - pulled + h.turned(pulled));
  state_adjoint[yaw_] += scale_[yaw_] * h.turned_back_slope(pair_of(state, x, y)).dot(pulled);
}

void PointRecurrence::next(const ConstVector& state, const ConstVector& output, Vector next) const {
  next = output;
  if (frame_ == PointFrame::world) return;
  if (yaw_ >= 0)
    for (const Eigen::Index part : {Eigen::Index(0), scale_.size() / 2})
      set_pair(next, part + x_, part + y_, heading(state).turned(pair_of(output, part + x_, part + y_)));
  next += state;
}

void PointRecurrence::output_between(const ConstVector& state, const ConstVector& next, Vector output) const {
  output = next;
  if (frame_ == PointFrame::world) return;
  output -= state;
  if (yaw_ < 0) return;
  for (const Eigen::Index part : {Eigen::Index(0), scale_.size() / 2})
    set_pair(output, part + x_, part + y_, heading(state).turned_back(pair_of(output, part + x_, part + y_)));
}

void PointRecurrence::pull_next(const ConstVector& state, const ConstVector& output, const ConstVector& adjoint,
                                Vector state_adjoint, Vector output_adjoint) const {
  output_adjoint = adjoint;
  if (frame_ == PointFrame::world) return;
  state_adjoint += adjoint;
  if (yaw_ < 0) return;
  const Heading h = heading(state);
  for (const Eigen::Index part : {Eigen::Index(0), scale_.size() / 2}) {
    const Eigen::Vector2d pulled = pair_of(adjoint, part + x_, part + y_);
    set_pair(output_adjoint, part + x_, part + y_, h.turned_back(pulled));
    state_adjoint[yaw_] += scale_[yaw_] * h.turned_slope(pair_of(output, part + x_, part + y_)).dot(pulled);
  }
}

}  // namespace holo::articulated
