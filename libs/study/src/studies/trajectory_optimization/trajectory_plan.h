#pragma once
// An experiment of the study `trajectory_optimization` as read.
//
//   scene: {time_step: 0.025, duration: 5, character: {type: mammal18}, obstacles: [{name: floor, type: plane}]}
//   losses: [{type: center_of_mass_velocity, body: mammal18, target: [0.5, 0, 0]}]
//   trajectory: {start: at_rest, end: {state: at_rest, pose: {base_x: 1}}, segment_length: 10}
//   effort: {weight: 1.0e-4}
//   solver: {spline_iterations: 400, polish_iterations: 400}

#include <vector>

#include "characters/character_scene.h"
#include "holo/sim/articulated/trajectory/trajectory_stages.h"
#include "holo/study/study.h"
#include "signals/signal_plan.h"

namespace holo {

// The end of a motion: `stages.end` of the plan says what of it is given.
struct TrajectoryEndPlan {
  bool is_static = false;             // a pose at rest near the given one, which is searched for
  std::vector<JointValue> pose = {};  // coordinates; others are those of the start
  Location where;
};

struct TrajectoryPlan {
  CharacterScene scene;
  SignalPlan signals;
  std::vector<NamedLoss> losses = {};
  Location where;              // of the scene
  bool starts_at_rest = true;  // in a static pose near that of the scene; else in it, with its velocity
  TrajectoryEndPlan end = {};
  double effort_weight = 1e-4;
  bool effort_is_characteristic = true;  // in multiples of weight times radius of gyration; else of N and N m
  articulated::TrajectoryStagesOptions stages = {};
  int iterations_per_step = 10;
};

// Sizes in place of those of the experiment; 0: those.
struct TrajectorySize {
  int steps = 0;
  int links = 0;  // of the character `chain`
};

// Which keys of the shared sections a study has; it refuses the others.
struct TrajectoryKeys {
  bool of_stages = true;  // `polish`, and the iterations of stages
  bool recentering = true;
  const char* instead = "";  // of the keys of stages, for the message
};

// Problems are reported through the configuration file. May be called again for other sizes, once there were no problems.
// Throws Error(input) for a character that cannot have that many links, and where its start needs more.
TrajectoryPlan read_trajectory_plan(Configuration& experiment, const PluginHost& host, std::vector<UsedPlugin>& plugins,
                                    const TrajectoryKeys& keys = {}, const TrajectorySize& size = {});

}  // namespace holo
