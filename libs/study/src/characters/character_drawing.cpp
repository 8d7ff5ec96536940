#include "characters/character_drawing.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "characters/solid_mesh.h"
#include "holo/sim/articulated/dynamics/obstacle_distance.h"

namespace holo {

using articulated::CharacterShape, articulated::Obstacle, articulated::ObstacleKind, articulated::RigidFrame;

namespace {

using SolidKind = CollisionShape::Kind;

constexpr double arrow_of_force = 0.8;  // length of the arrow of the force that sets the scale, over that of the character

Eigen::Isometry3d isometry_of(const RigidFrame<double>& frame) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.linear()(i, j) = frame.rotation(i, j);
    pose.translation()[i] = frame.origin[i];
  }
  return pose;
}

void append_pose(const RigidFrame<double>& frame, std::vector<double>& poses) {
  const Eigen::Isometry3d pose = isometry_of(frame);
  const Eigen::Quaterniond turn = Eigen::Quaterniond(pose.linear()).normalized();
  const Eigen::Vector3d& p = pose.translation();
  poses.insert(poses.end(), {p[0], p[1], p[2], turn.w(), turn.x(), turn.y(), turn.z()});
}

// The box of the second moments of a body that has no shape: S about the center of mass is m/3 times the squared half sizes.
CharacterShape box_of_moments(const articulated::SecondMoments& E, int dof, const std::string& owner) {
  const double mass = E(3, 3);
  const Eigen::Vector3d center = Eigen::Vector3d(E(0, 3), E(1, 3), E(2, 3)) / mass;
  Eigen::Matrix3d S;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) S(i, j) = E(i, j) - mass * center[i] * center[j];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(S);
  Eigen::Isometry3d pose(Eigen::Translation3d(center.x(), center.y(), center.z()));
  pose.linear() = axes.eigenvectors();
  if (pose.linear().determinant() < 0) pose.linear().col(2) *= -1;
  const Eigen::Vector3d half = (3 / mass * axes.eigenvalues().cwiseMax(0)).cwiseSqrt();
  return {SolidKind::box, owner, dof, pose, half.cwiseMax(1e-3 * half.maxCoeff())};
}

// Every second tile of a square of the plane around a point, in the plane's frame: motions along the plane show against tiles,
// and depths between them. The tiles lie on multiples of their size, so that they do not depend on the point.
void add_tiles(const Eigen::Vector3d& middle, double half_size, double tile, SceneBody& body) {
  const int count = std::min(int(std::ceil(half_size / tile)), 30);
  const int i0 = int(std::round(middle.x() / tile)), j0 = int(std::round(middle.y() / tile));
  for (int j = j0 - count; j < j0 + count; ++j)
    for (int i = i0 - count; i < i0 + count; ++i) {
      if ((i + j) % 2 != 0) continue;
      std::vector<Eigen::Vector3d> corners;
      for (const int y : {j, j + 1})
        for (const int x : {i, i + 1}) corners.emplace_back(x * tile, y * tile, 0);
      add_surface_mesh(corners, 2, 2, body);
    }
}

// 1, 2 or 5 times a power of ten, at most `length`.
double round_length(double length) {
  const double decade = std::pow(10, std::floor(std::log10(length))), factor = length / decade;
  return decade * (factor >= 5 ? 5 : factor >= 2 ? 2 : 1);
}

// The surface of a height field at its grid points and between them.
void add_hills(const Obstacle& field, SceneBody& body) {
  const int parts = field.columns * field.rows < 2500 ? 3 : 1;
  const int columns = (field.columns - 1) * parts + 1, rows = (field.rows - 1) * parts + 1;
  std::vector<Eigen::Vector3d> points;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const double x = column * field.spacing / parts, y = row * field.spacing / parts;
      points.emplace_back(x, y, articulated::detail::height_at(field, x, y).value);
    }
  add_surface_mesh(points, columns, rows, body);
}

}  // namespace

CharacterDrawing::CharacterDrawing(const articulated::CharacterModel& model, const CharacterObstacles& obstacles,
                                   const articulated::CharacterPose& start, double force, double reach)
    : model_(model), state_(model) {
  state_.set(model, start);
  add_bodies();
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    const Eigen::Isometry3d pose = isometry_of(state_.frames[std::size_t(dofs_[b])]);
    for (const std::array<double, 3>& point : scene_.bodies[b].points)
      box_.extend(pose * Eigen::Map<const Eigen::Vector3d>(point.data()));
  }
  length_ = box_.isEmpty() ? 1 : box_.sizes().norm();
  force_scale_ = force > 0 ? arrow_of_force * length_ / force : 0;
  scene_.length = length_;
  add_obstacles(obstacles, reach);
  add_glyphs();
}

void CharacterDrawing::add_bodies() {
  for (const CharacterShape& shape : model_.shapes()) add_solid(shape);
  for (int j = 0; j < model_.dof_count(); ++j) {
    const bool has_shape = std::any_of(model_.shapes().begin(), model_.shapes().end(),
                                       [&](const CharacterShape& shape) { return shape.dof == j; });
    if (!model_.dofs()[std::size_t(j)].has_mass || has_shape) continue;
    const auto body = std::find_if(model_.bodies().begin(), model_.bodies().end(),
                                   [&](const articulated::BodyFrame& each) { return each.dof == j; });
    add_solid(box_of_moments(model_.data().moments[j], j, body == model_.bodies().end() ? model_.dof_name(j) : body->name));
  }
}

