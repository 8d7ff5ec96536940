#include "signals/signal_sources.h"

#include <fmt/format.h>

#include <cmath>

#include "holo/core/error.h"
#include "holo/sim/motion/orientation_signal.h"
#include "holo/sim/motion/spline.h"
#include "signals/formula_variables.h"

namespace holo {

namespace {

constexpr std::size_t most_angles = 6;

const char* name_of(SignalQuantity quantity) {
  return quantity == SignalQuantity::position ? "position" : quantity == SignalQuantity::orientation ? "orientation" : "number";
}

using Formulas = std::vector<std::string>;

// Turns about the body's own axes, or about one axis of the world.
struct OrientationFormulas {
  std::string axes;
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();
  Formulas formulas;
};

OrientationFormulas read_orientation_formulas(Configuration& entry) {
  OrientationFormulas result;
  const auto read_angles = [&](Configuration& p) {
    result.axes = p.text("axes", {.documentation = "axes of the angles, letters X, Y, Z: ZYX is the rotation R_z R_y R_x"});
    const bool good =
        !result.axes.empty() && result.axes.size() <= most_angles && result.axes.find_first_not_of("XYZ") == std::string::npos;
    if (!good && !p.recording())
      p.problem(p.location("axes"),
                fmt::format("the axes are '{}'; 1 to {} letters X, Y or Z are allowed", result.axes, most_angles));
    result.formulas = p.texts("formulas", good ? result.axes.size() : 1, good ? result.axes.size() : most_angles,
                              {.documentation = "formulas of the angles [rad], one for each letter"});
  };
  const auto read_turn = [&](Configuration& p) {
    result.axis = vector_of(p.vector3("axis", {.documentation = "axis of the rotation; any length but 0"}));
    if (!(result.axis.norm() > 0) && !p.recording())
      p.problem(p.location("axis"), "the axis has the length 0; any other is allowed");
    result.formulas = {p.text("formula", {.documentation = "formula of the angle [rad]"})};
  };
  entry.branch_on_key(
      {{"axes", "successive angles about the body's own axes", read_angles}, {"axis", "angle about one axis", read_turn}},
      "rotation of the body");
  return result;
}

MotionSignal signal_of(const OrientationFormulas& from, const SampleTimes& samples) {
  MotionSignal angles = signal_of_formulas(from.formulas, samples.time_step, samples.count, "rad", samples.variables);
  if (!from.axes.empty()) return orientations_from_angles(angles, from.axes);
  angles.values = (from.axis.normalized() * angles.values).eval();
  return orientations_from_rotation_vectors(angles);
}

void read_orientation_key(Configuration& key, SignalKeys& keys, Eigen::Index last) {
  const auto read_quaternion = [&](Configuration& p) {
    const std::vector<double> q =
        p.numbers("orientation", 4, 4, {.documentation = "quaternion (w, x, y, z) of length 1 to 1e-3"});
    if (p.recording() || q.size() != 4) return;
    keys.values.col(last) = Eigen::Map<const Eigen::Vector4d>(q.data());
    const double length = keys.values.col(last).norm();
    if (!(std::abs(length - 1) < 1e-3))
      p.problem(p.location("orientation"), fmt::format("the quaternion has the length {:.6g}; it must be 1 to 1e-3", length));
    keys.values.col(last) /= length > 0 ? length : 1;
  };
  const auto read_vector = [&](Configuration& p) {
    const Quaternion<double> q = read_rotation(p, "rotation", "axis times angle");
    keys.values.col(last) = Eigen::Vector4d(q.w, q.x, q.y, q.z);
  };
  key.branch_on_key({{"orientation", "quaternion", read_quaternion}, {"rotation", "rotation vector", read_vector}},
                    "orientation at the key");
}

void read_key(Configuration& key, const std::string& value_name, SignalQuantity quantity, bool with_velocities,
              SignalKeys& keys) {
  const Eigen::Index last = keys.times.size();
  const double time = key.number("time", {.unit = "s", .documentation = "time of the key, later than that of the key before"});
  if (last > 0 && !(time > keys.times[last - 1]) && !key.recording())
    key.problem(key.location("time"), fmt::format("'{}' is {} s, the key before it is at {} s; times must increase",
                                                  key.path("time"), time, keys.times[last - 1]));
  for (Eigen::MatrixXd* m : {&keys.values, &keys.velocities}) m->conservativeResize(component_count(quantity), last + 1);
  keys.times.conservativeResize(last + 1);
  keys.times[last] = time;
  if (quantity == SignalQuantity::orientation) return read_orientation_key(key, keys, last);
  const auto read = [&](const std::string& name, const char* unit, const char* documentation, Eigen::MatrixXd& to) {
    if (quantity == SignalQuantity::number)
      to(0, last) = key.number(name, {.unit = unit, .documentation = documentation});
    else
      to.col(last) = vector_of(key.vector3(name, {.unit = unit, .documentation = documentation}));
  };
  const bool is_point = quantity == SignalQuantity::position;
  read(value_name, is_point ? "m" : "1", "value at the key", keys.values);
  if (key.recording() && with_velocities) key.has("velocity");  // not everywhere: no key that is always required
  if (with_velocities)
    read("velocity", is_point ? "m/s" : "1/s", "velocity at the key; only of the kind hermite", keys.velocities);
}

struct SplineKeys {
  SignalKeys keys;
  std::string kind;
};

SplineKeys read_curve(Configuration& entry, SignalQuantity quantity) {
  SplineKeys result;
  result.kind = entry.text("kind", {.choices = {"smooth", "natural", "catmull_rom", "monotone", "hermite"},
                                    .default_value = "smooth",
                                    .documentation = "smooth: twice differentiable; natural: the same, straight at its ends; "
                                                     "monotone: without overshoot; hermite: with velocities"});
  result.keys = read_keys(entry, name_of(quantity), quantity, result.kind == "hermite" || entry.recording());
  return result;
}

SplineKeys read_orientation_curve(Configuration& entry) {
  SplineKeys result;
  result.kind = entry.text(
      "kind", {.choices = {"hermite", "slerp"},
               .default_value = "hermite",
               .documentation = "hermite: continuous angular velocity; slerp: constant angular velocity between keys"});
  result.keys = read_keys(entry, "orientation", SignalQuantity::orientation, false);
  return result;
}

MotionSignal signal_of(const SplineKeys& from, SignalQuantity quantity, SignalEnds ends, const SampleTimes& samples) {
  const SignalKeys& keys = from.keys;
  if (quantity == SignalQuantity::orientation) {
    const OrientationPath path = from.kind == "slerp" ? OrientationPath::slerp : OrientationPath::hermite;
    return sample(make_orientation_spline(keys.times, keys.values, path, ends), 0, samples.time_step, samples.count);
  }
  const SplineKind kind = from.kind == "natural"       ? SplineKind::natural
                          : from.kind == "catmull_rom" ? SplineKind::catmull_rom
                          : from.kind == "monotone"    ? SplineKind::monotone
                                                       : SplineKind::smooth;
  const CubicSpline spline = from.kind == "hermite" ? make_spline(keys.times, keys.values, keys.velocities, ends)
                                                    : make_spline(keys.times, keys.values, kind, ends);
  return sample(spline, 0, samples.time_step, samples.count, quantity == SignalQuantity::position ? "m" : "1");
}

}  // namespace

Eigen::Vector3d vector_of(const std::array<double, 3>& values) { return {values[0], values[1], values[2]}; }

Quaternion<double> read_rotation(Configuration& entry, const char* key, const std::string& documentation) {
  const auto v = entry.vector3(key, {.unit = "rad", .default_value = std::array<double, 3>{}, .documentation = documentation});
  return quaternion_of({v[0], v[1], v[2]});
}

SignalQuantity read_quantity(Configuration& entry, const std::vector<QuantityBranch>& branches) {
  SignalQuantity quantity = SignalQuantity::position;
  std::vector<Configuration::Branch> named;
  named.reserve(branches.size());
  for (const QuantityBranch& branch : branches)
    named.push_back({name_of(branch.quantity), branch.documentation, [&](Configuration& p) {
                       quantity = branch.quantity;
                       branch.read(p);
                     }});
  entry.branch("quantity", named, name_of(SignalQuantity::position), "quantity of the signal");
  return quantity;
}

SignalKeys read_keys(Configuration& entry, const std::string& value_name, SignalQuantity quantity, bool with_velocities) {
  SignalKeys keys;
  entry.each(
      "keys", [&](Configuration& key) { read_key(key, value_name, quantity, with_velocities, keys); }, "keys of the spline", 2);
  return keys;
}

SignalComputation read_formula_signal(Configuration& entry, const std::vector<std::string>& names, SignalQuantity& quantity) {
  const std::size_t problems = entry.problem_count();
  Formulas formulas;
  OrientationFormulas turn;
  quantity = read_quantity(
      entry,
      {{SignalQuantity::position, "position of a point [m]",
        [&](Configuration& p) {
          formulas = p.texts("formulas", 3, 3,
                             {.documentation = "formulas of x, y and z in the time t and the motion's duration T [s]"});
        }},
       {SignalQuantity::orientation, "orientation of a body", [&](Configuration& p) { turn = read_orientation_formulas(p); }},
       {SignalQuantity::number, "such as a weight", [&](Configuration& p) {
          formulas = {p.text("formula", {.documentation = "formula in the time t and the motion's duration T [s]"})};
        }}});
  const bool has_one = quantity == SignalQuantity::number || (quantity == SignalQuantity::orientation && turn.axes.empty());
  const char* key = has_one ? "formula" : "formulas";
  check_formulas(entry, key, quantity == SignalQuantity::orientation ? turn.formulas : formulas, names, problems);
  return [=, of = quantity, where = entry.location(key)](const SampleTimes& samples) {
    return at_place(where, [&] {
      if (of == SignalQuantity::orientation) return signal_of(turn, samples);
      return signal_of_formulas(formulas, samples.time_step, samples.count, of == SignalQuantity::position ? "m" : "1",
                                samples.variables);
    });
  };
}

SignalComputation read_spline_signal(Configuration& entry, SignalQuantity& quantity) {
  SplineKeys curve;
  const auto read = [&](SignalQuantity of) { return [&curve, of](Configuration& p) { curve = read_curve(p, of); }; };
  quantity = read_quantity(entry, {{SignalQuantity::position, "position of a point", read(SignalQuantity::position)},
                                   {SignalQuantity::orientation, "orientation of a body",
                                    [&](Configuration& p) { curve = read_orientation_curve(p); }},
                                   {SignalQuantity::number, "such as a weight", read(SignalQuantity::number)}});
  const bool is_closed = entry.boolean("closed", false, "periodic; the last key equals the first");
  const SignalEnds ends = is_closed ? SignalEnds::closed : SignalEnds::open;
  return [curve, ends, of = quantity, where = entry.location("keys")](const SampleTimes& samples) {
    return at_place(where, [&] { return signal_of(curve, of, ends, samples); });
  };
}

}  // namespace holo
