#include "signals/target_edits.h"

#include <algorithm>

#include "holo/core/error.h"
#include "holo/sim/motion/orientation_signal.h"
#include "holo/sim/motion/spline.h"
#include "signals/target_sources.h"

namespace holo {

namespace {

// Each reader checks the keys of one edit and returns the function that applies it to a signal. The kinds are listed in
// kinds().
using Apply = std::function<MotionSignal(const MotionSignal&)>;

constexpr auto position = TargetQuantity::position, orientation = TargetQuantity::orientation, number = TargetQuantity::number;

Eigen::Matrix3d matrix_of(const Quaternion<double>& q) {
  const Matrix3<double> rows = rotation_matrix(q);
  Eigen::Matrix3d result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result(i, j) = rows(i, j);
  return result;
}

Apply read_affine(Configuration& entry, TargetQuantity) {
  const std::array<double, 3> zero{}, one{1, 1, 1};
  const Eigen::Vector3d scale =
      vector_of(entry.vector3("scale", {.default_value = one, .documentation = "factors along x, y and z; applied first"}));
  const Quaternion<double> turn = read_rotation(entry, "rotation", "rotation, applied second; axis times angle");
  const Eigen::Vector3d offset =
      vector_of(entry.vector3("offset", {.unit = "m", .default_value = zero, .documentation = "offset, applied last"}));
  const Eigen::Vector3d center = vector_of(
      entry.vector3("center", {.unit = "m", .default_value = zero, .documentation = "fixed point of scale and rotation"}));
  // x -> c + R S (x - c) + offset: scale first, then rotation, about the center c.
  AffineMap map{matrix_of(turn) * scale.asDiagonal(), Eigen::VectorXd(3)};
  map.offset = center - map.matrix * center + offset;
  return [map](const MotionSignal& signal) { return affine_map(signal, map); };
}

Apply read_rotate(Configuration& entry, TargetQuantity) {
  const Quaternion<double> world = read_rotation(entry, "world", "rotation about an axis of the world; axis times angle");
  const Quaternion<double> body = read_rotation(entry, "body", "rotation about an axis of the body; axis times angle");
  return [world, body](const MotionSignal& signal) { return rotate_orientations(signal, world, body); };
}

SignalEnds read_ends(Configuration& entry) {
  return entry.boolean("closed", false, "whether the motion is periodic: its last sample is its first") ? SignalEnds::closed
                                                                                                        : SignalEnds::open;
}

Apply read_scale_about_mean(Configuration& entry, TargetQuantity quantity) {
  const std::vector<double> given = entry.numbers(
      "factors", 1, 3, {.documentation = "factors of the distance from the mean over time: one, or three for a position"});
  const SignalEnds ends = read_ends(entry);
  // An orientation is scaled by the angle of its rotation from the mean, so that it has one factor.
  if (quantity == orientation) {
    if (given.size() != 1 && !entry.recording())
      entry.problem(entry.location("factors"), "an orientation has one factor, not several");
    return
        [factor = given[0], ends](const MotionSignal& signal) { return scale_orientations_about_mean(signal, factor, ends); };
  }
  const auto count = std::size_t(component_count(quantity));
  if (given.size() != 1 && given.size() != count && !entry.recording())
    entry.problem(entry.location("factors"), std::to_string(given.size()) + " factors were found; " +
                                                 (count == 1 ? "a number has one" : "a position has one for all, or three"));
  Eigen::VectorXd factors = Eigen::VectorXd::Constant(Eigen::Index(count), given[0]);
  if (given.size() == count) factors = Eigen::Map<const Eigen::VectorXd>(given.data(), Eigen::Index(count));
  return [factors, ends](const MotionSignal& signal) { return scale_about_mean(signal, factors, ends); };
}

// Positions are mirrored at a plane through a point; orientations need its normal only.
Apply read_symmetrize(Configuration& entry, TargetQuantity quantity) {
  const Eigen::Vector3d normal =
      vector_of(entry.vector3("normal", {.documentation = "normal of the mirror plane; any length but 0"}));
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  if (quantity == position || entry.recording())
    point = vector_of(entry.vector3("point", {.unit = "m",
                                              .default_value = std::array<double, 3>{},
                                              .documentation = "point of the mirror plane; only for positions"}));
  if (quantity == orientation) return [normal](const MotionSignal& signal) { return symmetrize_orientations(signal, normal); };
  return [normal, point](const MotionSignal& signal) { return symmetrize(signal, reflection(normal, point)); };
}

Apply read_smooth(Configuration& entry, TargetQuantity quantity) {
  const double cutoff = entry.number(
      "cutoff_frequency",
      {.unit = "Hz", .minimum = 0, .minimum_excluded = true, .documentation = "frequency at which the amplitude is halved"});
  const SignalEnds ends = read_ends(entry);
  return [=](const MotionSignal& signal) {
    return quantity == orientation ? smooth_orientations(signal, cutoff, ends) : smooth(signal, cutoff, ends);
  };
}

Apply read_close_loop(Configuration& entry, TargetQuantity quantity) {
  const double window =
      entry.number("window", {.unit = "s",
                              .minimum = 0,
                              .minimum_excluded = true,
                              .documentation = "duration at the end in which the motion returns to its beginning"});
  return [=](const MotionSignal& signal) {
    return quantity == orientation ? close_orientation_loop(signal, window) : close_loop(signal, window);
  };
}

// The displacements are keys of a spline, as those of a target of type `spline`.
Apply read_displace(Configuration& entry, TargetQuantity) {
  const TargetKeys keys = read_keys(entry, "displacement", position, false);
  const SignalEnds ends = read_ends(entry);
  return [=](const MotionSignal& signal) { return displace(signal, keys.times, keys.values, ends); };
}

struct Kind {
  const char *name, *documentation;
  Apply (*read)(Configuration&, TargetQuantity);
  std::vector<TargetQuantity> of;
};

// All kinds of edits, with the quantities that they apply to.
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"affine", "scaling, rotation and translation of positions", read_affine, {position}},
      {"rotate", "rotation of orientations", read_rotate, {orientation}},
      {"scale_about_mean", "scaling of the motion about its mean", read_scale_about_mean, {position, orientation, number}},
      {"symmetrize", "mean of the motion and its mirror image half a period later", read_symmetrize, {position, orientation}},
      {"smooth", "low-pass filter without delay", read_smooth, {position, orientation, number}},
      {"close_loop",
       "closing of the motion: its end returns to its beginning",
       read_close_loop,
       {position, orientation, number}},
      {"displace",
       "addition of a Catmull-Rom spline through displacements, from the first sample to the last",
       read_displace,
       {position}},
  };
  return all;
}

}  // namespace

int component_count(TargetQuantity quantity) { return quantity == position ? 3 : quantity == orientation ? 4 : 1; }

std::vector<TargetEdit> read_target_edits(Configuration& target, TargetQuantity quantity) {
  std::vector<TargetEdit> edits;
  const auto read = [&](Configuration& entry) {
    std::vector<Configuration::Branch> branches;
    for (const Kind& kind : kinds())
      if (entry.recording() || std::find(kind.of.begin(), kind.of.end(), quantity) != kind.of.end())
        branches.push_back({kind.name, kind.documentation, [&](Configuration& p) {
                              edits.push_back({p.location(), kind.read(p, quantity)});
                            }});
    entry.branch("type", branches, {}, "kind of the edit");
  };
  target.each("edits", read, "edits of the target, in this order");
  return edits;
}

// Edits take the result of those before them. The first refusal ends the chain: what follows would act on another signal.
std::optional<TargetRefusal> make_edits(MotionSignal& signal, const std::vector<TargetEdit>& edits) {
  for (const TargetEdit& edit : edits) {
    try {
      signal = edit.apply(signal);
    } catch (const Error& error) {
      return TargetRefusal{edit.where, error.what()};
    }
  }
  return {};
}

}  // namespace holo
