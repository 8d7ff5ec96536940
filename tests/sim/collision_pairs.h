#pragma once
// Pairs of moving primitives whose collisions are known, for the tests of collision detection.

#include <cmath>
#include <string>
#include <vector>

#include "exact_collision.h"
#include "scenes.h"

namespace holo::test {

struct MovingPair {
  PairColumns x, p;  // positions and displacements of the columns of a pair [m]
};

// A point at the height h above a triangle falls by `fall`.
inline MovingPair falling_point(double h, double fall) {
  MovingPair pair;
  pair.x.transpose() << 0.2, 0.3, h, 0, 0, 0, 1, 0, 0, 0, 1, 0;
  pair.p.setZero();
  pair.p(2, 0) = -fall;
  return pair;
}

// An edge at the height h above another one falls by `fall`; their angle is `angle` [rad].
inline MovingPair falling_edge(double h, double fall, double angle) {
  MovingPair pair;
  const double c = std::cos(angle), s = std::sin(angle);
  pair.x.transpose() << -0.5, 0, h, 0.5, 0, h, -0.6 * c, -0.6 * s, 0, 0.4 * c, 0.4 * s, 0;
  pair.p.setZero();
  pair.p.row(2).head<2>().setConstant(-fall);
  return pair;
}

// A point moves at the height h across a triangle and beyond.
inline MovingPair sliding_point(double h) {
  MovingPair pair = falling_point(h, 0);
  pair.p.col(0) = Eigen::Vector3d(5, 3, 0);
  return pair;
}

// Vertices in a cube. They are displaced by up to its size, and the first primitive toward the other one, so that most pairs
// collide.
inline MovingPair random_pair(PairKind kind, std::size_t seed) {
  MovingPair pair;
  std::size_t draw = (2 * seed + (kind == PairKind::edges)) * 100;
  for (int i = 0; i < 12; ++i) {
    pair.x.data()[i] = wiggle(draw++);
    pair.p.data()[i] = 2 * wiggle(draw++);
  }
  const int count = kind == PairKind::edges ? 2 : 1;
  const Eigen::Vector3d between = pair.x.rightCols(4 - count).rowwise().mean() - pair.x.leftCols(count).rowwise().mean();
  pair.p.leftCols(count).colwise() += 2 * between;
  return pair;
}

// Triangles and edges without extent, near and away from the other primitive.
struct DegeneratePair {
  std::string name;
  PairKind kind;
  MovingPair pair;
  bool collides;
};

inline std::vector<DegeneratePair> degenerate_pairs() {
  std::vector<DegeneratePair> pairs;
  const auto add = [&](const std::string& name, PairKind kind, MovingPair pair, bool collides) {
    pairs.push_back({name, kind, pair, collides});
  };
  // The point falls at (0.2, 0.3): a segment through that place, or beside it.
  MovingPair segment = falling_point(0.25, 1);
  segment.x.col(2) = Eigen::Vector3d(0.4, 0.6, 0);
  segment.x.col(3) = Eigen::Vector3d(0.8, 1.2, 0);
  add("triangle that is a segment", PairKind::points, segment, true);
  segment.x(0, 0) = 0.25;
  add("point beside a triangle that is a segment", PairKind::points, segment, false);
  MovingPair point = falling_point(0.25, 1);
  for (int i = 1; i < 4; ++i) point.x.col(i) = Eigen::Vector3d(0.2, 0.3, 0);
  add("triangle that is a point", PairKind::points, point, true);
  point.x(0, 0) = 0.21;
  add("point beside a triangle that is a point", PairKind::points, point, false);
  MovingPair edge = falling_edge(0.25, 1, 1.5);
  edge.x.col(0) = edge.x.col(1) = Eigen::Vector3d(0, 0, 0.25);
  add("edge that is a point", PairKind::edges, edge, true);
  edge.x.col(2) = edge.x.col(3) = Eigen::Vector3d(0, 0, 0);
  add("two edges that are points", PairKind::edges, edge, true);
  edge.x(1, 2) = edge.x(1, 3) = 0.01;
  add("two edges that are points beside each other", PairKind::edges, edge, false);
  MovingPair tiny = falling_point(0.25, 1);
  tiny.x *= 1e-200;
  tiny.p *= 1e-200;
  add("pair whose squares underflow", PairKind::points, tiny, true);
  MovingPair same = falling_point(0.25, 1);
  same.x.setConstant(0.3);
  same.p.setZero();
  add("four vertices at one place", PairKind::points, same, true);
  add("four ends at one place", PairKind::edges, same, true);
  MovingPair in_line = falling_edge(0, 0, 0);
  in_line.x.col(0) = Eigen::Vector3d(0.5, 0, 0), in_line.x.col(1) = Eigen::Vector3d(1.5, 0, 0);
  in_line.p.row(0).head<2>().setConstant(-0.2);
  add("edges in a line that collide", PairKind::edges, in_line, true);
  in_line.p.row(0).head<2>().setConstant(-0.05);
  add("edges in a line that approach", PairKind::edges, in_line, false);
  return pairs;
}

}  // namespace holo::test
