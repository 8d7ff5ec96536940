#pragma once
// An experiment of the study `modal_reduction` as read.
//
//   response: motion                 # default: free bodies that fall; or equilibrium: one held body under loads
//   scene: {...}                     # of elastic_dynamics, or of quasi_statics
//   reduction:
//     modes: 10                      # linear vibration modes, from which derivatives are taken
//     columns: 30                    # of each reduced basis
//     order: 1                       # motion: the highest order of derivatives in the basis
//     displacement: 0.2              # of the first mode, over the body's length, for which orders are weighed
//     residual_displacement: 0.01    # over the body's length, at which the derivatives are checked
//     cubature: {elements: 400, tolerance: 0.05, samples: 100}       # motion; or {all_elements: true}

#include <cstdint>
#include <string>
#include <vector>

#include "holo/sim/elastic/elastic_scene_definition.h"
#include "holo/sim/reduction/cubature.h"
#include "holo/study/study.h"
#include "studies/quasi_statics/static_plan.h"

namespace holo {

struct ReductionOptions {
  int modes = 10, columns = 30;
  double displacement = 0.2, residual_displacement = 0.01;  // over the body's length
  Location location, modes_location, columns_location;

  // Modes and derivatives up to an order.
  std::int64_t candidates(int order) const;
};

// Free bodies that fall onto planes.
struct FallingPlan {
  ElasticSceneDefinition scene;
  ReductionOptions reduction;
  int order = 1;              // of the derivatives in the bases: 0, 1 or 2
  bool all_elements = false;  // no cubature
  CubatureOptions cubature;
  int samples = 100;        // of deformations, for training and for a test each
  double tolerance = 1e-9;  // FloatingOptions
  int max_iterations = 100;
  int shown_modes = 3;  // of the first body, in the picture
};

// A held body under loads: full, and in bases of linear modes, and with derivatives of first and second order.
struct BendingPlan {
  StaticPlan statics;
  ReductionOptions reduction;
  std::string tip;  // named subset of the body
  Location tip_location;
};

// Problems are reported through the configuration file.
FallingPlan read_falling_plan(Configuration& experiment, const StudyContext& context);
BendingPlan read_bending_plan(Configuration& experiment, const StudyContext& context);

// Throws Error(input) at its place for a material that offers no fourth derivatives, or has none at rest, and for one whose
// stiffness at rest is not positive definite: as a small body of it has.
void require_smooth_material(const ElasticBodyDefinition& body);

}  // namespace holo
