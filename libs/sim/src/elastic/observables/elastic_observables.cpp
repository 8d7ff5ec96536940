#include "holo/sim/elastic/observables/elastic_observables.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace holo {

namespace {

// One case for each kind of observable that elastic bodies have; the table generates them.
std::unique_ptr<const ElasticObservable> observe(const ElasticModel& model, const ElasticSubject& subject,
                                                 const holo_observable& wanted) {
  switch (wanted.kind) {
#define HOLO_ROW(KIND, name)   \
  case HOLO_OBSERVABLE_##KIND: \
    return observe_##name(model, subject, wanted);
    HOLO_ELASTIC_OBSERVABLES(HOLO_ROW)
#undef HOLO_ROW
    default:
      throw std::invalid_argument("asks for the " + to_string(holo_observable_kind(wanted.kind)) +
                                  ", which elastic bodies do not have");
  }
}

}  // namespace

std::vector<int> ElasticSubject::vertices() const {
  if (subset != nullptr) return subset->vertices;
  std::vector<int> all;
  all.reserve(std::size_t(body->vertex_count));
  for (int v = 0; v < body->vertex_count; ++v) all.push_back(body->first_vertex + v);
  return all;
}

// A body's activations follow those of the bodies before it in the potential, where bodies whose muscles have no energy come
// last: one energy sums all others.
ElasticObservables::ElasticObservables(std::shared_ptr<const ElasticModel> model) : model_(std::move(model)) {
  for (const ElasticBody& body : model_->bodies()) subjects_.push_back({body.name, &body, nullptr});
  for (const ElasticBody& body : model_->bodies())
    for (const ElasticSubset& subset : body.subsets) subjects_.push_back({body.name + "." + subset.name, &body, &subset});
  std::map<const ElasticBody*, Eigen::Index> first;
  Eigen::Index count = 0;
  for (const bool has_energy : {true, false})
    for (const ElasticBody& body : model_->bodies())
      if (body.muscles && (body.muscles->law != MuscleLaw::paper) == has_energy) {
        first[&body] = count;
        count += Eigen::Index(body.muscles->segments.size());
      }
  for (const ElasticBody& body : model_->bodies())
    for (std::size_t k = 0; body.muscles && k < body.muscles->segments.size(); ++k)
      segments_.push_back(
          {body.name + "." + body.muscles->segments[k].name, &body, nullptr, first.at(&body) + static_cast<Eigen::Index>(k)});
  no_activations_.setZero(count);
}

Eigen::VectorXd ElasticObservables::prescribed_activations(double time) const {
  Eigen::VectorXd activations(Eigen::Index(segments_.size()));
  auto segment = segments_.begin();
  for (const ElasticBody& body : model_->bodies()) {
    if (!body.muscles) continue;
    for (const Muscle& muscle : body.muscles->muscles)
      for (int piece = 0; piece < muscle.segment_count; ++piece)
        activations[(segment++)->activation] = muscle.activation.at(time, piece);
  }
  return activations;
}

// Without an earlier step there is no term, but the plugin runs anyway: it gets the present state in its place.
ElasticPhase ElasticObservables::phase(const ElasticSteps& at, std::size_t back) const {
  const ElasticState& state = at.states[back] != nullptr ? *at.states[back] : *at.states[0];
  const Eigen::VectorXd& activations = at.activations[back] != nullptr ? *at.activations[back] : no_activations_;
  return {state.positions, state.velocities, {activations.data(), activations.size()}};
}

ElasticPhase ElasticObservables::phase(const ConstVector& unknowns, std::size_t back) const {
  const auto m = Eigen::Index(segments_.size()), n = (unknowns.size() - 3 * m) / 6, step = Eigen::Index(back);
  return {unknowns.segment(2 * n * step, n), unknowns.segment(2 * n * step + n, n), {unknowns.data() + 6 * n + m * step, m}};
}

ElasticPhaseSum ElasticObservables::phase_sum(VectorReference& unknowns, std::size_t back) const {
  const auto m = Eigen::Index(segments_.size()), n = (unknowns.size() - 3 * m) / 6, step = Eigen::Index(back);
  return {unknowns.segment(2 * n * step, n), unknowns.segment(2 * n * step + n, n), {unknowns.data() + 6 * n + m * step, m}};
}

ElasticObservables::Binding ElasticObservables::bind(const NamedLoss& loss) const {
  const holo_loss_description& description = loss.instance->description();
  Binding binding;
  for (std::uint32_t i = 0; i < description.observable_count; ++i) {
    const holo_observable& wanted = description.observables[i];
    // Each observable gets consecutive numbers of z, and the number of steps that it looks back.
    const int size = int(holo_observable_size(wanted.kind));
    const bool is_activation = wanted.kind == HOLO_OBSERVABLE_ACTIVATION;
    try {
      const ElasticSubject& subject = (is_activation ? segments_ : subjects_).at(wanted.subject);
      binding.observables.push_back(
          {observe(*model_, subject, wanted), binding.size, size, std::size_t(-wanted.step), is_activation});
    } catch (const std::invalid_argument& refusal) {
      refuse_loss(loss, refusal.what());
    }
    binding.size += size;
  }
  return binding;
}

bool ElasticObservables::exists(const Binding& binding, const ElasticSteps& at, const LossData&, int knot) const {
  // A loss has a term only if all earlier steps that it observes exist.
  if (knot != int(at.states[0]->step)) return false;
  return std::none_of(binding.observables.begin(), binding.observables.end(), [&](const Bound& bound) {
    return bound.is_activation ? at.activations[bound.back] == nullptr : at.states[bound.back] == nullptr;
  });
}

// A simulation knows one step at a time: all lanes get its values.
void ElasticObservables::values(const Binding& binding, const ElasticSteps& at, int, int, double* z) const {
  std::array<double, 16> numbers{};
  for (const Bound& bound : binding.observables) {
    bound.observable->value(phase(at, bound.back), numbers.data());
    for (int k = 0; k < bound.size; ++k)
      for (std::size_t lane = 0; lane < HOLO_LANE_WIDTH; ++lane)
        z[std::size_t(bound.first + k) * HOLO_LANE_WIDTH + lane] = numbers[std::size_t(k)];
  }
}

void ElasticObservables::push_forward(const Binding& binding, const ElasticSteps& at, int, const ConstVector& dx,
                                      VectorReference dz) const {
  for (const Bound& bound : binding.observables)
    bound.observable->push_forward(phase(at, bound.back), phase(dx, bound.back), dz.data() + bound.first);
}

void ElasticObservables::pull_back(const Binding& binding, const ElasticSteps& at, int, const ConstVector& gz,
                                   VectorReference gx) const {
  for (const Bound& bound : binding.observables) {
    ElasticPhaseSum sum = phase_sum(gx, bound.back);
    bound.observable->pull_back(phase(at, bound.back), gz.data() + bound.first, sum);
  }
}

void ElasticObservables::second_order(const Binding& binding, const ElasticSteps& at, int, const ConstVector& gz,
                                      const ConstVector& dx, VectorReference result) const {
  for (const Bound& bound : binding.observables) {
    ElasticPhaseSum sum = phase_sum(result, bound.back);
    bound.observable->second_order(phase(at, bound.back), gz.data() + bound.first, phase(dx, bound.back), sum);
  }
}

}  // namespace holo
