#pragma once
// Scene of a character: its bodies as rigid meshes, its obstacles, contact forces as arrows, and the path of its center of
// mass.

#include <vector>

#include "characters/obstacle_reader.h"
#include "holo/sim/articulated/dynamics/character_measures.h"
#include "holo/sim/articulated/dynamics/step_memory.h"
#include "holo/study/scene.h"

namespace holo {

class CharacterDrawing {
 public:
  // The model must outlive the drawing. The arrow of `force` [N] is 0.8 times as long as the character; no arrow is longer than
  // the character, since impacts would fill the picture. `reach` [m] is how far the motion goes from the start: planes are
  // drawn around it.
  CharacterDrawing(const articulated::CharacterModel& model, const CharacterObstacles& obstacles,
                   const articulated::CharacterPose& start, double force, double reach);

  const Scene& scene() const { return scene_; }
  double length() const { return length_; }  // of the character at the start [m]
  // Replaces poses and points of a frame.
  void draw(const articulated::CharacterPose& pose, const std::vector<articulated::TouchingPoint>& contacts, SceneFrame& frame);

 private:
  void add_bodies();
  void add_solid(const articulated::CharacterShape& shape);
  void add_obstacles(const CharacterObstacles& obstacles, double reach);
  void add_glyphs();
  Eigen::Vector3d center_of_mass() const;

  const articulated::CharacterModel& model_;
  articulated::StateMemory<double> state_;
  Scene scene_;
  std::vector<int> dofs_;  // [rigid body] whose frame it moves with; -1: the world
  double length_ = 1;
  double force_scale_;       // [m/N]
  Eigen::AlignedBox3d box_;  // of the character at the start
};

}  // namespace holo
