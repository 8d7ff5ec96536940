#pragma once
// The surfaces of a scene that collide with each other: those of its bodies and of obstacles that are meshes, with what the
// energies of their pairs need.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/contact/contact_surface.h"
#include "holo/sim/contact/detection/collision_mesh.h"
#include "holo/sim/elastic/elastic_scene_definition.h"

namespace holo {

// Bodies of the mesh are those of the model, then the obstacles. Vertices are numbered as those of the ContactSurface; those
// with numbers from `model_vertices` on are vertices of obstacles, which move by script.
struct MeshContact {
  std::shared_ptr<const CollisionMesh> mesh;
  std::vector<std::string> names;      // [body of the mesh]
  Eigen::VectorXd obstacle_positions;  // as placed [3 * vertex of an obstacle] [m], after those of the model
  // At rest: a third of the triangles around a vertex and at an edge [m^2], and the edges' lengths [m].
  std::vector<double> vertex_areas, edge_areas, edge_lengths;  // [entry of the mesh's lists]
  // Where obstacles are thick, else empty: areas at the start [m^2], and whether a body has edges.
  std::vector<double> triangle_areas;  // [triangle]
  std::vector<char> has_edges;         // [body]
  // [body * body_count + body] coefficients of friction, symmetric: an obstacle's own for all bodies, and between bodies the
  // geometric mean of theirs; a pair that the scene lists has that one.
  std::vector<double> friction;
  int model_bodies = 0, model_vertices = 0;  // of the latter the points of affine bodies are some, too
  double length = 0;                         // of the scene [m]
  // Whether the interval test (interval_path.h), which shares no code with the additive method, checks each step that this one
  // allows. Of spheres and capsules it sees the points and segments alone.
  bool check_paths = false;

  struct Motion {
    MotionDefinition motion;
    Eigen::Index end;  // of the obstacle's vertices in `obstacle_positions`, behind the last one
  };
  std::vector<Motion> motions = {};  // [obstacle]

  bool is_fixed(int vertex) const { return vertex >= model_vertices; }
  bool obstacles_move() const;
  // Where the obstacles are at a time [s], as `obstacle_positions`, which have the size of `positions`.
  void obstacles_at(double time, Eigen::Ref<Eigen::VectorXd> positions) const;
  // Positions of the model's vertices, or of its points (ContactSurface::points) [3 * vertex] [m], and behind them those of the
  // obstacles at a time.
  Eigen::VectorXd with_obstacles(const Eigen::VectorXd& positions, double time) const;
  double friction_between(int a, int b) const { return friction[static_cast<std::size_t>(a * mesh->body_count + b)]; }
};

// Whether surfaces of the scene can collide with each other: those of several bodies, of one with itself, or with obstacles
// that are meshes.
bool has_mesh_contact(const ElasticSceneDefinition& scene);

// Null where no two surfaces can collide. Throws Error(input), with the place in the experiment, for an obstacle that has the
// name of a body, and for friction between surfaces that do not exist.
std::shared_ptr<const MeshContact> make_mesh_contact(const ElasticModel& model, const ElasticSceneDefinition& scene,
                                                     const ContactSurface& surface);

}  // namespace holo
