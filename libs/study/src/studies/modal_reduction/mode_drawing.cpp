#include "studies/modal_reduction/mode_drawing.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "studies/elastic_drawing/body_drawing.h"

namespace holo {

namespace {

constexpr double drawn_size = 0.125;  // of the largest displacement, over the body's length
constexpr double mode_spacing = 1.4;  // of bodies, over their largest extent

}  // namespace

SwingingModes::SwingingModes(const ElasticModel& model, int count, const Eigen::Vector3d& corner) : count_(count) {
  SurfaceVertices surface(drawn_body(model, 0).triangles);
  vertices_ = std::move(surface.vertices);
  triangles_ = std::move(surface.triangles);
  length_ = model.length();
  rest_.resize(rows());
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    rest_.segment<3>(3 * Eigen::Index(i)) = model.start_positions().segment<3>(3 * vertices_[i]);
  const Eigen::Map<const Eigen::Matrix3Xd> points(rest_.data(), 3, Eigen::Index(vertices_.size()));
  const Eigen::Vector3d least = points.rowwise().minCoeff();
  const double width = (points.rowwise().maxCoeff() - least).maxCoeff();
  for (int mode = 0; mode < count; ++mode)
    places_.emplace_back(corner - least + Eigen::Vector3d(mode_spacing * width * mode, 0, 0));
}

void SwingingModes::add_to(Scene& scene) const {
  for (int mode = 0; mode < count_; ++mode)
    scene.bodies.push_back({.name = fmt::format("mode {}", mode + 1),
                            .vertex_count = std::int64_t(vertices_.size()),
                            .triangles = triangles_,
                            .labeled = true});
}

Eigen::MatrixXd SwingingModes::drawn_shapes(const Eigen::MatrixXd& shapes) const {
  Eigen::MatrixXd result(rows(), count_);
  for (int mode = 0; mode < count_; ++mode) {
    double largest = 0;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      const Eigen::Vector3d moved = shapes.col(mode).segment<3>(3 * vertices_[i]);
      result.col(mode).segment<3>(3 * Eigen::Index(i)) = moved;
      largest = std::max(largest, moved.norm());
    }
    result.col(mode) *= drawn_size * length_ / largest;
  }
  return result;
}

void SwingingModes::draw(const Eigen::MatrixXd& shapes, double time, SceneFrame& frame) const {
  for (int mode = 0; mode < count_; ++mode) {
    Eigen::VectorXd x = rest_;
    if (shapes.size() > 0) x += std::sin(2 * std::numbers::pi * time) * shapes.col(mode);
    for (Eigen::Index k = 0; k < x.size(); ++k) frame.positions.push_back(x[k] + places_[std::size_t(mode)][k % 3]);
  }
}

}  // namespace holo
