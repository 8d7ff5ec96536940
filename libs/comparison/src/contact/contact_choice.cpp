#include "contact/contact_choice.h"

#include <algorithm>
#include <limits>

namespace holo::comparison {

namespace {

struct Candidate {
  ChosenContact contact;
  Eigen::Vector3d position;
  double height = 0;    // over the plane at the start [m]
  double end_gap = 0;   // without forces [m]
  double distance = 0;  // from the contacts that are chosen [m]
  bool is_chosen = false;
};

std::vector<Candidate> candidates_of(const ElasticScene& scene, const Eigen::VectorXd& x, const Eigen::VectorXd& moves,
                                     const std::vector<bool>& is_prescribed) {
  std::vector<Candidate> result;
  for (const int vertex : scene.contact.surface->vertices) {
    if (is_prescribed[static_cast<std::size_t>(vertex)]) continue;
    Candidate candidate;
    candidate.position = x.segment<3>(3 * vertex);
    candidate.height = candidate.distance = std::numeric_limits<double>::infinity();
    for (const PlaneDefinition& definition : scene.contact.planes) {
      const Plane plane(definition);
      const double height = plane.gap(candidate.position);
      if (height >= candidate.height) continue;
      candidate.height = height;
      candidate.contact = {vertex, plane.normal, std::max(height - scene.contact.barrier.distance, 0.0), definition.friction};
    }
    candidate.end_gap = candidate.contact.gap + candidate.contact.normal.dot(moves.segment<3>(3 * vertex));
    result.push_back(candidate);
  }
  return result;
}

// Vertices that carry something come first, and of these the farthest from all before.
bool comes_before(const Candidate& a, const Candidate& b) {
  const bool a_carries = a.end_gap < 0, b_carries = b.end_gap < 0;
  if (a_carries != b_carries) return a_carries;
  if (!a_carries) return a.end_gap < b.end_gap;
  if (a.distance != b.distance) return a.distance > b.distance;
  return a.height < b.height;
}

}  // namespace

std::vector<ChosenContact> choose_contacts(const ElasticScene& scene, const Eigen::VectorXd& x, const Eigen::VectorXd& moves,
                                           const std::vector<bool>& is_prescribed, int count) {
  std::vector<Candidate> candidates = candidates_of(scene, x, moves, is_prescribed);
  std::vector<ChosenContact> chosen;
  while (static_cast<int>(chosen.size()) < std::min(count, static_cast<int>(candidates.size()))) {
    Candidate* next = nullptr;
    for (Candidate& each : candidates)
      if (!each.is_chosen && (!next || comes_before(each, *next))) next = &each;
    next->is_chosen = true;
    chosen.push_back(next->contact);
    for (Candidate& each : candidates) each.distance = std::min(each.distance, (each.position - next->position).norm());
  }
  return chosen;
}

}  // namespace holo::comparison
