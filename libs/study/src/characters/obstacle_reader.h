#pragma once
// Reader of the list `obstacles` of a scene with a character.
//
//   obstacles:
//     - {name: floor, type: plane}
//     - {name: step, type: box, size: [1, 1, 0.2], position: [2, 0, 0.1]}
//     - {name: hills, type: height_field, columns: 41, rows: 41, spacing: 0.1, formula: "0.05*sin(3*x)"}

#include <functional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/articulated/dynamics/obstacle.h"

namespace holo {

struct ObstacleDefinition {
  std::string name;
  Location where;
  articulated::Obstacle obstacle;  // without heights
  // Of a height field: its heights at the grid points [m]. Throws Error(input), with the place, for a height that is not
  // finite.
  std::function<std::vector<double>()> heights = {};
};

// Obstacles with the memory of their heights.
class CharacterObstacles {
 public:
  // Throws Error(input), with the place in the experiment, as the computation of heights.
  explicit CharacterObstacles(const std::vector<ObstacleDefinition>& definitions);
  CharacterObstacles(const CharacterObstacles&) = delete;
  CharacterObstacles& operator=(const CharacterObstacles&) = delete;
  CharacterObstacles(CharacterObstacles&&) = default;
  CharacterObstacles& operator=(CharacterObstacles&&) = default;

  const std::vector<articulated::Obstacle>& list() const { return obstacles_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::vector<articulated::Obstacle> obstacles_;
  std::vector<std::vector<double>> heights_;  // coefficients, to which obstacles point
};

// Problems are reported through the configuration file.
std::vector<ObstacleDefinition> read_character_obstacles(Configuration& scene);

}  // namespace holo
