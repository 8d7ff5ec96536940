// The vector area of a subset of the surface, sum of (b - a) x (c - a) / 2 over its triangles: the integral of the outward
// normal, which depends on the boundary of the subset alone.

#include <Eigen/Geometry>
#include <stdexcept>

#include "elastic/observables/quadratic_observable.h"

namespace holo {

namespace {

class VectorArea final : public QuadraticObservable {
 public:
  explicit VectorArea(std::vector<std::array<int, 3>> triangles) : triangles_(std::move(triangles)) {}

 private:
  static Eigen::Vector3d edge(const Values& x, int from, int to) { return x.segment<3>(3 * to) - x.segment<3>(3 * from); }

  void form(const Values& x, const Values& y, double factor, double* z) const override {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const auto& [a, b, c] : triangles_) sum += edge(x, a, b).cross(edge(y, a, c)) + edge(y, a, b).cross(edge(x, a, c));
    Eigen::Map<Eigen::Vector3d>{z} = factor / 4 * sum;
  }

  // g . (e x f) = e . (f x g) = f . (g x e)
  void add_gradient(const Values& x, const double* gz, Eigen::Ref<Eigen::VectorXd>& result) const override {
    const Eigen::Vector3d g = Eigen::Map<const Eigen::Vector3d>(gz) / 2;
    for (const auto& [a, b, c] : triangles_) {
      const Eigen::Vector3d of_b = edge(x, a, c).cross(g), of_c = g.cross(edge(x, a, b));
      result.segment<3>(3 * b) += of_b;
      result.segment<3>(3 * c) += of_c;
      result.segment<3>(3 * a) -= of_b + of_c;
    }
  }

  std::vector<std::array<int, 3>> triangles_;
};

}  // namespace

std::unique_ptr<const ElasticObservable> observe_vector_area(const ElasticModel&, const ElasticSubject& subject,
                                                             const holo_observable&) {
  if (subject.subset == nullptr)
    throw std::invalid_argument("observes the vector area of the body '" + subject.name +
                                "', which is 0: its surface is closed. A named subset `of: surface` has one");
  if (subject.subset->triangles.empty())
    throw std::invalid_argument("observes the vector area of '" + subject.name +
                                "', which contains no triangle of the surface; allowed is a subset that does");
  return std::make_unique<VectorArea>(subject.subset->triangles);
}

}  // namespace holo
