#include "holo/sim/mechanism/losses/mechanism_losses.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "holo/core/error.h"
#include "holo/core/plugins/loss_plugin.h"

namespace holo {

namespace {

const char* name_of(std::uint32_t kind) {
  switch (kind) {
    case HOLO_OBSERVABLE_POINT:
      return "point";
    case HOLO_OBSERVABLE_POSE:
      return "pose";
    case HOLO_OBSERVABLE_CONTROL:
      return "control";
    case HOLO_OBSERVABLE_CONTROL_RATE:
      return "control_rate";
    case HOLO_OBSERVABLE_DESIGN_PARAMETER:
      return "design_parameter";
    case HOLO_OBSERVABLE_CENTER_OF_MASS:
      return "center_of_mass";
    case HOLO_OBSERVABLE_MOMENTUM:
      return "momentum";
    case HOLO_OBSERVABLE_ANGULAR_MOMENTUM:
      return "angular_momentum";
    case HOLO_OBSERVABLE_ELASTIC_ENERGY:
      return "elastic_energy";
    case HOLO_OBSERVABLE_ACTIVATION:
      return "activation";
    default:
      return "unknown observable";
  }
}

[[noreturn]] void refuse(const MechanismLoss& loss, const std::string& reason) {
  throw Error(Failure::input, "the loss " + loss.name + " " + reason);
}

}  // namespace

MechanismLosses::MechanismLosses(std::shared_ptr<const MechanismLayout> layout, std::vector<MechanismLoss> losses)
    : layout_(std::move(layout)), losses_(std::move(losses)) {
  int entry = 0;
  for (const MechanismLoss& loss : losses_) {
    terms_.push_back(make_term(loss));
    terms_.back().first_entry = entry;
    const int n = int(terms_.back().unknowns.size());
    if (terms_.back().rated_state >= 0)
      rated_states_.push_back(terms_.back().rated_state);
    else
      entry += n * (n + 1) / 2;
  }
  std::sort(rated_states_.begin(), rated_states_.end());
  rated_states_.erase(std::unique(rated_states_.begin(), rated_states_.end()), rated_states_.end());
  for (Term& term : terms_)
    if (term.rated_state >= 0)
      term.unknowns[0].index =
          int(std::find(rated_states_.begin(), rated_states_.end(), term.rated_state) - rated_states_.begin());
}

// Of one observable, the rate of a control that is a state.
MechanismLosses::Term MechanismLosses::make_rate_term(const MechanismLoss& loss, const UnknownPlace& dependent) const {
  if (loss.instance->description().observable_count != 1) {
    const std::vector<int>& states = layout_->dependent_states();
    const auto place = std::find(states.begin(), states.end(), dependent.index) - states.begin();
    refuse(
        loss,
        "observes the rate of '" + layout_->dependent_names()[std::size_t(place)] +
            "', a surplus actuator that follows from the others, and more besides: such a rate ties instants to each "
            "other, and a loss may observe it alone. Use a loss of that rate only, or let other actuators be the surplus ones");
  }
  Term term;
  term.has_rates = true;
  term.size = 1;
  term.rated_state = dependent.index;
  term.unknowns.push_back({Unknown::Kind::rate, 0, 0, dependent.scale});
  term.observables.push_back({});
  return term;
}

int MechanismLosses::add_unknown(Term& term, Unknown::Kind kind, int index, double scale) const {
  for (std::size_t i = 0; i < term.unknowns.size(); ++i)
    if (term.unknowns[i].kind == kind && term.unknowns[i].index == index) return int(i);
  const int parameters = layout_->parameter_count(), controls = layout_->control_count();
  const int offset = kind == Unknown::Kind::parameter ? 0
                     : kind == Unknown::Kind::control ? parameters
                     : kind == Unknown::Kind::rate    ? parameters + controls
                                                      : parameters + 2 * controls;
  term.unknowns.push_back({kind, index, offset + index, scale});
  return int(term.unknowns.size()) - 1;
}

// Observables may share unknowns, but a pose and a point of one body share all seven, and others none: their unknowns stand in
// one piece.
MechanismLosses::Term MechanismLosses::make_term(const MechanismLoss& loss) const {
  using Kind = Unknown::Kind;
  const holo_loss_description& description = loss.instance->description();
  Term term;
  for (std::uint32_t i = 0; i < description.observable_count; ++i) {
    const holo_observable& wanted = description.observables[i];
    const int subject = int(wanted.subject);
    if (wanted.step != 0)
      refuse(loss,
             "asks for " + std::string(name_of(wanted.kind)) + " at an earlier step; a mechanism has the present one only");
    Observable observable;
    observable.first = term.size;
    switch (wanted.kind) {
      case HOLO_OBSERVABLE_POINT:
      case HOLO_OBSERVABLE_POSE: {
        const MechanismPart part = layout_->model().observable(subject);
        const Eigen::Quaterniond turn(part.axes);
        observable.is_point = wanted.kind == HOLO_OBSERVABLE_POINT;
        observable.is_part = !observable.is_point && (subject != part.body || part.axes != Eigen::Matrix3d::Identity());
        observable.size = observable.is_point ? 3 : int(HOLO_POSE_SIZE);
        observable.point = part.origin;
        if (observable.is_point)
          observable.point += part.axes * Eigen::Vector3d(wanted.point[0], wanted.point[1], wanted.point[2]);
        observable.turn = Eigen::Vector4d(turn.w(), turn.x(), turn.y(), turn.z());
        for (int k = 0; k < int(HOLO_POSE_SIZE); ++k) {
          const int state = int(HOLO_POSE_SIZE) * part.body + k;
          const int unknown = add_unknown(term, Kind::state, state, layout_->state_scale(state));
          if (k == 0) observable.unknown = unknown;
        }
        break;
      }
      case HOLO_OBSERVABLE_CONTROL: {
        const UnknownPlace& place = layout_->all_controls()[std::size_t(subject)];
        const bool depends = place.kind == UnknownPlace::Kind::state;
        observable.unknown = add_unknown(term, depends ? Kind::state : Kind::control, place.index, place.scale);
        break;
      }
      case HOLO_OBSERVABLE_CONTROL_RATE: {
        const UnknownPlace& place = layout_->all_controls()[std::size_t(subject)];
        if (place.kind == UnknownPlace::Kind::state) return make_rate_term(loss, place);
        observable.unknown = add_unknown(term, Kind::rate, place.index, place.scale);
        term.has_rates = true;
        break;
      }
      case HOLO_OBSERVABLE_DESIGN_PARAMETER:
        observable.unknown = add_unknown(term, Kind::parameter, subject, layout_->parameter_scale(subject));
        break;
      default:
        refuse(loss, "asks for '" + std::string(name_of(wanted.kind)) +
                         "', which a mechanism lacks: it has point, pose, control, control_rate and design_parameter");
    }
    term.has_points = term.has_points || observable.is_point;
    term.size += observable.size;
    term.observables.push_back(observable);
  }
  return term;
}

std::vector<std::pair<int, int>> MechanismLosses::hessian_entries() const {
  std::vector<std::pair<int, int>> entries;
  for (const Term& term : terms_)
    for (std::size_t i = 0; i < term.unknowns.size() && term.rated_state < 0; ++i)
      for (std::size_t j = i; j < term.unknowns.size(); ++j)
        entries.push_back(std::minmax(term.unknowns[i].number, term.unknowns[j].number));
  return entries;
}

}  // namespace holo
