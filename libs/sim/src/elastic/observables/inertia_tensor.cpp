// The inertia tensor about the center of mass, I = sum m (|y|^2 1 - y y^T) with y = x - c, as xx, yy, zz, xy, xz, yz.

#include "elastic/observables/mass_points.h"
#include "elastic/observables/quadratic_observable.h"

namespace holo {

namespace {

class InertiaTensor final : public QuadraticObservable {
 public:
  explicit InertiaTensor(MassPoints points) : points_(std::move(points)) {}

 private:
  void form(const Values& x, const Values& other, double factor, double* z) const override {
    const Eigen::Vector3d center = points_.mean(x), other_center = points_.mean(other);
    Eigen::Matrix3d moment = Eigen::Matrix3d::Zero();  // sum m y w^T
    for (std::size_t i = 0; i < points_.vertices.size(); ++i) {
      const Eigen::Vector3d y = x.segment<3>(3 * points_.vertices[i]) - center,
                            w = other.segment<3>(3 * points_.vertices[i]) - other_center;
      moment += points_.masses[i] * y * w.transpose();
    }
    for (int k = 0; k < 3; ++k) z[k] = factor * (moment.trace() - moment(k, k));
    z[3] = -factor / 2 * (moment(0, 1) + moment(1, 0));
    z[4] = -factor / 2 * (moment(0, 2) + moment(2, 0));
    z[5] = -factor / 2 * (moment(1, 2) + moment(2, 1));
  }

  // Of G : I = sum m (tr(G) |y|^2 - y . G y), where the center drops out since sum m y = 0.
  void add_gradient(const Values& x, const double* gz, Eigen::Ref<Eigen::VectorXd>& result) const override {
    Eigen::Matrix3d G;
    G << gz[0], gz[3] / 2, gz[4] / 2, gz[3] / 2, gz[1], gz[5] / 2, gz[4] / 2, gz[5] / 2, gz[2];
    const Eigen::Matrix3d slope = 2 * (G.trace() * Eigen::Matrix3d::Identity() - G);
    const Eigen::Vector3d center = points_.mean(x);
    for (std::size_t i = 0; i < points_.vertices.size(); ++i) {
      const int first = 3 * points_.vertices[i];
      result.segment<3>(first) += points_.masses[i] * slope * (x.segment<3>(first) - center);
    }
  }

  MassPoints points_;
};

}  // namespace

std::unique_ptr<const ElasticObservable> observe_inertia_tensor(const ElasticModel& model, const ElasticSubject& subject,
                                                                const holo_observable&) {
  return std::make_unique<InertiaTensor>(MassPoints(model, subject.vertices()));
}

}  // namespace holo
