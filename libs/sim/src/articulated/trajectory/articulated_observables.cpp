#include "holo/sim/articulated/trajectory/articulated_observables.h"

#include <algorithm>

#include "articulated/trajectory/observable_columns.h"
#include "holo/diff/scalars/complex.h"

namespace holo::articulated {

namespace {

bool needs_two_states(holo_observable_kind kind) {
  return kind == HOLO_OBSERVABLE_MOMENTUM || kind == HOLO_OBSERVABLE_CONTROL_RATE;
}

bool is_observed(holo_observable_kind kind) {
  switch (kind) {
    case HOLO_OBSERVABLE_POINT:
    case HOLO_OBSERVABLE_POSE:
    case HOLO_OBSERVABLE_CENTER_OF_MASS:
    case HOLO_OBSERVABLE_MOMENTUM:
    case HOLO_OBSERVABLE_CONTROL:
    case HOLO_OBSERVABLE_CONTROL_RATE:
      return true;
    default:
      return false;
  }
}

ObservedStates<double> observed(const TrajectoryStates& at, int knot, int back) {
  return {at.view(knot - back), at.view(std::max(knot - back - 1, -1))};
}

// A state moved by i h dx, with its kinematics.
struct MovedState {
  std::vector<Complex<double>> coordinates;
  std::vector<RigidFrame<Complex<double>>> frames;
  std::vector<Twist<Complex<double>>> twists;
  PluginMotionMemory<Complex<double>> motions;

