#include "holo/sim/elastic/observables/elastic_observables.h"

#include <stdexcept>

namespace holo {

namespace {

// Positions and velocities of the step that is `back` steps earlier, in the vector of unknowns of three steps: (x, v) of this
// step, then of the earlier ones.
ElasticPhase phase(const ConstVector& unknowns, std::size_t back) {
  const Eigen::Index n = unknowns.size() / 6, first = 2 * n * Eigen::Index(back);
  return {unknowns.segment(first, n), unknowns.segment(first + n, n)};
}

ElasticPhaseSum phase_sum(VectorReference& unknowns, std::size_t back) {
  const Eigen::Index n = unknowns.size() / 6, first = 2 * n * Eigen::Index(back);
  return {unknowns.segment(first, n), unknowns.segment(first + n, n)};
}

ElasticPhase phase(const ElasticState& state) { return {state.positions, state.velocities}; }

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
  for (int v = 0; v < body->vertex_count; ++v) all.push_back(body->first_vertex + v);
  return all;
}

ElasticNames::ElasticNames(const ElasticSceneDefinition& scene) {
  // Bodies come first, then their named subsets, in the order of the subjects' numbers.
  for (const ElasticBodyDefinition& body : scene.bodies) names_.push_back(body.name);
  for (const ElasticBodyDefinition& body : scene.bodies)
    for (const NamedSubset& subset : body.subsets) names_.push_back(body.name + "." + subset.name);
}

ElasticNames::ElasticNames(const std::vector<ElasticSubject>& subjects) {
  for (const ElasticSubject& subject : subjects) names_.push_back(subject.name);
}

bool ElasticNames::has(holo_observable_kind kind, int) const {
  switch (kind) {
#define HOLO_ROW(KIND, name)   \
  case HOLO_OBSERVABLE_##KIND: \
    return true;
    HOLO_ELASTIC_OBSERVABLES(HOLO_ROW)
#undef HOLO_ROW
    default:
      return false;
  }
}

std::vector<std::string> ElasticNames::names(holo_subject subject) const {
  return subject == HOLO_SUBJECT_BODY ? names_ : std::vector<std::string>{};
}

ElasticObservables::ElasticObservables(std::shared_ptr<const ElasticModel> model) : model_(std::move(model)) {
  for (const ElasticBody& body : model_->bodies()) subjects_.push_back({body.name, &body, nullptr});
  for (const ElasticBody& body : model_->bodies())
    for (const ElasticSubset& subset : body.subsets) subjects_.push_back({body.name + "." + subset.name, &body, &subset});
}

ElasticObservables::Binding ElasticObservables::bind(const NamedLoss& loss) const {
  const holo_loss_description& description = loss.instance->description();
  Binding binding;
  for (std::uint32_t i = 0; i < description.observable_count; ++i) {
    const holo_observable& wanted = description.observables[i];
    // Each observable gets consecutive numbers of z, and the number of steps that it looks back.
    const int size = int(holo_observable_size(wanted.kind));
    try {
      binding.observables.push_back(
          {observe(*model_, subjects_.at(wanted.subject), wanted), binding.size, size, std::size_t(-wanted.step)});
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
  for (const Bound& bound : binding.observables)
    if (at.states[bound.back] == nullptr) return false;
  return true;
}

// A simulation knows one step at a time: all lanes get its values.
void ElasticObservables::values(const Binding& binding, const ElasticSteps& at, int, int, double* z) const {
  std::array<double, 16> numbers{};
  for (const Bound& bound : binding.observables) {
    // Without the earlier steps there is no term, but the plugin runs anyway: it gets the present state in their place.
    const ElasticState* state = at.states[bound.back] != nullptr ? at.states[bound.back] : at.states[0];
    bound.observable->value(phase(*state), numbers.data());
    for (int k = 0; k < bound.size; ++k)
      for (std::size_t lane = 0; lane < HOLO_LANE_WIDTH; ++lane)
        z[std::size_t(bound.first + k) * HOLO_LANE_WIDTH + lane] = numbers[std::size_t(k)];
  }
}

void ElasticObservables::push_forward(const Binding& binding, const ElasticSteps& at, int, const ConstVector& dx,
                                      VectorReference dz) const {
  for (const Bound& bound : binding.observables)
    bound.observable->push_forward(phase(*at.states[bound.back]), phase(dx, bound.back), dz.data() + bound.first);
}

void ElasticObservables::pull_back(const Binding& binding, const ElasticSteps& at, int, const ConstVector& gz,
                                   VectorReference gx) const {
  for (const Bound& bound : binding.observables) {
    ElasticPhaseSum sum = phase_sum(gx, bound.back);
    bound.observable->pull_back(phase(*at.states[bound.back]), gz.data() + bound.first, sum);
  }
}

void ElasticObservables::second_order(const Binding& binding, const ElasticSteps& at, int, const ConstVector& gz,
                                      const ConstVector& dx, VectorReference result) const {
  for (const Bound& bound : binding.observables) {
    ElasticPhaseSum sum = phase_sum(result, bound.back);
    bound.observable->second_order(phase(*at.states[bound.back]), gz.data() + bound.first, phase(dx, bound.back), sum);
  }
}

}  // namespace holo
