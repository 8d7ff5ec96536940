#pragma once
// Reader of the list `obstacles` of a scene with a character.
//
//   obstacles:
//     - {name: floor, type: plane}
//     - {name: step, type: box, size: [1, 1, 0.2], position: [2, 0, 0.1]}
//     - {name: hills, type: height_field, columns: 41, rows: 41, spacing: 0.1, formula: "0.05*sin(3*x)"}
//     - {name: rock, type: mesh, mesh: {file: rock.obj}, spacing: 0.02}

#include <functional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/articulated/dynamics/character_model.h"
#include "holo/sim/articulated/dynamics/signed_distance_grid.h"

namespace holo {

// A solid as a grid of distances, and its surface in the frame of the mesh or formula, for drawings.
struct GridSolid {
  articulated::SignedDistanceGrid grid;
  SurfaceMesh surface;
};

struct ObstacleDefinition {
  std::string name;
  Location where;
  articulated::Obstacle obstacle;  // without heights
  // Of a height field: its heights at the grid points [m]. Throws Error(input), with the place, for a height that is not
  // finite.
  std::function<std::vector<double>()> heights = {};
  // Of a mesh or a distance grid: the solid, for spheres of up to this radius [m]. Throws Error(input), with the place.
  std::function<GridSolid(double)> solid = {};
};

// Obstacles with the memory of their heights and grids.
class CharacterObstacles {
 public:
  // For contact points of a character with radii of up to `largest_radius` [m]. Throws Error(input), with the place in the
  // experiment, as the computation of heights and grids.
  explicit CharacterObstacles(const std::vector<ObstacleDefinition>& definitions, double largest_radius = 0);
  CharacterObstacles(const CharacterObstacles&) = delete;
  CharacterObstacles& operator=(const CharacterObstacles&) = delete;
  CharacterObstacles(CharacterObstacles&&) = default;
  CharacterObstacles& operator=(CharacterObstacles&&) = default;

  const std::vector<articulated::Obstacle>& list() const { return obstacles_; }
  const std::vector<std::string>& names() const { return names_; }
  // Of a mesh or distance grid, in the frame of the list's obstacle; of others empty.
  const SurfaceMesh& surface(std::size_t obstacle) const { return solids_[obstacle].surface; }

 private:
  std::vector<std::string> names_;
  std::vector<articulated::Obstacle> obstacles_;
  std::vector<std::vector<double>> heights_;  // coefficients, to which obstacles point
  std::vector<GridSolid> solids_;             // the same
};

// The largest radius of a character's contact points [m].
double largest_contact_radius(const articulated::CharacterModel& model);

// Problems are reported through the configuration file.
std::vector<ObstacleDefinition> read_character_obstacles(Configuration& scene);

}  // namespace holo
