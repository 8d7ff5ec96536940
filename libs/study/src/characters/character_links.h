#pragma once
// Characters whose links are meshes, by the list `links` of a character. All links are given in one place at rest: meshes, the
// points and the axes of joints in the coordinates of the world.
//
//   links:
//     - {name: trunk, mesh: {file: trunk.obj}, density: 500}
//     - name: tail
//       parent: trunk
//       mesh: {file: tail.obj}
//       density: 500
//       joint: {type: hinge, point: [-0.3, 0, 0.5], axis: [0, 1, 0], limits: [-1, 1]}

#include <memory>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/articulated/dynamics/mesh_link.h"
#include "holo/sim/articulated/dynamics/procedural_characters.h"

namespace holo {

struct CharacterLink {
  enum class Joint { base, hinge, slide, ball, fixed };
  std::string name;
  std::string parent;                                      // another link, "world", or "": the root, which has a base
  std::shared_ptr<const SurfaceMesh> mesh;                 // [m]
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  // of the mesh, at rest in the world
  double density = 0;                                      // [kg/m^3]
  articulated::MeshContact contact = articulated::MeshContact::extreme_vertices;
  Joint joint = Joint::base;
  std::string joint_name;
  Eigen::Vector3d point = Eigen::Vector3d::Zero(), axis = Eigen::Vector3d::UnitZ();  // at rest in the world
  double lower = -articulated::unlimited, upper = articulated::unlimited;            // [rad or m]
  double cone = articulated::unlimited;                                              // [rad]
  bool is_actuated = true;
};

// Reads the list and the meshes. Problems are reported through the configuration file.
std::vector<CharacterLink> read_links(Configuration& character);

// Parents come first. The base stands in the root's center of mass. A name is the character's. Throws Error(input) as
// add_mesh_link and CharacterBuilder do.
articulated::CharacterModel build_linked_character(const std::string& name, const std::vector<CharacterLink>& links,
                                                   const articulated::CharacterOptions& options);

}  // namespace holo
