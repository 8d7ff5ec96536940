#include "holo/sim/mechanism/losses/mechanism_observables.h"

#include <algorithm>

#include "holo/sim/motion/motion_tasks.h"
#include "mechanism/losses/rotated_point.h"

namespace holo {

namespace {

constexpr int lane_count = int(HOLO_LANE_WIDTH);

using Binding = MechanismObservables::Binding;
using Unknown = MechanismObservables::Unknown;
using Observable = MechanismObservables::Observable;

// The value of an unknown in SI units.
double value(const Unknown& unknown, const MechanismKnots& at, int knot) {
  switch (unknown.kind) {
    case Unknown::Kind::parameter:
      return unknown.scale * at.parameters[unknown.index];
    case Unknown::Kind::control:
      return unknown.scale * at.controls(unknown.index, knot);
    case Unknown::Kind::rate:
      return unknown.scale * at.rates(unknown.index, knot);
    default:
      return unknown.scale * at.states(unknown.index, knot);
  }
}

// The pose of the observable's body in SI units: p_WB, and the quaternion (w, x, y, z) of its rotation from rest.
Eigen::Vector<double, 7> body_pose(const Binding& binding, const Observable& observable, const MechanismKnots& at, int knot) {
  Eigen::Vector<double, 7> pose;
  for (int k = 0; k < 7; ++k) pose[k] = value(binding.unknowns[std::size_t(observable.unknown + k)], at, knot);
  return pose;
}

// Writes one observable's numbers to z [number][lane]. Points: p_WP = p_WB + R(q) a, where a is the point in the axes at
// rest. Poses of merged bodies: additionally the product of the body's quaternion and `turn`. All others are unknowns
// themselves.
void observe(const Binding& binding, const Observable& observable, const MechanismKnots& at, int knot, double* z) {
  if (!observable.has_point()) {
    for (int k = 0; k < observable.size; ++k)
      z[k * lane_count] = value(binding.unknowns[std::size_t(observable.unknown + k)], at, knot);
    return;
  }
  const Eigen::Vector<double, 7> pose = body_pose(binding, observable, at, knot);
  const Eigen::Vector3d turned = rotated_point(pose.tail<4>(), observable.point);
  for (int k = 0; k < 3; ++k) z[k * lane_count] = pose[k] + turned[k];
  if (!observable.is_part) return;
  const Eigen::Vector4d product = quaternion_times(observable.turn) * pose.tail<4>();
  for (int k = 0; k < 4; ++k) z[(3 + k) * lane_count] = product[k];
}

// The observables of a mechanism, for messages.
constexpr const char* what_there_is = "point, pose, control, control_rate and design_parameter";

std::string key_of(std::uint32_t kind) {
  std::string name = to_string(holo_observable_kind(kind));
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

}  // namespace

bool MechanismObservables::has(holo_observable_kind kind, int step) const {
  if (step != 0) return false;
  switch (kind) {
    case HOLO_OBSERVABLE_POINT:
    case HOLO_OBSERVABLE_POSE:
    case HOLO_OBSERVABLE_CONTROL:
    case HOLO_OBSERVABLE_CONTROL_RATE:
    case HOLO_OBSERVABLE_DESIGN_PARAMETER:
      return true;
    default:
      return false;
  }
}

std::vector<std::string> MechanismObservables::names(holo_subject subject) const {
  switch (subject) {
    case HOLO_SUBJECT_BODY:
      return layout_->model().observable_names();
    case HOLO_SUBJECT_CONTROL:
      return layout_->all_control_names();
    case HOLO_SUBJECT_DESIGN_PARAMETER:
      return layout_->parameter_names();
    default:
      return {};
  }
}

// Unknowns are shared by the observables of a loss: a known one is found, another is appended with its number in the stage.
int MechanismObservables::add_unknown(Binding& binding, Unknown::Kind kind, int index, double scale) const {
  for (std::size_t i = 0; i < binding.unknowns.size(); ++i)
    if (binding.unknowns[i].kind == kind && binding.unknowns[i].index == index) return int(i);
  const int parameters = layout_->parameter_count(), controls = layout_->control_count();
  const int offset = kind == Unknown::Kind::parameter ? 0
                     : kind == Unknown::Kind::control ? parameters
                     : kind == Unknown::Kind::rate    ? parameters + controls
                                                      : parameters + 2 * controls;
  binding.unknowns.push_back({kind, index, offset + index, scale});
  return int(binding.unknowns.size()) - 1;
}

void MechanismObservables::bind_body(const holo_observable& wanted, Binding& binding, Observable& observable) const {
  const int subject = int(wanted.subject);
  // Points of merged bodies are converted to the body's coordinates once, here. A pose needs the extra rotation only if the
  // frame is not the body's.
  const MergedBody part = layout_->model().observable(subject);
  const Eigen::Quaterniond turn(part.axes);
  observable.is_point = wanted.kind == HOLO_OBSERVABLE_POINT;
  observable.is_part = !observable.is_point && (subject != part.body || part.axes != Eigen::Matrix3d::Identity());
  observable.size = observable.is_point ? 3 : int(HOLO_POSE_SIZE);
  observable.point = part.origin;
  if (observable.is_point) observable.point += part.axes * Eigen::Vector3d(wanted.point[0], wanted.point[1], wanted.point[2]);
  observable.turn = Eigen::Vector4d(turn.w(), turn.x(), turn.y(), turn.z());
  for (int k = 0; k < int(HOLO_POSE_SIZE); ++k) {
    const int state = int(HOLO_POSE_SIZE) * part.body + k;
    const int unknown = add_unknown(binding, Unknown::Kind::state, state, layout_->state_scale(state));
    if (k == 0) observable.unknown = unknown;
  }
}

void MechanismObservables::bind_control(const holo_observable& wanted, Binding& binding, Observable& observable) const {
  const UnknownIndex& unknown = layout_->all_controls()[std::size_t(wanted.subject)];
  // A dependent control is a state of the knot. Rates of dependent controls do not come here: StateRateObservables has them.
  const bool is_rate = wanted.kind == HOLO_OBSERVABLE_CONTROL_RATE, depends = unknown.kind == UnknownIndex::Kind::state;
  observable.unknown = add_unknown(binding,
                                   is_rate   ? Unknown::Kind::rate
                                   : depends ? Unknown::Kind::state
                                             : Unknown::Kind::control,
                                   unknown.index, unknown.scale);
  binding.has_rates = binding.has_rates || is_rate;
}

// Resolves each observable of the loss to unknowns, once, so that evaluation has no lookups by name.
MechanismObservables::Binding MechanismObservables::bind(const NamedLoss& loss) const {
  const holo_loss_description& description = loss.instance->description();
  Binding binding;
  for (std::uint32_t i = 0; i < description.observable_count; ++i) {
    const holo_observable& wanted = description.observables[i];
    if (wanted.step != 0)
      refuse_loss(loss, "asks for " + key_of(wanted.kind) + " at an earlier step; a mechanism has the present one only");
    Observable observable;
    observable.first = binding.size;
    switch (wanted.kind) {
      case HOLO_OBSERVABLE_POINT:
      case HOLO_OBSERVABLE_POSE:
        bind_body(wanted, binding, observable);
        break;
      case HOLO_OBSERVABLE_CONTROL:
      case HOLO_OBSERVABLE_CONTROL_RATE:
        bind_control(wanted, binding, observable);
        break;
      case HOLO_OBSERVABLE_DESIGN_PARAMETER: {
        const int subject = int(wanted.subject);
        observable.unknown = add_unknown(binding, Unknown::Kind::parameter, subject, layout_->parameter_scale(subject));
        break;
      }
      default:
        refuse_loss(loss, "asks for '" + key_of(wanted.kind) + "', which a mechanism lacks: it has " + what_there_is);
    }
    binding.size += observable.size;
    binding.observables.push_back(observable);
  }
  return binding;
}

int MechanismObservables::knot_count(const Binding& binding, const MechanismKnots& at) const {
  return int(binding.has_rates ? at.rates.cols() : at.states.cols());
}

bool MechanismObservables::exists(const Binding& binding, const MechanismKnots& at, const LossData& data, int knot) const {
  return !binding.has_rates || has_rate(data.task_beginnings, int(at.rates.cols()) + 1, knot);
}

void MechanismObservables::values(const Binding& binding, const MechanismKnots& at, int first, int count, double* z) const {
  for (const Observable& observable : binding.observables)
    for (int lane = 0; lane < lane_count; ++lane)
      // Lanes past the last knot repeat it, so that the plugin gets finite numbers.
      observe(binding, observable, at, first + std::min(lane, count - 1), z + observable.first * lane_count + lane);
}

Eigen::Index MechanismObservables::unknown_count(const MechanismKnots&) const {
  return layout_->parameter_count() + 2 * layout_->control_count() + layout_->state_count();
}

// Identity in the unknowns themselves, then d(R(q) a)/dq of points and the constant product matrix of merged bodies'
// quaternions.
void MechanismObservables::jacobian(const Binding& binding, const MechanismKnots& at, int knot, Eigen::MatrixXd& result) const {
  result.setZero(binding.size, Eigen::Index(binding.unknowns.size()));
  for (const Observable& observable : binding.observables) {
    const int z = observable.first, y = observable.unknown;
    for (int k = 0; k < observable.size; ++k) result(z + k, y + k) = 1;
    if (observable.has_point())
      result.block<3, 4>(z, y + 3) =
          rotated_point_jacobian(body_pose(binding, observable, at, knot).tail<4>(), observable.point);
    if (observable.is_part) result.block<4, 4>(z + 3, y + 3) = quaternion_times(observable.turn);
  }
}

// Only the rotated point R(q) a is not linear: it is quadratic in q, and its Hessian is constant.
void MechanismObservables::add_curvature(const Binding& binding, const Eigen::VectorXd& gz, Eigen::MatrixXd& result) const {
  for (const Observable& observable : binding.observables)
    if (observable.has_point())
      result.block<4, 4>(observable.unknown + 3, observable.unknown + 3) +=
          rotated_point_hessian(observable.point, gz.segment<3>(observable.first));
}

// The chain rule in the stage's unknowns: the scales convert the layout's units to SI units.
void MechanismObservables::push_forward(const Binding& binding, const MechanismKnots& at, int knot, const ConstVector& dx,
                                        VectorReference dz) const {
  Eigen::MatrixXd J;
  jacobian(binding, at, knot, J);
  dz.setZero();
  for (Eigen::Index i = 0; i < J.cols(); ++i) {
    const Unknown& unknown = binding.unknowns[std::size_t(i)];
    dz += J.col(i) * (unknown.scale * dx[unknown.number]);
  }
}

void MechanismObservables::pull_back(const Binding& binding, const MechanismKnots& at, int knot, const ConstVector& gz,
                                     VectorReference gx) const {
  Eigen::MatrixXd J;
  jacobian(binding, at, knot, J);
  for (Eigen::Index i = 0; i < J.cols(); ++i) {
    const Unknown& unknown = binding.unknowns[std::size_t(i)];
    gx[unknown.number] += unknown.scale * J.col(i).dot(gz);
  }
}

void MechanismObservables::second_order(const Binding& binding, const MechanismKnots&, int, const ConstVector& gz,
                                        const ConstVector& dx, VectorReference result) const {
  const auto n = Eigen::Index(binding.unknowns.size());
  Eigen::MatrixXd curvature = Eigen::MatrixXd::Zero(n, n);
  add_curvature(binding, gz, curvature);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const Unknown &row = binding.unknowns[std::size_t(i)], &column = binding.unknowns[std::size_t(j)];
      result[row.number] += row.scale * curvature(i, j) * column.scale * dx[column.number];
    }
}

}  // namespace holo
