#pragma once
// Links of characters that are given as meshes: their masses, and the vertices that touch obstacles.
//
//   const int hinge = builder.add_hinge("jaw", head, placement, Eigen::Vector3d::UnitY());
//   add_mesh_link(builder, hinge, read_surface_mesh("jaw.obj"), 1000);

#include <Eigen/Geometry>
#include <vector>

#include "holo/sim/articulated/dynamics/character_model.h"
#include "holo/sim/mesh/surface_mesh.h"

namespace holo::articulated {

// Numbers of the vertices that are farthest in the 26 directions to the faces, edges and corners of a cube along the mesh's
// axes, ascending; vertices without triangles do not count. They are vertices of the convex hull, all of them of a box along
// the axes. In any direction the mesh reaches farther than they do by at most 0.47 of its diameter, a ball's by 0.06. Throws
// Error(input) for a mesh without triangles.
std::vector<int> extreme_vertices(const SurfaceMesh& mesh);

enum class MeshContact {
  extreme_vertices,  // for time steps that cost little
  all_vertices,      // of the triangles, for parts that touch with their hollows
  none
};

// Adds the mass of the solid that the closed surface bounds, of the density [kg/m^3], and vertices as contact points to a
// degree of freedom's frame, in which `pose` places the mesh. Throws Error(input) as mesh_mass does.
void add_mesh_link(CharacterBuilder& builder, int dof, const SurfaceMesh& surface, double density,
                   const Eigen::Isometry3d& pose = Eigen::Isometry3d::Identity(),
                   MeshContact contact = MeshContact::extreme_vertices);

}  // namespace holo::articulated
