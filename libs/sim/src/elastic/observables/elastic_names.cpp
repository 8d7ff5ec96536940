// The names of bodies, subsets and segments of muscles, from a scene's definition or from a model.

#include <algorithm>

#include "holo/sim/elastic/observables/elastic_observables.h"
#include "holo/sim/muscle/muscle_definition.h"

namespace holo {

ElasticNames::ElasticNames(const ElasticSceneDefinition& scene) {
  // Bodies come first, then their named subsets, in the order of the subjects' numbers.
  for (const ElasticBodyDefinition& body : scene.bodies) names_.push_back(body.name);
  for (const ElasticBodyDefinition& body : scene.bodies)
    for (const NamedSubset& subset : body.subsets) names_.push_back(body.name + "." + subset.name);
  for (const ElasticBodyDefinition& body : scene.bodies) {
    if (!body.muscles) continue;
    for (const MuscleDefinition& muscle : body.muscles->list)
      for (std::size_t k = 0; k < muscle.curves.fibers.size(); ++k) {
        const std::string fiber = body.name + "." + fiber_name(muscle, k);
        for (std::size_t piece = 1; piece < muscle.curves.fibers[k].size(); ++piece)
          add_segment(fiber + "." + std::to_string(piece), {body.name, body.name + "." + muscle.name, fiber});
      }
  }
}

ElasticNames::ElasticNames(const std::vector<ElasticSubject>& subjects, const std::vector<ElasticSubject>& segments) {
  for (const ElasticSubject& subject : subjects) names_.push_back(subject.name);
  for (const ElasticSubject& segment : segments)
    add_segment(segment.name, {segment.body->name, segment.name.substr(0, segment.name.rfind('.'))});
}

// Adds the segment to each of the groups, which may be the same.
void ElasticNames::add_segment(const std::string& name, const std::vector<std::string>& groups) {
  const int number = static_cast<int>(segments_.size());
  segments_.push_back(name);
  for (const std::string& group : groups) {
    auto found = std::find_if(muscles_.begin(), muscles_.end(), [&](const Group& known) { return known.name == group; });
    if (found == muscles_.end()) found = muscles_.insert(muscles_.end(), Group{group, {}});
    if (found->members.empty() || found->members.back() != number) found->members.push_back(number);
  }
}

bool ElasticNames::has(holo_observable_kind kind, int) const {
#define HOLO_ROW(KIND, name) HOLO_OBSERVABLE_##KIND,
  static constexpr holo_observable_kind known[] = {HOLO_ELASTIC_OBSERVABLES(HOLO_ROW)};
#undef HOLO_ROW
  return std::find(std::begin(known), std::end(known), kind) != std::end(known);
}

std::vector<std::string> ElasticNames::names(holo_subject subject) const {
  if (subject == HOLO_SUBJECT_MUSCLE) return segments_;
  return subject == HOLO_SUBJECT_BODY ? names_ : std::vector<std::string>{};
}

std::vector<SimulationNames::Group> ElasticNames::groups(holo_subject subject) const {
  return subject == HOLO_SUBJECT_MUSCLE ? muscles_ : std::vector<Group>{};
}

}  // namespace holo
