#include "elastic/affine/affine_definition.h"

#include <fmt/format.h>

namespace holo {

std::vector<std::array<std::string, 2>> keys_excluded_by_affine(const ElasticBodyDefinition& body) {
  std::vector<std::array<std::string, 2>> excluded;
  if (body.deformation == Deformation::full) return excluded;
  const auto exclude = [&](bool given, const char* key, const char* reason) {
    if (given) excluded.push_back({key, fmt::format("body '{}' is affine and has no {}", body.name, reason)});
  };
  exclude(
      body.element_coefficients != nullptr, "material",
      "elements with materials of their own: its one map has one uniform material. Give numbers, or leave out deformation.");
  exclude(!body.handles.empty(), "handles",
          "vertices that a handle could hold. Use an obstacle with a motion in its place, or leave out deformation.");
  exclude(!body.loads.empty(), "loads", "loads but gravity. Leave out deformation.");
  exclude(body.muscles != nullptr, "muscles", "muscles: they act on elements of a body that deforms fully.");
  exclude(!body.energies.empty(), "body_energies", "energies of its elements but that of its material. Leave out deformation.");
  exclude(!body.subsets.empty(), "subsets",
          "subsets of vertices. Losses can observe the body itself, or points of it by their position.");
  exclude(body.self_contact, "self_contact", "contact with itself: an affine map does not bring parts of it together.");
  return excluded;
}

}  // namespace holo
