#pragma once
// An experiment of the study `quasi_statics` as read: a scene whose load grows, by itself, or with several materials and tests.
//
//   scene: {time_step: 0.05, duration: 1, gravity: [0, 0, 0], bodies: [{name: bar, ...}]}     # time is the load's
//   materials: all                       # or [neo_hookean, ogden]; each with the stiffness at rest of the body's own
//   tests:
//     - {name: bend, handles: [...], loads: [...]}      # of the body, beside its own
//     - {name: stiff, material: {...}, reference: bend}   # in the place of its own; compared with another test
//     - {name: fine, mesh: {...}, reference: bend}         # of another mesh

#include <optional>
#include <string>
#include <vector>

#include "holo/sim/dynamics/quasi_statics.h"
#include "holo/study/study.h"
#include "studies/quasi_statics/displacement_patterns.h"

namespace holo {

struct StaticTest {
  std::string name;
  std::optional<ElasticBodyDefinition> material;  // what of a body is its material; none: the body's own
  MeshSource mesh;                                // in the place of the body's own; null: the body's own
  int reference = -1;                             // number of an earlier test with which this one is compared; -1: none
  std::vector<HandleDefinition> handles;
  std::vector<LoadDefinition> loads;
};

// A material in place of the body's own.
struct StaticMaterial {
  std::shared_ptr<const MaterialPlugin> plugin;
  SingularElements::Load reference;
  std::string name() const { return plugin->name(); }
};

// One of the simulated motions: a material in a test. Each is -1 where the scene has its own.
struct StaticRun {
  int material = -1, test = -1;
  std::string name;  // of metrics, "ogden_bend"; "" of a single run
};

struct StaticPlan {
  ElasticSceneDefinition scene;
  Location materials_location;
  std::vector<StaticMaterial> materials;
  std::vector<std::string> notes;  // on materials that are left out
  std::vector<StaticTest> tests;
  std::vector<DisplacementPattern> patterns;
  QuasiStaticOptions options;

  std::vector<StaticRun> runs() const;  // materials vary fastest
};

// Problems are reported through the configuration file.
StaticPlan read_static_plan(Configuration& experiment, const StudyContext& context);

// Adds those of all runs: of the scene, and the materials in the place of its own.
void add_static_plugins(const StaticPlan& plan, std::vector<UsedPlugin>& plugins);

// Whether a run has the vertices of the one with which it is compared.
bool has_mesh_of_reference(const StaticPlan& plan, const StaticRun& run);

// The scene of each run. Materials get the moduli at rest of the body's own. Throws Error(input) as ElasticScene, where the
// body's own material is not isotropic, and where a material refuses its moduli.
std::vector<ElasticSceneDefinition> static_scenes(const StaticPlan& plan);

}  // namespace holo
