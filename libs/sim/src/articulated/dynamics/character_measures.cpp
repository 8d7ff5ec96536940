#include "holo/sim/articulated/dynamics/character_measures.h"

#include <cmath>

#include "holo/sim/articulated/dynamics/contact_forces.h"
#include "holo/sim/articulated/dynamics/joint_forces.h"
#include "holo/sim/articulated/dynamics/self_collision.h"

namespace holo::articulated {

namespace {

using FrameRows = Eigen::Matrix<double, 3, 4>;  // [R o]

FrameRows rows_of(const RigidFrame<double>& frame) {
  FrameRows rows;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) rows(i, j) = frame.rotation(i, j);
    rows(i, 3) = frame.origin[i];
  }
  return rows;
}

Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> moments_of(const CharacterData& model, int k) {
  return Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(model.moments[k].entries);
}

double mass_of_frames(const CharacterData& model) {
  double sum = 0;
  for (int k = 0; k < model.dof_count; ++k) sum += model.moments[k](3, 3);
  return sum;
}

Eigen::Vector3d center_of(const CharacterData& model, const RigidFrame<double>* frames, double mass) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int k = 0; k < model.dof_count; ++k) sum += rows_of(frames[k]) * moments_of(model, k).col(3);
  return sum / mass;
}

// sum of m a x b over the points a = A [p; 1] and b = B [p; 1] of a body.
Eigen::Vector3d moment_of_momentum(const FrameRows& A, const Eigen::Matrix4d& E, const FrameRows& B) {
  const Eigen::Matrix3d products = A * E * B.transpose();
  return {products(1, 2) - products(2, 1), products(2, 0) - products(0, 2), products(0, 1) - products(1, 0)};
}

void add_motion_of_bodies(const CharacterData& model, const StepConstants& step, const StepStates<double>& states,
                          const Eigen::Vector3d& earlier_center, double mass, CharacterMeasures& result) {
  double squares = 0;  // sum of m |P|^2 from the center of mass
  for (int k = 0; k < model.dof_count; ++k) {
    if (!model.dofs[k].has_mass) continue;
    const Eigen::Matrix4d E = moments_of(model, k);
    FrameRows before = rows_of(states.current.kinematics.frames[k]), after = rows_of(states.newest.kinematics.frames[k]);
    const FrameRows velocity = (after - before) / step.time_step;
    result.kinetic_energy += 0.5 * (velocity * E).cwiseProduct(velocity).sum();
    // From the center of mass, so that its motion leaves no rounding errors in the products.
    before.col(3) -= earlier_center;
    after.col(3) -= result.center_of_mass;
    const Eigen::Vector3d of_body = moment_of_momentum(before, E, after) / step.time_step;
    result.angular_momentum += of_body;
    result.angular_momentum_scale += of_body.norm();
    squares += (after * E).cwiseProduct(after).sum();
  }
  result.angular_momentum_scale += result.linear_momentum.norm() * std::sqrt(squares / mass);
}

void add_energies_of_joints(const CharacterData& model, const StepConstants& step, const StepStates<double>& states,
                            CharacterMeasures& result) {
  const double *newest = states.newest.state.coordinates, *current = states.current.state.coordinates;
  for (int j = 0; j < model.dof_count; ++j) {
    const DegreeOfFreedom& dof = model.dofs[j];
    if (dof.kind == DofKind::rotation_vector) continue;  // neither springs nor rotors
    const double rate = (newest[j] - current[j]) / step.time_step, extension = newest[j] - dof.spring_reference;
    result.kinetic_energy += 0.5 * dof.armature * rate * rate;
    result.spring_energy += 0.5 * dof.stiffness * extension * extension;
  }
}

}  // namespace

CharacterMeasures measure(const CharacterModel& character, const StepConstants& step, const StepStates<double>& states) {
  const CharacterData model = character.data();
  CharacterMeasures result;
  const double mass = mass_of_frames(model);
  const Eigen::Vector3d earlier = center_of(model, states.current.kinematics.frames, mass);
  result.center_of_mass = center_of(model, states.newest.kinematics.frames, mass);
  result.linear_momentum = mass * (result.center_of_mass - earlier) / step.time_step;
  result.gravity_energy = -mass * Eigen::Vector3d(step.gravity[0], step.gravity[1], step.gravity[2]).dot(result.center_of_mass);
  add_motion_of_bodies(model, step, states, earlier, mass, result);
  add_energies_of_joints(model, step, states, result);
  result.limit_energy = limit_energy(model, states.newest.state.coordinates);
  result.self_collision_energy = self_collision_energy(model, step, states);
  return result;
}

void find_contacts(const CharacterModel& character, const StepConstants& step, const StepStates<double>& states,
                   std::vector<TouchingPoint>& contacts) {
  contacts.clear();
  const CharacterData model = character.data();
  ContactForce<double> contact{};
  const auto vector_of = [](const Vector3<double>& v) { return Eigen::Vector3d(v[0], v[1], v[2]); };
  for (int p = 0; p < model.contact_point_count; ++p)
    for (int o = 0; o < step.obstacle_count; ++o) {
      if (!contact_force(step, model.contact_points[p], step.obstacles[o], states, contact)) continue;
      const Eigen::Vector3d force = vector_of(contact.force), normal = vector_of(contact.surface.normal);
      const double along = force.dot(normal);
      contacts.push_back({p, o, contact.depth, vector_of(contact.point), force, along, (force - along * normal).norm()});
    }
}

}  // namespace holo::articulated
