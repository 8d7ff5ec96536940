#pragma once
// The pairs of surface primitives that are closer than the barrier's activation distance, at given positions.
//
//   ActivePairs pairs(contact, barrier.distance);
//   for (const ActivePair& pair : pairs.at(x)) ... pair_energy(pair.law(barrier), pair.features, pair.x)

#include <array>
#include <memory>
#include <vector>

#include "holo/sim/contact/detection/candidate_pairs.h"
#include "holo/sim/contact/mesh_contact.h"
#include "holo/sim/contact/pairs/pair_energy.h"

namespace holo {

struct ActivePair {
  ClosestFeatures features;
  std::array<int, 4> vertices;    // numbers of the nodes in the vector of positions
  std::array<int, 2> bodies;      // of the mesh
  PairVector x;                   // positions of the nodes [m]
  double distance;                // of the surfaces [m]
  double area;                    // that the pair stands for [m^2]
  double parallel_threshold = 0;  // of two edges [m^4]
  double radius = 0;              // the sum of those of both bodies [m]

  PairBarrier law(const Barrier& barrier) const { return {barrier, area, parallel_threshold, radius}; }
};

// -A m B'(d), the force between the two sides [N] but for that of the mollifier m.
double normal_force(const ActivePair& pair, const Barrier& barrier);

// Each vertex that is near triangles of another surface, and each two edges, are pairs of their own. The area of a pair is a
// quarter of the vertex's area, or of the sum of both edges' areas: four sets of pairs (vertices of both sides, edges of both
// sides) then stand for the common area once each quarter [Li2020]. Several pairs may have the same closest features, such as
// two triangles with a common edge that is the closest; each keeps its area, so that their sum counts. Obstacles that are thick
// points or segments have no area: their pairs stand for the areas of the bodies' triangles, or in halves for those and the
// edges', since both sets cover a body's surface.
//
// Positions are those of the model [3 * vertex] [m]; obstacles are where begin_step and place_obstacles put them, at first at
// their places at time 0. Memory is allocated again only for more pairs than before.
class ActivePairs {
 public:
  ActivePairs(std::shared_ptr<const MeshContact> contact, double distance);

  // The step from `start` to `end` [s]: obstacles are at their places of the latter, and every vertex has a straight way to it.
  void begin_step(double start, double end);
  // Puts them to a share in [0, 1] of their way in the step.
  void place_obstacles(double progress);
  // From the place of an obstacle's vertex at the start of the step to where it is, and from there to its place at the end [m].
  Eigen::Vector3d obstacle_displacement(int vertex) const {
    return x_.segment<3>(3 * vertex) - start_.segment<3>(3 * (vertex - contact_->model_vertices));
  }
  Eigen::Vector3d obstacle_way(int vertex) const { return way_.segment<3>(3 * (vertex - contact_->model_vertices)); }

  // T, for which T n is how much farther the surfaces of round obstacles that turn have moved than their points and segments,
  // from the second to the first of both bodies, where n is the normal between them: sum of r (R - I), R of the step so far
  // [m].
  Eigen::Matrix3d surface_turn(const std::array<int, 2>& bodies) const;

  // The pairs at x: those of points and triangles, then those of edges, each ascending. They are computed once for successive
  // calls at the same x, and live until a call at another.
  const std::vector<ActivePair>& at(const Eigen::VectorXd& x);
  // A step t in (0, 1] along the direction after which each pair has more than a tenth of its distance left, while obstacles go
  // the share t of what is left of their way.
  double longest_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction);

  const MeshContact& contact() const { return *contact_; }

 private:
  void add_if_active(PairKind kind, const PairColumns& columns, const std::array<int, 4>& vertices,
                     const std::array<int, 2>& bodies, double area, double threshold);
  void find_turns(double start, double end);
  double point_triangle_area(std::size_t vertex, std::size_t triangle) const;
  double edge_edge_area(std::size_t first, std::size_t second) const;

  std::shared_ptr<const MeshContact> contact_;
  double distance_;
  CandidateSearch search_, swept_search_;
  bool is_known_ = false;
  Eigen::VectorXd model_x_;        // of the last `at`
  Eigen::VectorXd x_, direction_;  // with those of obstacles
  double progress_ = 1;
  std::vector<Eigen::Matrix3d> turns_;  // [body] r (R - I) of the whole step; empty: no round obstacle moves
  Eigen::VectorXd start_, end_, way_;   // of obstacles: at both ends of the step, and from now to its end [3 * vertex]
  std::vector<ActivePair> pairs_;
};

}  // namespace holo
