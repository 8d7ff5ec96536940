#include "holo/sim/articulated/dynamics/character_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/error.h"
#include "holo/sim/articulated/dynamics/rotation_vector.h"

namespace holo::articulated {

using Eigen::Isometry3d;

CharacterData CharacterModel::data() const {
  return {dof_count(),
          int(charts_.size()),
          int(plugin_joint_data_.size()),
          int(contact_points_.size()),
          int(sphere_pairs_.size()),
          dofs_.data(),
          moments_.data(),
          charts_.data(),
          plugin_joint_data_.data(),
          contact_points_.data(),
          sphere_pairs_.data()};
}

int CharacterModel::dof(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end())
    throw Error(Failure::input,
                fmt::format("the character '{}' has no degree of freedom '{}'.{}", name_, name, suggestion(name, names_)));
  return int(found - names_.begin());
}

std::vector<int> CharacterModel::unactuated() const {
  std::vector<int> others;
  for (int j = 0; j < dof_count(); ++j)
    if (!std::binary_search(actuated_.begin(), actuated_.end(), j)) others.push_back(j);
  return others;
}

double CharacterModel::total_mass() const {
  double sum = 0;
  for (const SecondMoments& E : moments_) sum += E(3, 3);
  return sum;
}

bool recenter(const CharacterModel& model, CharacterPose& pose, double limit) {
  bool moved = false;
  const CharacterData data = model.data();
  for (int c = 0; c < data.chart_count; ++c) {
    double* w = &pose.coordinates[std::size_t(data.charts[c].first)];
    const Vector3<double> vector{w[0], w[1], w[2]};
    if (data.charts[c].cone < unlimited || !(norm(vector) > limit)) continue;
    Matrix3<double>& reference = pose.references[std::size_t(c)];
    reference = reference * rotation_of_vector(vector);
    std::fill(w, w + 3, 0.0);
    moved = true;
  }
  return moved;
}

RigidFrame<double> rigid_frame(const Isometry3d& pose) {
  RigidFrame<double> frame{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) frame.rotation(i, j) = pose.linear()(i, j);
    frame.origin[i] = pose.translation()[i];
  }
  return frame;
}

// E = [[S + m c c^T, m c], [m c^T, m]] of the second moments S about the center of mass c.
SecondMoments second_moments(const MassProperties& mass) {
  Eigen::Matrix4d E;
  E << mass.second_moments + mass.mass * mass.center * mass.center.transpose(), mass.mass * mass.center,
      mass.mass * mass.center.transpose(), mass.mass;
  SecondMoments result{};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) result(i, j) = E(i, j);
  return result;
}

}  // namespace holo::articulated
