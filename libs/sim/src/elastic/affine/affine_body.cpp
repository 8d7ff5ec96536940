#include "elastic/affine/affine_body.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace holo {
namespace {

using Matrix34d = Eigen::Matrix<double, 3, 4>;

Eigen::Vector3d vertex_position(const TetrahedralMesh& mesh, int vertex) {
  return Eigen::Vector3d(mesh.vertices[static_cast<std::size_t>(vertex)].data());
}

Matrix34d corners_of_element(const TetrahedralMesh& mesh, std::size_t element) {
  Matrix34d corners;
  for (int i = 0; i < 4; ++i) corners.col(i) = vertex_position(mesh, mesh.tetrahedra[element][static_cast<std::size_t>(i)]);
  return corners;
}

struct MassMoments {
  double mass = 0, volume = 0;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();  // about the center, over the mass [m^2]
};

// The integral of (x - c)(x - c)^T over a tetrahedron of volume V with the corners a_i is V/20 (sum d_i d_i^T + s s^T), with
// d_i = a_i - c and s = sum d_i. The center is found first, so that nothing cancels.
MassMoments mass_moments(const TetrahedralMesh& mesh, const std::vector<double>& densities) {
  MassMoments moments;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const double volume = signed_volume(mesh, static_cast<int>(e));
    moments.volume += volume;
    moments.mass += densities[e] * volume;
    moments.center += densities[e] * volume * corners_of_element(mesh, e).rowwise().mean();
  }
  moments.center /= moments.mass;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const Matrix34d from_center = corners_of_element(mesh, e).colwise() - moments.center;
    const Eigen::Vector3d sum = from_center.rowwise().sum();
    moments.second += densities[e] * signed_volume(mesh, static_cast<int>(e)) / 20 *
                      (from_center * from_center.transpose() + sum * sum.transpose());
  }
  moments.second /= moments.mass;
  return moments;
}

}  // namespace

AffineBody affine_body(const TetrahedralMesh& mesh, const std::vector<double>& densities) {
  const MassMoments moments = mass_moments(mesh, densities);
  const Eigen::Matrix3d root = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(moments.second).operatorSqrt();
  Matrix34d directions;
  directions << 1, 1, -1, -1,  //
      1, -1, -1, 1,            //
      1, -1, 1, -1;
  const Matrix34d nodes = (root * directions).colwise() + moments.center;
  AffineBody result;
  result.mass = moments.mass;
  result.volume = moments.volume;
  result.element.source = mesh.source;
  result.element.unused_vertices = mesh.unused_vertices;
  for (int i = 0; i < 4; ++i) result.element.vertices.push_back({nodes(0, i), nodes(1, i), nodes(2, i)});
  result.element.tetrahedra = {{0, 1, 2, 3}};
  // Barycentric coordinates of c + sqrt(S) z are (1 + p_i . z)/4, since sum p_i = 0 and (1/4) sum p_i p_i^T = I.
  const Eigen::Matrix3d inverse = root.inverse();
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Eigen::Vector3d z = inverse * (vertex_position(mesh, static_cast<int>(v)) - moments.center);
    result.weights.push_back(0.25 * (Eigen::Vector4d::Ones() + directions.transpose() * z));
  }
  return result;
}

}  // namespace holo
