#include "elastic/element/forced_element.h"

#include <fmt/format.h>

#include <algorithm>

#include "elastic/element/element_fault.h"
#include "elastic/element/lane_width.h"
#include "holo/sim/elastic/element_fields.h"

namespace holo {
namespace {

struct ForcedElement {
  const ElasticBody* body = nullptr;
  std::size_t packed = 0;
  double determinant = 0;
  double outside = 0;  // how far it is beyond its material's range
};

std::vector<int> vertices_of(const ElasticModel& model, std::size_t packed) {
  const ElementBlock block = model.block(packed / W);
  std::vector<int> vertices;
  for (std::size_t v = 0; v < static_cast<std::size_t>(block.nodes); ++v)
    vertices.push_back(block.vertices[v * W + packed % W]);
  return vertices;
}

bool is_prescribed(const ElasticModel& model, const IncrementalPotential& potential, std::size_t packed) {
  const std::vector<int> vertices = vertices_of(model, packed);
  return std::all_of(vertices.begin(), vertices.end(), [&](int v) { return potential.prescribed(v); });
}

ForcedElement worst_element(const ElasticModel& model, const IncrementalPotential& potential, const Eigen::VectorXd& x) {
  AlignedArray gradients;
  deformation_gradients(model, x, gradients);
  ForcedElement worst;
  for (const ElasticBody& body : model.bodies())
    for (std::size_t packed = body.first_block * W; packed < (body.first_block + body.block_count) * W; ++packed) {
      if (!body.limits_determinant() || model.packed_elements()[packed] < 0 || !is_prescribed(model, potential, packed))
        continue;
      const double found = packed_determinant(gradients.data(), packed);
      const double outside = std::max(body.determinant_minimum - found, found - body.determinant_maximum);
      if (outside >= 0 && (worst.body == nullptr || outside > worst.outside)) worst = {&body, packed, found, outside};
    }
  return worst;
}

// "handles.0, handles.2 of 'bar' move": those that hold a vertex of the element, as an experiment counts them.
std::string handles_of(const ElasticScene& scene, const ElasticBody& body, std::size_t packed) {
  std::string text;
  int number = 0, holding = 0;
  for (const ElasticHandle& handle : scene.schedule.handles()) {
    const int first = handle.vertices.front() - body.first_vertex;
    if (first < 0 || first >= body.vertex_count) continue;  // another body's
    bool holds = false;
    for (const int v : vertices_of(*scene.model, packed))
      holds |= std::binary_search(handle.vertices.begin(), handle.vertices.end(), v);
    if (holds) text += fmt::format("{}handles.{}", holding++ == 0 ? "" : ", ", number);
    ++number;
  }
  return fmt::format("{} of '{}' {}", text, body.name, holding == 1 ? "moves" : "move");
}

}  // namespace

std::string forced_element(const ElasticScene& scene, const IncrementalPotential& potential, const Eigen::VectorXd& x) {
  const ForcedElement worst = worst_element(*scene.model, potential, x);
  if (worst.body == nullptr) return "";
  return fmt::format(
      "{} all vertices of element {} so that its determinant would be {:.3g}, which its material does not allow. "
      "Neither the solver nor a smaller time step can change that: change the motions of the handles, or hold fewer vertices",
      handles_of(scene, *worst.body, worst.packed), element_number(*scene.model, *worst.body, worst.packed), worst.determinant);
}

}  // namespace holo
