#include "holo/sim/contact/contact_surface.h"

#include <Eigen/Geometry>

namespace holo {

ContactSurface contact_surface(const ElasticModel& model) {
  ContactSurface surface;
  std::vector<double> areas(static_cast<std::size_t>(model.vertex_count()), 0.0);
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const ElasticBody& body = model.bodies()[b];
    for (auto triangle : boundary_triangles(body.mesh)) {
      Eigen::Matrix3d corners;
      for (int i = 0; i < 3; ++i)
        corners.col(i) =
            Eigen::Vector3d(body.mesh.vertices[static_cast<std::size_t>(triangle[static_cast<std::size_t>(i)])].data());
      const double area = 0.5 * (corners.col(1) - corners.col(0)).cross(corners.col(2) - corners.col(0)).norm();
      for (int& vertex : triangle) {
        vertex += body.first_vertex;
        areas[static_cast<std::size_t>(vertex)] += area / 3;
      }
      surface.triangles.push_back(triangle);
    }
    for (int vertex = body.first_vertex; vertex < body.first_vertex + body.vertex_count; ++vertex)
      if (const double area = areas[static_cast<std::size_t>(vertex)]; area > 0) {
        surface.vertices.push_back(vertex);
        surface.areas.push_back(area);
        surface.bodies.push_back(static_cast<int>(b));
      }
  }
  return surface;
}

}  // namespace holo
