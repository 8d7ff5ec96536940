#pragma once
// The terms of the potential, each in a scene of one body in which it acts.

#include <memory>
#include <string>

#include "dynamics/loads/circular_load.h"
#include "dynamics/loads/dead_load.h"
#include "dynamics/loads/pressure.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mesh/quadratic_tetrahedra.h"
#include "scenes.h"

namespace holo::test {

inline constexpr double term_time_step = 0.02;  // s

inline LoadDefinition load_at_end(LoadMaker make) {
  LoadDefinition load;
  load.make = std::move(make);
  load.subset.kind = SubsetDefinition::Kind::box;
  load.subset.minimum = {-9, -9, -9};
  load.subset.maximum = {3 + 1e-9, 9, 9};
  return load;
}

// A tilted plane below the body, whose lower half is within the activation distance.
inline ContactDefinition contact_below(double friction, double stick_speed) {
  ContactDefinition contact;
  contact.activation_distance = 0.42;  // no vertex is near it
  contact.stiffness = 1e5;
  contact.stick_speed = stick_speed;
  contact.planes.push_back({"ground", {3, 0, -1.3}, {0, 0.6, 0.8}, friction, {}});
  return contact;
}

// The same, of a plane that moves and turns in the time step.
inline ContactDefinition contact_with_a_moving_plane(double friction, double stick_speed) {
  ContactDefinition contact = contact_below(friction, stick_speed);
  MotionDefinition& motion = contact.planes[0].motion;
  motion.kind = MotionDefinition::Kind::keyframes;
  motion.axis = {0.6, 0, 0.8};
  motion.center = {3, 0, -1};
  motion.keyframes = {{0, {}, 0}, {term_time_step, {0.03, -0.02, -0.01}, 0.04}};
  return contact;
}

// A few quadratic elements, slightly curved.
inline MeshSource curved_source() {
  return [] {
    TetrahedralMesh mesh = raise_to_quadratic(box_mesh({0.5, 0.4, 0.3}, 6));
    for (std::array<double, 3>& x : mesh.vertices) x = {x[0] + 0.1 * x[1] * x[1], x[1] - 0.2 * x[0] * x[2], x[2]};
    return mesh;
  };
}

// A bent muscle that contracts and a straight one that extends.
inline std::shared_ptr<const MusclesDefinition> muscles_of(MuscleLaw law) {
  return line_muscles(
      law, 0.15, {{{0.05, 0.1, 0.1}, {0.25, 0.2, 0.1}, {0.45, 0.3, 0.2}}, {{0.4, 0.1, 0.05}, {0.1, 0.35, 0.25}}}, {4e4, -2e4});
}

// Bristles across the plane's slope, neither in the plane nor along its axes.
inline BristlesDefinition slanted_bristles(double forward, double backward) {
  BristlesDefinition bristles;
  bristles.direction = {0.48, 0.64, 0.6};
  bristles.forward = forward;
  bristles.backward = backward;
  bristles.lateral = 1.3;
  return bristles;
}

struct TermCase {
  const char* name;
  int parameters;
  bool has_lag, depends_on_start;
  std::size_t number;  // in the list of terms
  void (*change)(ElasticBodyDefinition& body, ContactDefinition& contact);
  double step = 1e-3;  // of differences in positions
};

const TermCase term_cases[] = {{"Elasticity", 2, false, false, 0, [](ElasticBodyDefinition&, ContactDefinition&) {}},
                               {"ElasticityWithStiffnessDamping", 3, true, true, 0,
                                [](ElasticBodyDefinition& body, ContactDefinition&) { body.stiffness_damping = 0.01; }},
                               {"ElasticityWithFibers", 5, false, false, 0,
                                [](ElasticBodyDefinition& body, ContactDefinition&) {
                                  body.muscles = muscles_of(MuscleLaw::fiber);
                                }},
                               {"ElasticityWithSquaredFibers", 5, false, false, 0,
                                [](ElasticBodyDefinition& body, ContactDefinition&) {
                                  body.muscles = muscles_of(MuscleLaw::fiber_squared);
                                }},
                               {"ElasticityWithLaggedMuscles", 5, true, false, 0,
                                [](ElasticBodyDefinition& body, ContactDefinition&) {
                                  body.muscles = muscles_of(MuscleLaw::paper);
                                }},
                               {"QuadraticElasticity", 2, false, false, 0,
                                [](ElasticBodyDefinition& body, ContactDefinition&) { body.mesh = curved_source(); }},
                               {"QuadraticElasticityWithStiffnessDamping", 3, true, true, 0,
                                [](ElasticBodyDefinition& body, ContactDefinition&) {
                                  body.mesh = curved_source();
                                  body.stiffness_damping = 0.01;
                                }},
                               {"QuadraticElasticityWithSquaredFibers", 5, false, false, 0,
                                [](ElasticBodyDefinition& body, ContactDefinition&) {
                                  body.mesh = curved_source();
                                  body.muscles = muscles_of(MuscleLaw::fiber_squared);
                                }},
                               {"QuadraticElasticityWithLaggedMuscles", 5, true, false, 0,
                                [](ElasticBodyDefinition& body, ContactDefinition&) {
                                  body.mesh = curved_source();
                                  body.muscles = muscles_of(MuscleLaw::paper);
                                }},
                               {"Inertia", 0, false, true, 1, [](ElasticBodyDefinition&, ContactDefinition&) {}},
                               {"MassDamping", 1, false, true, 2,
                                [](ElasticBodyDefinition& body, ContactDefinition&) { body.mass_damping = 0.7; }},
                               {"Gravity", 3, false, false, 2, [](ElasticBodyDefinition&, ContactDefinition&) {}},
                               {"Force", 3, false, false, 3,
                                [](ElasticBodyDefinition& body, ContactDefinition&) {
                                  body.loads = {load_at_end(force_load({10, -20, 30}))};
                                }},
                               {"Traction", 3, false, false, 3,
                                [](ElasticBodyDefinition& body, ContactDefinition&) {
                                  body.loads = {load_at_end(traction_load({10, -20, 30}))};
                                }},
                               {"CircularLoad", 1, false, false, 3,
                                [](ElasticBodyDefinition& body, ContactDefinition&) {
                                  body.loads = {load_at_end(circular_load({1, -2, 3}, {0.3, 0.1, 0.2}))};
                                }},
                               {"PressureOnAnOpenSurface", 1, true, false, 3,
                                [](ElasticBodyDefinition& body, ContactDefinition&) {
                                  body.loads = {load_at_end(pressure_load(700))};
                                }},
                               {"PressureOnAClosedSurface", 1, false, false, 3,
                                [](ElasticBodyDefinition& body, ContactDefinition&) {
                                  body.loads = {load_at_end(pressure_load(700))};
                                  body.loads[0].subset = {};
                                  body.loads[0].subset.kind = SubsetDefinition::Kind::all;
                                  body.loads[0].ramp = 2 * term_time_step;
                                }},
                               {"Contact", 1, false, false, 3,
                                [](ElasticBodyDefinition&, ContactDefinition& contact) { contact = contact_below(0, 1); }},
                               {"SmoothContact", 1, false, false, 3,
                                [](ElasticBodyDefinition&, ContactDefinition& contact) {
                                  contact = contact_below(0, 1);
                                  contact.shape = BarrierShape::smooth;
                                }},
                               {"FrictionThatSticks", 1, true, true, 4,
                                [](ElasticBodyDefinition&, ContactDefinition& contact) { contact = contact_below(0.4, 10); },
                                1e-4},
                               {"FrictionThatSlips", 1, true, true, 4,
                                [](ElasticBodyDefinition&, ContactDefinition& contact) { contact = contact_below(0.4, 0.01); },
                                1e-4},
                               {"QuadraticFriction", 1, true, true, 4,
                                [](ElasticBodyDefinition&, ContactDefinition& contact) {
                                  contact = contact_below(0.4, 10);
                                  contact.friction_law = FrictionLaw::quadratic;
                                },
                                1e-4},
                               {"ContactWithAMovingPlane", 1, false, false, 3,
                                [](ElasticBodyDefinition&, ContactDefinition& contact) {
                                  contact = contact_with_a_moving_plane(0, 1);
                                }},
                               {"FrictionOnAMovingPlane", 1, true, true, 4,
                                [](ElasticBodyDefinition&, ContactDefinition& contact) {
                                  contact = contact_with_a_moving_plane(0.4, 10);
                                },
                                1e-4},
                               {"ElasticityOfAnAffineBody", 3, true, true, 0,
                                [](ElasticBodyDefinition& body, ContactDefinition&) {
                                  body.deformation = Deformation::affine;
                                  body.stiffness_damping = 0.01;
                                }},
                               {"ContactOfAnAffineBody", 1, false, false, 3,
                                [](ElasticBodyDefinition& body, ContactDefinition& contact) {
                                  body.deformation = Deformation::affine;
                                  contact = contact_below(0, 1);
                                }},
                               {"FrictionOfAnAffineBody", 1, true, true, 4,
                                [](ElasticBodyDefinition& body, ContactDefinition& contact) {
                                  body.deformation = Deformation::affine;
                                  contact = contact_with_a_moving_plane(0.4, 10);
                                },
                                1e-4},
                               {"BristlesThatStick", 1, true, true, 4,
                                [](ElasticBodyDefinition& body, ContactDefinition& contact) {
                                  body.bristles = slanted_bristles(0.5, 1.5);
                                  contact = contact_below(0.4, 10);
                                },
                                1e-4},
                               {"BristlesThatStickAndSlip", 1, true, true, 4,
                                [](ElasticBodyDefinition& body, ContactDefinition& contact) {
                                  body.bristles = slanted_bristles(0.6, 1.5);
                                  contact = contact_below(0.4, 1);
                                },
                                1e-5},
                               {"BristlesWithQuadraticFriction", 1, true, true, 4,
                                [](ElasticBodyDefinition& body, ContactDefinition& contact) {
                                  body.bristles = slanted_bristles(0.5, 1.9);
                                  contact = contact_below(0.4, 10);
                                  contact.friction_law = FrictionLaw::quadratic;
                                },
                                1e-4},
                               {"BristlesOnAMovingPlane", 1, true, true, 4,
                                [](ElasticBodyDefinition& body, ContactDefinition& contact) {
                                  body.bristles = slanted_bristles(0.5, 1.5);
                                  body.rotation_angle = 0.4;
                                  contact = contact_with_a_moving_plane(0.4, 10);
                                },
                                1e-4},
                               {"BristlesOfAnAffineBody", 1, true, true, 4,
                                [](ElasticBodyDefinition& body, ContactDefinition& contact) {
                                  body.deformation = Deformation::affine;
                                  body.bristles = slanted_bristles(0.5, 1.5);
                                  contact = contact_with_a_moving_plane(0.4, 10);
                                },
                                1e-4}};

inline ElasticSceneDefinition scene_of_term(const TermCase& term_case) {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  const auto plugin = host.get<MaterialPlugin>("stable_neo_hookean");
  ElasticBodyDefinition body;
  body.name = "body";
  body.mesh = box_source({0.5, 0.4, 0.3}, 24);
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.4}});
  body.translation = {3, 0, -1};
  ElasticSceneDefinition definition;
  definition.time_step = term_time_step;
  term_case.change(body, definition.contact);
  definition.bodies = {body};
  return definition;
}

}  // namespace holo::test