  StepState<Complex<double>> move(const CharacterModel& model, const TrajectoryStates& at, int state, const double* dx) {
    const std::size_t n = std::size_t(model.dof_count());
    coordinates.resize(n);
    frames.resize(n);
    twists.resize(n);
    motions.resize(model);
    for (std::size_t j = 0; j < n; ++j) coordinates[j] = Complex<double>::seed(at.coordinates(state)[j], dx[j]);
    motions.evaluate(model, coordinates.data());
    const StepState<Complex<double>> moved{{coordinates.data(), at.references(state), motions.view()},
                                           {frames.data(), twists.data()}};
    character_kinematics(model.data(), moved.state, moved.kinematics);
    return moved;
  }
};

}  // namespace

std::vector<ArticulatedSubject> articulated_subjects(const CharacterModel& model) {
  std::vector<ArticulatedSubject> subjects{{model.name(), true, -1}};
  for (const BodyFrame& body : model.bodies())
    if (body.dof >= 0 && body.name != model.name()) subjects.push_back({body.name, false, body.dof, body.placement});
  if (subjects.size() > 1) return subjects;
  for (int k = 0; k < model.dof_count(); ++k)
    if (model.dofs()[std::size_t(k)].has_mass) subjects.push_back({model.dof_name(k), false, k});
  return subjects;
}

std::vector<int> observed_controls(const CharacterModel& model) {
  std::vector<int> controls;
  for (const int dof : model.actuated())
    if (model.dofs()[std::size_t(dof)].kind != DofKind::rotation_vector) controls.push_back(dof);
  return controls;
}

double subject_mass(const CharacterModel& model, const ArticulatedSubject& subject) {
  return subject.is_character ? model.total_mass() : model.data().moments[subject.dof](3, 3);
}

ArticulatedNames::ArticulatedNames(const CharacterModel& model) {
  for (const ArticulatedSubject& subject : articulated_subjects(model)) bodies_.push_back(subject.name);
  for (const int dof : observed_controls(model)) controls_.push_back(model.dof_name(dof));
}

bool ArticulatedNames::has(holo_observable_kind kind, int step) const {
  return is_observed(kind) && step <= 0 && step >= (needs_two_states(kind) ? -1 : -2);
}

std::vector<std::string> ArticulatedNames::names(holo_subject subject) const {
  if (subject == HOLO_SUBJECT_BODY) return bodies_;
  if (subject == HOLO_SUBJECT_CONTROL) return controls_;
  return {};
}

int ArticulatedObservables::Bound::states_back() const { return back + (needs_two_states(kind) ? 1 : 0); }

ArticulatedObservables::ArticulatedObservables(const CharacterModel& model, double time_step)
    : model_(&model), time_step_(time_step), subjects_(articulated_subjects(model)) {}

ArticulatedObservables::Binding ArticulatedObservables::bind(const NamedLoss& loss) const {
  const holo_loss_description& description = loss.instance->description();
  Binding binding;
  for (std::uint32_t i = 0; i < description.observable_count; ++i) {
    const holo_observable& wanted = description.observables[i];
    const auto kind = holo_observable_kind(wanted.kind);
    if (!is_observed(kind)) refuse_loss(loss, "asks for the " + to_string(kind) + ", which articulated characters do not have");
    if (needs_two_states(kind) && wanted.step < -1)
      refuse_loss(loss,
                  "asks for the " + to_string(kind) + " two steps before; characters have it at this step and one before");
    Bound bound{kind, {}, {}, binding.size, int(holo_observable_size(wanted.kind)), -wanted.step};
    if (subject_of(kind) == HOLO_SUBJECT_CONTROL) {
      bound.subject.dof = observed_controls(*model_).at(wanted.subject);
    } else {
      bound.subject = subjects_.at(wanted.subject);
      const bool is_place = kind == HOLO_OBSERVABLE_POINT || kind == HOLO_OBSERVABLE_POSE;
      if (bound.subject.is_character && is_place)
        refuse_loss(loss, "asks for the " + to_string(kind) + " of '" + bound.subject.name +
                              "', which is the character as a whole; name one of its bodies");
      bound.point = bound.subject.placement * Vector3<double>{wanted.point[0], wanted.point[1], wanted.point[2]};
      if (!is_place && !(subject_mass(*model_, bound.subject) > 0))
        refuse_loss(loss, "asks for the " + to_string(kind) + " of '" + bound.subject.name + "', which has no mass");
    }
    binding.observables.push_back(bound);
    binding.size += bound.size;
  }
  return binding;
}

bool ArticulatedObservables::exists(const Binding& binding, const TrajectoryStates&, const LossData&, int knot) const {
  return knot >= 1 && std::all_of(binding.observables.begin(), binding.observables.end(),
                                  [&](const Bound& bound) { return knot - bound.states_back() >= -1; });
}

void ArticulatedObservables::values(const Binding& binding, const TrajectoryStates& at, int first, int count, double* z) const {
  double numbers[largest_observable];
  for (const Bound& bound : binding.observables)
    for (int lane = 0; lane < int(HOLO_LANE_WIDTH); ++lane) {
      const int knot = std::max(first + lane, bound.back - 1);  // without a term any state will do
      if (lane < count)
        observable_value(model_->data(), bound, subject_mass_of(bound), time_step_, observed(at, knot, bound.back), numbers);
      for (int k = 0; k < bound.size; ++k) z[std::size_t(bound.first + k) * HOLO_LANE_WIDTH + std::size_t(lane)] = numbers[k];
    }
}

double ArticulatedObservables::subject_mass_of(const Bound& bound) const {
  return subject_of(bound.kind) == HOLO_SUBJECT_BODY ? subject_mass(*model_, bound.subject) : 0;
}

void ArticulatedObservables::push_forward(const Binding& binding, const TrajectoryStates& at, int knot, const ConstVector& dx,
                                          VectorReference dz) const {
  const int n = model_->dof_count();
  dz.setZero();
  for (const Bound& bound : binding.observables)
    for_observable_columns(model_->data(), bound, subject_mass_of(bound), time_step_, observed(at, knot, bound.back),
                           [&](int j, int back, const double* column) {
                             const double change = dx[(bound.back + back) * n + j];
                             for (int k = 0; k < bound.size; ++k) dz[bound.first + k] += change * column[k];
                           });
}

void ArticulatedObservables::pull_back(const Binding& binding, const TrajectoryStates& at, int knot, const ConstVector& gz,
                                       VectorReference gx) const {
  const int n = model_->dof_count();
  for (const Bound& bound : binding.observables)
    for_observable_columns(model_->data(), bound, subject_mass_of(bound), time_step_, observed(at, knot, bound.back),
                           [&](int j, int back, const double* column) {
                             double sum = 0;
                             for (int k = 0; k < bound.size; ++k) sum += gz[bound.first + k] * column[k];
                             gx[(bound.back + back) * n + j] += sum;
                           });
}

void ArticulatedObservables::jacobian(const Binding& binding, const TrajectoryStates& at, int knot,
                                      Eigen::Ref<Eigen::MatrixXd> result) const {
  const int n = model_->dof_count();
  result.setZero();
  for (const Bound& bound : binding.observables)
    for_observable_columns(model_->data(), bound, subject_mass_of(bound), time_step_, observed(at, knot, bound.back),
                           [&](int j, int back, const double* column) {
                             for (int k = 0; k < bound.size; ++k)
                               result(bound.first + k, (bound.back + back) * n + j) += column[k];
                           });
}

// The derivative of the pulled-back slopes along dx, by a complex step of the closed-form columns.
void ArticulatedObservables::second_order(const Binding& binding, const TrajectoryStates& at, int knot, const ConstVector& gz,
                                          const ConstVector& dx, VectorReference result) const {
  const int n = model_->dof_count();
  thread_local MovedState now, before;
  for (const Bound& bound : binding.observables) {
    const auto moved = [&](MovedState& memory, int back) {
      return memory.move(*model_, at, std::max(knot - back, -1), dx.data() + back * n);
    };
    // The state before is observed by what needs two, which looks back at most one step.
    const ObservedStates<Complex<double>> states{moved(now, bound.back), moved(before, std::min(bound.back + 1, 2))};
    for_observable_columns(model_->data(), bound, subject_mass_of(bound), time_step_, states,
                           [&](int j, int back, const Complex<double>* column) {
                             double sum = 0;
                             for (int k = 0; k < bound.size; ++k) sum += gz[bound.first + k] * column[k].derivative();
                             result[(bound.back + back) * n + j] += sum;
                           });
  }
}

}  // namespace holo::articulated
