#include "studies/elastic_control/muscle_drawing.h"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "holo/sim/mesh/quadratic_tetrahedra.h"

namespace holo {

namespace {

constexpr double least_drawn = 0.02;  // of the limit: activations below it are drawn as no activity
constexpr double glyph_size = 0.004;  // half the width of a segment, over the scene's length

}  // namespace

MuscleDrawing::MuscleDrawing(const ElasticModel& model, const std::vector<ControlledSegment>& segments)
    : model_(model), segments_(segments), elements_at_(static_cast<std::size_t>(model.vertex_count()), 0.0) {
  for (const ControlledSegment& each : segments_)
    ends_.push_back({anchor_of(each, each.segment->start), anchor_of(each, each.segment->end)});
  for (const ElasticBody& body : model_.bodies())
    for (std::size_t element = 0; element < body.mesh.tetrahedra.size(); ++element)
      for (const int vertex : element_vertices(body.mesh, element))
        elements_at_[static_cast<std::size_t>(body.first_vertex + vertex)] += 1;
}

// In the element that contains the point, or that it is nearest to: the one with the largest smallest coordinate.
MuscleDrawing::Anchor MuscleDrawing::anchor_of(const ControlledSegment& segment, const Eigen::Vector3d& point) const {
  const ElasticBody& body = *segment.body;
  const auto vertex = [&](int v) { return Eigen::Vector3d(body.mesh.vertices[static_cast<std::size_t>(v)].data()); };
  Anchor best;
  double best_least = -std::numeric_limits<double>::infinity();
  for (const auto& [element, weight] : segment.segment->weights) {
    const auto& corners = body.mesh.tetrahedra[static_cast<std::size_t>(element - body.first_element)];
    Eigen::Matrix3d edges;
    for (int i = 0; i < 3; ++i) edges.col(i) = vertex(corners[static_cast<std::size_t>(i) + 1]) - vertex(corners[0]);
    Eigen::Vector4d weights;
    weights.tail<3>() = edges.partialPivLu().solve(point - vertex(corners[0]));
    weights[0] = 1 - weights.tail<3>().sum();
    if (weights.minCoeff() <= best_least) continue;
    best_least = weights.minCoeff();
    best.weights = weights;
    for (std::size_t i = 0; i < 4; ++i) best.vertices[i] = body.first_vertex + corners[i];
  }
  return best;
}

// Each segment has two signs, of which a frame shows one at most.
void MuscleDrawing::add_to(Scene& scene) const {
  scene.fields.push_back({"muscle_activation", "Pa", "sum of the segments' activations by their weights", {}, 1e-6});
  for (const ControlledSegment& each : segments_)
    for (const bool contracts : {true, false})
      scene.glyphs.push_back({.name = each.name,
                              .shape = GlyphShape::segment,
                              .kind = contracts ? "contracting muscle" : "extending muscle",
                              .hue = contracts ? Hue::red : Hue::blue,
                              .size = glyph_size * model_.length()});
}

void MuscleDrawing::draw(const Eigen::VectorXd& positions, const Eigen::VectorXd& activations, SceneFrame& frame) const {
  std::vector<float>& field = frame.fields.emplace_back(elements_at_.size(), 0.0f);
  std::vector<double> sums(elements_at_.size(), 0.0);
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const ControlledSegment& each = segments_[i];
    const double a = activations[static_cast<Eigen::Index>(i)];
    for (const auto& [element, weight] : each.segment->weights)
      for (const int v : element_vertices(each.body->mesh, static_cast<std::size_t>(element - each.body->first_element)))
        sums[static_cast<std::size_t>(each.body->first_vertex + v)] += weight * a;
    const auto place = [&](const Anchor& anchor) {
      Eigen::Vector3d sum = Eigen::Vector3d::Zero();
      for (std::size_t k = 0; k < 4; ++k)
        sum += anchor.weights[static_cast<Eigen::Index>(k)] * positions.segment<3>(3 * anchor.vertices[k]);
      return sum;
    };
    const Eigen::Vector3d start = place(ends_[i][0]), end = place(ends_[i][1]);
    for (const double sign : {1.0, -1.0}) {
      const Eigen::Vector3d to = sign * a > least_drawn * each.upper ? end : start;  // no length: not drawn
      for (const Eigen::Vector3d& point : {start, to}) frame.points.insert(frame.points.end(), point.begin(), point.end());
    }
  }
  for (std::size_t v = 0; v < field.size(); ++v) field[v] = static_cast<float>(sums[v] / std::max(elements_at_[v], 1.0));
}

}  // namespace holo