// Shapes of one owner are one body of the scene.
void CharacterDrawing::add_solid(const CharacterShape& shape) {
  std::size_t number = 0;
  while (number < scene_.bodies.size() && (scene_.bodies[number].name != shape.owner || dofs_[number] != shape.dof)) ++number;
  if (number == scene_.bodies.size()) {
    scene_.bodies.push_back({.name = shape.owner, .kind = "character", .hue = Hue::blue});
    dofs_.push_back(shape.dof);
  }
  if (shape.mesh)
    add_triangles(*shape.mesh, shape.pose, scene_.bodies[number]);
  else
    add_solid_mesh(shape.kind, shape.pose, shape.size, scene_.bodies[number]);
}

void CharacterDrawing::add_obstacles(const CharacterObstacles& obstacles, double reach) {
  for (std::size_t o = 0; o < obstacles.list().size(); ++o) {
    const Obstacle& obstacle = obstacles.list()[o];
    SceneBody body{.name = obstacles.names()[o], .kind = "obstacle", .hue = Hue::gray};
    const Eigen::Isometry3d pose = isometry_of(obstacle.frame);
    if (obstacle.kind == ObstacleKind::plane)
      add_tiles(pose.inverse() * box_.center(), 3 * length_ + reach, round_length(0.5 * length_), body);
    if (obstacle.kind == ObstacleKind::sphere)
      add_solid_mesh(SolidKind::sphere, Eigen::Isometry3d::Identity(), {obstacle.size[0], 0, 0}, body);
    if (obstacle.kind == ObstacleKind::box)
      add_solid_mesh(SolidKind::box, Eigen::Isometry3d::Identity(), {obstacle.size[0], obstacle.size[1], obstacle.size[2]},
                     body);
    if (obstacle.kind == ObstacleKind::height_field) add_hills(obstacle, body);
    add_triangles(obstacles.surface(o), Eigen::Isometry3d::Identity(), body);
    // Obstacles stay: their meshes have coordinates of the world.
    for (std::array<double, 3>& point : body.points) {
      Eigen::Map<Eigen::Vector3d> x(point.data());
      x = (pose * Eigen::Vector3d(x)).eval();
    }
    scene_.bodies.push_back(std::move(body));
    dofs_.push_back(-1);
  }
}

void CharacterDrawing::add_glyphs() {
  const double width = 0.012 * length_;
  scene_.glyphs.push_back({.name = "center of mass",
                           .kind = "center of mass",
                           .hue = Hue::violet,
                           .size = width,
                           .trace = "path of the center of mass"});
  if (!(force_scale_ > 0)) return;
  const std::string kind = fmt::format("contact force: {:.3g} N is {:.3g} m long, {:.3g} m at most",
                                       arrow_of_force * length_ / force_scale_, arrow_of_force * length_, length_);
  for (std::size_t p = 0; p < model_.contact_points().size(); ++p)
    scene_.glyphs.push_back(
        {.name = "contact force", .shape = GlyphShape::arrow, .kind = kind, .hue = Hue::red, .size = 1.2 * width});
}

Eigen::Vector3d CharacterDrawing::center_of_mass() const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int k = 0; k < model_.dof_count(); ++k) {
    const articulated::SecondMoments& E = model_.data().moments[k];
    sum += isometry_of(state_.frames[std::size_t(k)]).linear() * Eigen::Vector3d(E(0, 3), E(1, 3), E(2, 3)) +
           E(3, 3) * isometry_of(state_.frames[std::size_t(k)]).translation();
  }
  return sum / model_.total_mass();
}

void CharacterDrawing::draw(const articulated::CharacterPose& pose, const std::vector<articulated::TouchingPoint>& contacts,
                            SceneFrame& frame) {
  state_.set(model_, pose);
  frame.poses.clear();
  frame.points.clear();
  for (const int dof : dofs_)
    append_pose(dof < 0 ? articulated::identity_frame<double>() : state_.frames[std::size_t(dof)], frame.poses);
  const auto append = [&](const Eigen::Vector3d& point) {
    frame.points.insert(frame.points.end(), point.data(), point.data() + 3);
  };
  const Eigen::Vector3d center = center_of_mass();
  append(center);
  if (!(force_scale_ > 0)) return;
  // An arrow of each point, which ends where it begins where nothing is touched. Forces of several obstacles add up.
  for (int p = 0; p < int(model_.contact_points().size()); ++p) {
    Eigen::Vector3d place = center, force = Eigen::Vector3d::Zero();
    for (const articulated::TouchingPoint& contact : contacts)
      if (contact.point == p) {
        place = contact.place;
        force += contact.force;
      }
    append(place);
    append(place + std::min(force_scale_, length_ / std::max(force.norm(), 1e-300)) * force);
  }
}

}  // namespace holo
