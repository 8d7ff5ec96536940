#pragma once
// Readers of obstacles whose distances are grids: meshes, and distances by a formula.

#include "characters/obstacle_reader.h"

namespace holo {

// Set the definition's `solid`; its place in the world is read by the caller.
void read_mesh_obstacle(Configuration& entry, ObstacleDefinition& definition);
void read_formula_grid(Configuration& entry, ObstacleDefinition& definition);

}  // namespace holo
