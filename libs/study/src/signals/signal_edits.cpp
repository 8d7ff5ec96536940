#include "signals/signal_edits.h"

#include <algorithm>

#include "holo/core/error.h"
#include "holo/sim/motion/orientation_signal.h"
#include "holo/sim/motion/spline.h"
#include "signals/signal_sources.h"

namespace holo {

namespace {

// Each reader checks the keys of one edit and returns the function that applies it to a signal. The kinds are listed in
// kinds().
using Apply = std::function<MotionSignal(const MotionSignal&)>;

constexpr auto position = SignalQuantity::position, orientation = SignalQuantity::orientation, number = SignalQuantity::number;

Eigen::Matrix3d matrix_of(const Quaternion<double>& q) {
  const Matrix3<double> rows = rotation_matrix(q);
  Eigen::Matrix3d result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result(i, j) = rows(i, j);
  return result;
}

Apply read_affine(Configuration& entry, SignalQuantity) {
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

Apply read_rotate(Configuration& entry, SignalQuantity) {
  const Quaternion<double> world = read_rotation(entry, "world", "rotation about an axis of the world; axis times angle");
  const Quaternion<double> body = read_rotation(entry, "body", "rotation about an axis of the body; axis times angle");
  return [world, body](const MotionSignal& signal) { return rotate_orientations(signal, world, body); };
}

SignalEnds read_ends(Configuration& entry) {
  return entry.boolean("closed", false, "whether the motion is periodic: its last sample is its first") ? SignalEnds::closed
                                                                                                        : SignalEnds::open;
}

Apply read_scale_about_mean(Configuration& entry, SignalQuantity quantity) {
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

Apply read_symmetrize(Configuration& entry, SignalQuantity quantity) {
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

Apply read_smooth(Configuration& entry, SignalQuantity quantity) {
  const double cutoff = entry.number(
      "cutoff_frequency",
      {.unit = "Hz", .minimum = 0, .minimum_excluded = true, .documentation = "frequency at which the amplitude is halved"});
  const SignalEnds ends = read_ends(entry);
  return [=](const MotionSignal& signal) {
    return quantity == orientation ? smooth_orientations(signal, cutoff, ends) : smooth(signal, cutoff, ends);
  };
}

Apply read_close_loop(Configuration& entry, SignalQuantity quantity) {
  const double window =
      entry.number("window", {.unit = "s",
                              .minimum = 0,
                              .minimum_excluded = true,
                              .documentation = "duration at the end in which the motion returns to its beginning"});
  return [=](const MotionSignal& signal) {
    return quantity == orientation ? close_orientation_loop(signal, window) : close_loop(signal, window);
  };
}

Apply read_displace(Configuration& entry, SignalQuantity) {
  const SignalKeys keys = read_keys(entry, "displacement", position, false);
  const SignalEnds ends = read_ends(entry);
  return [=](const MotionSignal& signal) { return displace(signal, keys.times, keys.values, ends); };
}

struct Kind {
  const char *name, *documentation;
  Apply (*read)(Configuration&, SignalQuantity);
  std::vector<SignalQuantity> of;
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

int component_count(SignalQuantity quantity) { return quantity == position ? 3 : quantity == orientation ? 4 : 1; }

std::vector<SignalEdit> read_edits(Configuration& signal, SignalQuantity quantity) {
  std::vector<SignalEdit> edits;
  const auto read = [&](Configuration& entry) {
    std::vector<Configuration::Branch> branches;
    for (const Kind& kind : kinds())
      if (entry.recording() || std::find(kind.of.begin(), kind.of.end(), quantity) != kind.of.end())
        branches.push_back({kind.name, kind.documentation, [&](Configuration& p) {
                              edits.push_back({p.location(), kind.read(p, quantity)});
                            }});
    entry.branch("type", branches, {}, "kind of the edit");
  };
  signal.each("edits", read, "edits of the signal, in this order");
  return edits;
}

MotionSignal edited(MotionSignal signal, const std::vector<SignalEdit>& edits) {
  for (const SignalEdit& edit : edits) signal = at_place(edit.where, [&] { return edit.apply(signal); });
  return signal;
}

}  // namespace holo
