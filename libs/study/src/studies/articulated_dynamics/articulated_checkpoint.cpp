// The state of the study between two steps: two poses and the totals.
#include "holo/core/runs/archive.h"
#include "studies/articulated_dynamics/articulated_steps.h"

namespace holo {

namespace {

constexpr std::string_view articulated_checkpoint = "articulated_dynamics";
constexpr int articulated_checkpoint_version = 1;
constexpr double largest_count = 0x1p53;  // that an archive holds exactly

void visit_articulated_totals(Archive& archive, ArticulatedTotals& totals) {
  for (std::int64_t* count : {&totals.iterations, &totals.iterations_maximum, &totals.rounding_steps})
    archive.visit(*count, largest_count);
  for (std::int64_t* count : {&totals.flight_steps, &totals.last_frame}) archive.visit(*count, largest_count, -1);
  int is_flying = totals.is_flying ? 1 : 0;
  archive.visit(is_flying, 1);
  totals.is_flying = is_flying == 1;
  for (double* value :
       {&totals.first_contact, &totals.largest_residual, &totals.start_energy, &totals.largest_energy, &totals.largest_depth,
        &totals.largest_force, &totals.largest_friction_ratio, &totals.momentum_scale, &totals.momentum_error,
        &totals.angular_momentum_scale, &totals.angular_momentum_error, &totals.lowest_center})
    archive.visit(*value);
  archive.visit(totals.start_momentum);
  archive.visit(totals.start_angular_momentum);
}

void visit_pose(Archive& archive, articulated::CharacterPose& pose) {
  archive.visit(Eigen::Map<Eigen::VectorXd>(pose.coordinates.data(), Eigen::Index(pose.coordinates.size())));
  for (Matrix3<double>& reference : pose.references) archive.visit(Eigen::Map<Eigen::VectorXd>(reference.entries, 9));
}

}  // namespace

std::string ArticulatedDynamics::serialize() const {
  Archive archive(articulated_checkpoint, articulated_checkpoint_version);
  std::int64_t step = step_;
  archive.visit(step, largest_count);
  articulated::CharacterPose previous = previous_, current = current_;
  visit_pose(archive, previous);
  visit_pose(archive, current);
  ArticulatedTotals totals = totals_;
  visit_articulated_totals(archive, totals);
  return archive.take_bytes();
}

void ArticulatedDynamics::deserialize(std::string_view bytes) {
  Archive archive(articulated_checkpoint, articulated_checkpoint_version, bytes);
  std::int64_t step = 0;
  archive.visit(step, double(setup_.scene.step_count));
  articulated::CharacterPose previous = previous_, current = current_;
  visit_pose(archive, previous);
  visit_pose(archive, current);
  ArticulatedTotals totals;
  visit_articulated_totals(archive, totals);
  archive.require_end();
  step_ = step;
  previous_ = previous;
  current_ = current;
  totals_ = totals;
  observe();
}

}  // namespace holo
