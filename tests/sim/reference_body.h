#pragma once
// A soft body with muscles on horizontal ground, as data for reference_step.h: masses, areas, shape functions and weights of
// muscles from their definitions (docs/elastic-dynamics.md#equations and #muscles). No code is shared with the library.

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace holo::test {

struct ReferenceMuscle {
  Eigen::Vector3d start, end;  // at rest [m]
};

struct ReferenceDefinition {
  std::vector<Eigen::Vector3d> vertices;  // at rest [m]
  std::vector<std::array<int, 4>> elements;
  double density = 1000, youngs_modulus = 1e5, poissons_ratio = 0.4;  // [kg/m^3], [Pa], [1]
  double time_step = 0, gravity = 9.81, mass_damping = 0;             // [s], downwards [m/s^2], [1/s]
  std::vector<ReferenceMuscle> muscles;                               // each has an activation of its own
  double muscle_width = 0;                                            // c of the weights exp(-g^2/c^2) [m]
  double ground = 0, activation_distance = 0, stiffness = 0;          // height [m], [m], [Pa/m]
  double friction = 0, stick_speed = 0;                               // [1], [m/s]
  bool has_smooth_barrier = false, has_quadratic_friction = false;    // instead of logarithmic and quintic
  Eigen::VectorXd positions, velocities;                              // at the step's start [3 * vertex] [m], [m/s]
  Eigen::VectorXd lagged_at;                                          // positions of the normal forces of friction [m]
};

// A muscle in an element.
struct ReferenceFiber {
  Eigen::Index muscle;
  double weight;
  Eigen::Vector3d direction;  // unit, at rest
};

struct ReferenceElement {
  std::array<int, 4> vertices;
  std::array<Eigen::RowVector3d, 4> gradients;  // of the shape functions at rest [1/m]
  double volume;                                // at rest [m^3]
  std::vector<ReferenceFiber> fibers;
};

// The body must be convex: distances to muscles within it are then those of straight lines.
struct ReferenceBody {
  explicit ReferenceBody(const ReferenceDefinition& definition) : of(definition) {
    masses = areas = Eigen::VectorXd::Zero(vertex_count());
    for (const auto& vertices : of.elements) add_element(vertices);
    add_areas();
  }
  Eigen::Index vertex_count() const { return static_cast<Eigen::Index>(of.vertices.size()); }

  const ReferenceDefinition of;
  std::vector<ReferenceElement> elements;
  Eigen::VectorXd masses, areas;  // [vertex] [kg]; of the surface, a third of each triangle [m^2]

 private:
  void add_element(const std::array<int, 4>& vertices) {
    const auto corner = [&](std::size_t i) -> const Eigen::Vector3d& { return of.vertices[std::size_t(vertices[i])]; };
    ReferenceElement element{vertices, {}, 0, {}};
    Eigen::Matrix3d edges;
    for (std::size_t i = 1; i < 4; ++i) edges.col(Eigen::Index(i) - 1) = corner(i) - corner(0);
    element.volume = edges.determinant() / 6;
    const Eigen::Matrix3d inverse = edges.inverse();
    for (std::size_t i = 1; i < 4; ++i) element.gradients[i] = inverse.row(Eigen::Index(i) - 1);
    element.gradients[0] = -inverse.colwise().sum();
    for (const int v : vertices) masses[v] += of.density * element.volume / 4;
    add_fibers((corner(0) + corner(1) + corner(2) + corner(3)) / 4, element.fibers);
    elements.push_back(element);
  }

  // Weights below 1e-3 are left out.
  void add_fibers(const Eigen::Vector3d& center, std::vector<ReferenceFiber>& fibers) const {
    for (std::size_t m = 0; m < of.muscles.size(); ++m) {
      const Eigen::Vector3d &start = of.muscles[m].start, along = of.muscles[m].end - start;
      const double share = std::min(1.0, std::max(0.0, along.dot(center - start) / along.squaredNorm()));
      const double distance = (start + share * along - center).norm() / of.muscle_width;
      if (const double weight = std::exp(-distance * distance); weight >= 1e-3)
        fibers.push_back({Eigen::Index(m), weight, along.normalized()});
    }
  }

  // Faces of a single element are the surface.
  void add_areas() {
    std::map<std::array<int, 3>, int> uses;
    for (const auto& vertices : of.elements)
      for (std::size_t left_out = 0; left_out < 4; ++left_out) {
        std::array<int, 3> face;
        for (std::size_t i = 0, k = 0; i < 4; ++i)
          if (i != left_out) face[k++] = vertices[i];
        std::sort(face.begin(), face.end());
        ++uses[face];
      }
    for (const auto& [face, count] : uses) {
      if (count != 1) continue;
      const auto corner = [&, f = face](std::size_t i) -> const Eigen::Vector3d& { return of.vertices[std::size_t(f[i])]; };
      for (const int v : face) areas[v] += (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm() / 6;
    }
  }
};

}  // namespace holo::test
