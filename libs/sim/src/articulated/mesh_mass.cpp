#include "holo/sim/articulated/mesh_mass.h"

#include <fmt/format.h>

#include "holo/core/error.h"

namespace holo {

// A tetrahedron of the corners 0, a, b, c has the volume V = det(a, b, c) / 6, the first moments V (a + b + c) / 4, and the
// second moments V / 20 (s s^T + a a^T + b b^T + c c^T) with s = a + b + c.
MassProperties mesh_mass(const SurfaceMesh& mesh, double density) {
  require_surface(mesh, false);
  if (!(density >= 0)) throw Error(Failure::input, fmt::format("the density is {} kg/m^3; it must be 0 or more", density));
  const auto vertex = [&](int i) { return Eigen::Map<const Eigen::Vector3d>(mesh.vertices[std::size_t(i)].data()); };
  double volume = 0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  const Eigen::Vector3d origin =
      vertex(mesh.triangles.front()[0]);  // near the surface: sums lose no digits far from the frame's origin
  for (const auto& triangle : mesh.triangles) {
    const Eigen::Vector3d a = vertex(triangle[0]) - origin, b = vertex(triangle[1]) - origin, c = vertex(triangle[2]) - origin;
    const Eigen::Vector3d s = a + b + c;
    const double part = a.dot(b.cross(c)) / 6;
    volume += part;
    first += part / 4 * s;
    second += part / 20 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  if (!(volume > 0))
    throw Error(Failure::input, fmt::format("{}: the surface encloses {:.6g} m^3; it must be above 0: turn its triangles to be "
                                            "counterclockwise as seen from outside",
                                            mesh.source, volume));
  const Eigen::Vector3d center = first / volume;
  return {density * volume, origin + center, density * (second - volume * center * center.transpose())};
}

}  // namespace holo
