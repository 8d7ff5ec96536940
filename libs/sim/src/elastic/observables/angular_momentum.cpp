// The angular momentum about the center of mass, sum m (x - c) x v. It is bilinear in positions and velocities.

#include <Eigen/Geometry>

#include "elastic/observables/mass_points.h"
#include "holo/sim/elastic/observables/elastic_observable.h"

namespace holo {

namespace {

class AngularMomentum final : public ElasticObservable {
 public:
  explicit AngularMomentum(MassPoints points) : points_(std::move(points)) {}

  void value(const ElasticPhase& at, double* z) const override {
    Eigen::Map<Eigen::Vector3d>{z} = moment(at.positions, at.velocities);
  }

  void push_forward(const ElasticPhase& at, const ElasticPhase& direction, double* dz) const override {
    Eigen::Map<Eigen::Vector3d>{dz} = moment(direction.positions, at.velocities) + moment(at.positions, direction.velocities);
  }

  void pull_back(const ElasticPhase& at, const double* gz, ElasticPhaseSum& result) const override {
    add_transposed(at, gz, result);
  }

  // A bilinear form: its second derivative along d is its derivative at d.
  void second_order(const ElasticPhase&, const double* gz, const ElasticPhase& direction,
                    ElasticPhaseSum& result) const override {
    add_transposed(direction, gz, result);
  }

 private:
  using Values = Eigen::Ref<const Eigen::VectorXd>;

  Eigen::Vector3d moment(const Values& x, const Values& v) const {
    const Eigen::Vector3d center = points_.mean(x);
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < points_.vertices.size(); ++i) {
      const Eigen::Vector3d arm = x.segment<3>(3 * points_.vertices[i]) - center,
                            velocity = v.segment<3>(3 * points_.vertices[i]);
      sum += points_.masses[i] * arm.cross(velocity);
    }
    return sum;
  }

  // g . (a x v) = a . (v x g) = v . (g x a). The center moves with all vertices: what they share of the velocity drops out.
  void add_transposed(const ElasticPhase& at, const double* gz, ElasticPhaseSum& result) const {
    const Eigen::Vector3d g = Eigen::Map<const Eigen::Vector3d>(gz), center = points_.mean(at.positions),
                          drift = points_.mean(at.velocities);
    for (std::size_t i = 0; i < points_.vertices.size(); ++i) {
      const Eigen::Vector3d arm = at.positions.segment<3>(3 * points_.vertices[i]) - center,
                            velocity = at.velocities.segment<3>(3 * points_.vertices[i]) - drift;
      result.positions.segment<3>(3 * points_.vertices[i]) += points_.masses[i] * velocity.cross(g);
      result.velocities.segment<3>(3 * points_.vertices[i]) += points_.masses[i] * g.cross(arm);
    }
  }

  MassPoints points_;
};

}  // namespace

std::unique_ptr<const ElasticObservable> observe_angular_momentum(const ElasticModel& model, const ElasticSubject& subject,
                                                                  const holo_observable&) {
  return std::make_unique<AngularMomentum>(MassPoints(model, subject.vertices()));
}

}  // namespace holo
