#include "holo/sim/elastic/embedding.h"

#include <algorithm>

namespace holo {

Embedding::Embedding(int vertex_count, std::vector<EmbeddedBody> bodies)
    : vertex_count_(vertex_count), point_count_(vertex_count), bodies_(std::move(bodies)) {
  for (EmbeddedBody& body : bodies_) {
    body.first_point = point_count_;
    point_count_ += static_cast<int>(body.weights.size());
  }
}

const EmbeddedBody* Embedding::find(int body) const {
  const auto found = std::find_if(bodies_.begin(), bodies_.end(), [&](const EmbeddedBody& each) { return each.body == body; });
  return found == bodies_.end() ? nullptr : &*found;
}

const EmbeddedBody* Embedding::owner(int point) const {
  const auto behind = std::upper_bound(bodies_.begin(), bodies_.end(), point,
                                       [](int p, const EmbeddedBody& body) { return p < body.first_point; });
  return behind == bodies_.begin() ? nullptr : &*(behind - 1);
}

Embedding::Stencil Embedding::stencil(int point) const {
  Stencil result;
  const EmbeddedBody* body = owner(point);
  if (!body) {
    result.nodes[0] = point;
    return result;
  }
  result.count = 4;
  for (int i = 0; i < 4; ++i) {
    const auto entry = static_cast<std::size_t>(i);
    result.nodes[entry] = body->first_node + i;
    result.weights[entry] = body->weights[static_cast<std::size_t>(point - body->first_point)][i];
  }
  return result;
}

void Embedding::points(const Eigen::VectorXd& of_vertices, Eigen::VectorXd& of_points) const {
  of_points.resize(3 * point_count_);
  of_points.head(of_vertices.size()) = of_vertices;
  for (const EmbeddedBody& body : bodies_) {
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> nodes(of_vertices.data() + 3 * body.first_node);
    for (std::size_t v = 0; v < body.weights.size(); ++v)
      of_points.segment<3>(3 * (body.first_point + static_cast<int>(v))) = nodes * body.weights[v];
  }
}

Eigen::VectorXd Embedding::points(const Eigen::VectorXd& of_vertices) const {
  Eigen::VectorXd result;
  points(of_vertices, result);
  return result;
}

Eigen::MatrixXd Embedding::columns_of_points(const Eigen::Ref<const Eigen::MatrixXd>& of_vertices) const {
  Eigen::MatrixXd result(3 * point_count_, of_vertices.cols());
  Eigen::VectorXd column;
  for (Eigen::Index j = 0; j < of_vertices.cols(); ++j) {
    points(of_vertices.col(j), column);
    result.col(j) = column;
  }
  return result;
}

void Embedding::add_pulled_back(const Eigen::Ref<const Eigen::MatrixXd>& of_points,
                                Eigen::Ref<Eigen::MatrixXd> of_vertices) const {
  of_vertices += of_points.topRows(3 * vertex_count_);
  for (Eigen::Index j = 0; j < of_points.cols(); ++j)
    for (const EmbeddedBody& body : bodies_) {
      Eigen::Map<Eigen::Matrix<double, 3, 4>> nodes(&of_vertices(3 * body.first_node, j));
      for (std::size_t v = 0; v < body.weights.size(); ++v)
        nodes += of_points.col(j).segment<3>(3 * (body.first_point + static_cast<int>(v))) * body.weights[v].transpose();
    }
}

}  // namespace holo
