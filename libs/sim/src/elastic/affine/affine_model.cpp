// Affine bodies of a model: their elements, and the points that are embedded in these.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "elastic/affine/affine_body.h"
#include "elastic/affine/affine_definition.h"
#include "elastic/elastic_model_builder.h"

namespace holo {

// The element's volume is a third of that of a box, and its density is that which gives it the mass of the body.
double ElasticModelBuilder::make_affine(const ElasticBodyDefinition& definition, std::vector<double>& densities,
                                        ElasticBody& body) {
  if (const auto excluded = keys_excluded_by_affine(definition); !excluded.empty())
    throw_input_error(definition.location, excluded[0][1]);
  if (body.mesh.is_quadratic())
    throw_input_error(definition.location,
                      fmt::format("body '{}' is affine, and its mesh has quadratic tetrahedra, for which one affine map has no "
                                  "use. Give linear ones (leave out `order: 2`), or leave out deformation.",
                                  definition.name));
  AffineBody affine = affine_body(body.mesh, densities);
  EmbeddedBody embedded;
  embedded.body = static_cast<int>(model_.bodies_.size());
  embedded.first_node = static_cast<int>(positions_.size() / 3);
  embedded.mesh = std::move(body.mesh);
  place(definition, embedded.mesh);
  embedded.weights = std::move(affine.weights);
  embedded_.push_back(std::move(embedded));
  body.mesh = std::move(affine.element);
  body.is_affine = true;
  densities = {affine.mass / signed_volume(body.mesh, 0)};
  return affine.volume;
}

// The model's length counts the points of affine bodies in place of their nodes.
void ElasticModelBuilder::embed_points() {
  if (embedded_.empty()) return;
  model_.embedding_ = std::make_shared<const Embedding>(model_.vertex_count(), std::move(embedded_));
  Eigen::VectorXd all;
  model_.embedding_->points(model_.start_positions_, all);
  Eigen::Vector3d lowest = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity()), highest = -lowest;
  for (std::size_t b = 0; b < model_.bodies_.size(); ++b) {
    const EmbeddedBody* affine = model_.embedding_->find(static_cast<int>(b));
    const int first = affine ? affine->first_point : model_.bodies_[b].first_vertex,
              count = affine ? static_cast<int>(affine->weights.size()) : model_.bodies_[b].vertex_count;
    const Eigen::Map<const Eigen::Matrix3Xd> points(all.data() + 3 * first, 3, count);
    lowest = lowest.cwiseMin(points.rowwise().minCoeff());
    highest = highest.cwiseMax(points.rowwise().maxCoeff());
  }
  model_.length_ = (highest - lowest).norm();
}

}  // namespace holo
