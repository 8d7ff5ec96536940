#pragma once
// Intersections of bodies with each other, with themselves and with obstacles: the check of a simulation's result. It is exact
// for the positions as they are, and shares no code with contact, which is to prevent intersections
// (holo/sim/intersection/surface_intersections.h).

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/contact/scene_contact.h"
#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/intersection/round_obstacles.h"
#include "holo/sim/intersection/surface_intersections.h"

namespace holo {

struct FoundIntersections {
  std::vector<EdgeTriangleIntersection> of_surfaces;        // triangles are numbered as in ElasticIntersections
  std::vector<PointBelowPlane> below_planes;                // vertices of surfaces, and numbers of planes
  std::vector<TriangleInObstacle> in_round_obstacles = {};  // of bodies, and numbers of such obstacles
  std::int64_t count() const {
    return static_cast<std::int64_t>(of_surfaces.size() + below_planes.size() + in_round_obstacles.size());
  }
};

class ElasticIntersections {
 public:
  // The obstacles are those of the contact.
  ElasticIntersections(std::shared_ptr<const ElasticModel> model, const SceneContact& contact);

  // At positions [3 * vertex] [m], with the obstacles at their places at `time` [s]: edges that meet triangles, of one body, of
  // two, or of a body and an obstacle, and vertices on or below planes. Throws Error(input) for positions that are not finite.
  FoundIntersections find(const Eigen::VectorXd& positions, double time) const;

  // Those that the scene's contact is to prevent: of surfaces that collide, and of bodies with planes and round obstacles.
  // Bodies may pass through each other where nothing keeps them apart.
  FoundIntersections prevented(const FoundIntersections& found) const;

  // The bodies and places of the first few: "an edge of body 'a' from [0, 0, 1] to [0, 1, 1] meets the triangle of body 'b'
  // with the corners ...".
  std::string describe(const FoundIntersections& found, const Eigen::VectorXd& positions, double time) const;

 private:
  const std::string& name_of(int body) const { return names_[static_cast<std::size_t>(body)]; }
  void add_obstacles();
  int body_of(int vertex) const;
  std::vector<RoundObstacle> round_obstacles(const Eigen::VectorXd& all) const;
  bool is_obstacle(int body) const { return body >= static_cast<int>(model_->bodies().size()); }
  // The points of the model and of the obstacles.
  Eigen::VectorXd with_obstacles(const Eigen::VectorXd& positions, double time) const;

  std::shared_ptr<const ElasticModel> model_;
  std::shared_ptr<const MeshContact> mesh_;  // null: no surfaces collide
  std::vector<std::string> names_;           // of the bodies, then of the obstacles that are meshes
  // Of the boundaries of all of them. Vertices are points of the model's embedding if there is one; then come those of
  // obstacles.
  std::vector<std::array<int, 3>> triangles_;
  std::vector<int> triangle_bodies_;
  std::vector<int> round_bodies_;  // obstacles that are spheres or capsules
  std::vector<int> vertices_;      // of the bodies' triangles, ascending
  std::vector<PlaneDefinition> planes_;
};

}  // namespace holo
