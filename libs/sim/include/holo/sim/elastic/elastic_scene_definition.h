#pragma once
// The `scene:` section of an experiment with elastic bodies, as plain data. Reading checks everything that can be known without
// building a mesh; ElasticScene (dynamics/elastic_scene.h) checks the rest.
//
//   scene:
//     time_step: 0.01                     # s, > 0
//     duration: 4.0                       # s, at least one time step
//     integrator: implicit_euler          # default; or bdf2 (dynamics/time_integration.h)
//     gravity: [0, 0, -9.81]              # m/s^2, default as here
//     bodies:                             # at least one
//       - name: body                      # unique
//         mesh: {shape: box, size: [1.2, 0.4, 0.4], elements: 30000}
//         density: 1000                   # kg/m^3, > 0; or per element (element_values.h)
//         material: {type: neo_hookean_paper, youngs_modulus: 1.0e5, poissons_ratio: 0.45}
//         placement: {translate: [0, 0, 1], rotate: {axis: [0, 0, 1], angle: 1.57}}    # m, rad
//         initial: {velocity: [0, 0, 0], angular_velocity: [0, 0, 0]}                  # m/s, rad/s about the center of mass
//         damping: {mass_proportional: 0.1, stiffness_proportional: 0.002}             # 1/s, s
//         handles:
//           - subset: {box: {max: [0.05, 9, 9]}}       # or a sphere, a group of the mesh, ... (mesh/subset.h)
//             motion: {type: sinusoid, amplitude: [0, 0, 0.2], period: 1.0}
//             release_time: 2.0                        # s; without it the handle is never released
//         subsets:                                     # mesh/subset.h; losses call body.tip, handles and loads {name: tip}
//           tip: {box: {min: [1.1, -9, -9]}}
//           core: {group: steel, of: elements}
//         loads:                                       # load_definition.h
//           - {type: traction, traction: [0, 0, -100], on: {box: {min: [0.9, -9, -9]}}, start: 0, ramp: 0.1}   # Pa, s
//         muscles: {width: 0.07, list: [...]}          # muscle/muscle_definition.h
//         body_energies: [{type: example_based, ...}]   # beside the material's (elastic/body_energy.h)
//         deformation: affine                      # by one affine map of the whole body; default: full
//         self_contact: true                       # its surface collides with itself; default: false
//         friction: 0.5                            # coefficient of its surface, for contact with other bodies
//         bristles: {direction: [1, 0, 0], forward: 0.5, backward: 1.5}   # contact/bristles.h
//     contact: {activation_distance: 0.001}   # contact/contact_definition.h
//     obstacles:
//       - {name: ground, type: plane, normal: [0, 0, 1], friction: 0.5}

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "holo/core/abi.h"
#include "holo/core/configuration.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/contact/bristles.h"
#include "holo/sim/contact/contact_definition.h"
#include "holo/sim/dynamics/time_integration.h"
#include "holo/sim/elastic/body_energy.h"
#include "holo/sim/elastic/element_differentiation.h"
#include "holo/sim/elastic/element_values.h"
#include "holo/sim/elastic/handles/handle_definition.h"
#include "holo/sim/elastic/load_definition.h"
#include "holo/sim/elastic/singular_elements.h"
#include "holo/sim/mesh/shapes.h"
#include "holo/sim/muscle/muscle_definition.h"

namespace holo {

// The coefficients of every element, [element][coefficient], of a mesh in its own coordinates. Throws Error(input) with the
// place in the experiment and the element.
using ElementCoefficients = std::function<std::vector<double>(const TetrahedralMesh& mesh)>;

// How a body deforms: each tetrahedron of its mesh by itself, or all of the body by one affine map (embedding.h). An affine
// body has no handles, loads, muscles, body energies, subsets and self-contact, and its material is uniform.
enum class Deformation : std::uint8_t { full, affine };

struct ElasticBodyDefinition {
  std::string name;
  MeshSource mesh;                                // rest shape, in the mesh's own coordinates
  double density = 1000;                          // [kg/m^3], uniform
  ElementValues element_density;                  // [kg/m^3]; without a function: uniform
  std::shared_ptr<const holo_material> material;  // keeps its plugin loaded
  std::shared_ptr<const MaterialPlugin> plugin;   // for provenance; null for a material that is no plugin
  SingularElements::Load reference;               // the material's second library; null for a material that is no plugin
  std::vector<double> coefficients;               // uniform, [coefficient_count]
  ElementCoefficients element_coefficients;       // null: uniform
  Vector3d rotation_axis = {0, 0, 1};             // placement x = R X + translation; unit
  double rotation_angle = 0;                      // [rad]
  Vector3d translation = {};                      // [m]
  Vector3d velocity = {};                         // at the start [m/s]
  Vector3d angular_velocity = {};                 // at the start, about the center of mass [rad/s]
  double mass_damping = 0;                        // alpha [1/s], >= 0
  double stiffness_damping = 0;                   // beta [s], >= 0
  std::vector<HandleDefinition> handles;
  std::vector<LoadDefinition> loads;
  std::shared_ptr<const MusclesDefinition> muscles;  // null: none
  std::vector<NamedSubset> subsets;
  std::vector<BodyEnergyDefinition> energies;  // beside the material's
  bool self_contact = false;                   // the surface collides with itself
  Deformation deformation = Deformation::full;
  double friction = 0;         // coefficient of the surface, for contact with other bodies, >= 0
  Location location;           // in the experiment, for errors
  Location material_location;  // of the material's numbers, which must leave the body at rest; empty where no file gives them
  std::optional<BristlesDefinition> bristles;
};

// Input of an ElasticModel.
struct ElasticModelDefinition {
  ElementDifferentiation differentiation = ElementDifferentiation::compiled;
  SingularChoice singular_choice = SingularChoice::mean;
  std::vector<ElasticBodyDefinition> bodies;
  Location location;
};

// The bodies and what acts on them over time.
struct ElasticSceneDefinition : ElasticModelDefinition {
  double time_step = 0.01;  // [s]
  double duration = 1;      // [s]
  IntegrationScheme scheme = IntegrationScheme::implicit_euler;
  Vector3d gravity = {0, 0, -9.81};  // [m/s^2]
  ContactDefinition contact;

  int step_count() const;  // duration / time_step, rounded, at least 1
};

// Reads the section. Problems (unknown material with the nearest name and the search path, a body's name used twice, a material
// without what `mode` needs, values out of range, ...) are reported through the configuration file, each with its
// file:line:column.
ElasticSceneDefinition read_elastic_scene(Configuration& scene, const PluginHost& host, ElementDifferentiation mode);

// Reads the section `material` of a body, which keeps everything else as it is; problems are reported alike.
void read_body_material(Configuration& parameters, const PluginHost& host, ElementDifferentiation mode,
                        ElasticBodyDefinition& body);

}  // namespace holo
