#pragma once
// Keys that an affine body cannot have, and why.

#include <array>
#include <string>
#include <vector>

#include "holo/sim/elastic/elastic_scene_definition.h"

namespace holo {

// The keys of a body's section that `deformation: affine` excludes, each with a message that says why; empty for a body that
// deforms fully.
std::vector<std::array<std::string, 2>> keys_excluded_by_affine(const ElasticBodyDefinition& body);

}  // namespace holo
