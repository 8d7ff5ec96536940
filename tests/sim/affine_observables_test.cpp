// What losses observe of an affine body: its own numbers, and points of it by their position.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "holo/sim/elastic/observables/elastic_observable.h"
#include "scenes.h"

namespace holo::test {
namespace {

// A box that spins about its center and moves.
struct SpinningBox {
  static constexpr double density = 800;             // kg/m^3
  const Eigen::Vector3d size = {0.4, 0.1, 0.2};      // m
  const Eigen::Vector3d spin = {1, -2, 3};           // rad/s
  const Eigen::Vector3d velocity = {0.5, 0.25, -1};  // m/s
  std::shared_ptr<const ElasticModel> model = make();
  const ElasticSubject subject = {"body", &model->bodies()[0], nullptr};

  std::shared_ptr<const ElasticModel> make() const {
    ElasticModelDefinition definition;
    definition.bodies = {hand_body(HandEnergy::stable, box_source({size[0], size[1], size[2]}, 48), 1e8)};
    ElasticBodyDefinition& body = definition.bodies[0];
    body.density = density;
    body.deformation = Deformation::affine;
    for (int i = 0; i < 3; ++i) {
      body.velocity[std::size_t(i)] = velocity[i];
      body.angular_velocity[std::size_t(i)] = spin[i];
    }
    return build(definition);
  }
  double mass() const { return density * size.prod(); }
  Eigen::Vector3d moments_of_inertia() const {
    const Eigen::Vector3d squares = size.cwiseProduct(size);
    return mass() / 12 * (Eigen::Vector3d::Constant(squares.sum()) - squares);
  }
  template <int count>
  Eigen::Matrix<double, count, 1> value_of(const ElasticObservable& observable, const Eigen::VectorXd& x) const {
    Eigen::Matrix<double, count, 1> z;
    observable.value({x, model->start_velocities()}, z.data());
    return z;
  }
};

TEST(AffineObservables, CentersMomentaAndInertiaAreThoseOfTheBox) {
  const SpinningBox box;
  const Eigen::VectorXd& x = box.model->start_positions();
  const auto of = [&](const auto& observe) { return observe(*box.model, box.subject, holo_observable{}); };
  const Eigen::Vector3d inertia = box.moments_of_inertia();
  EXPECT_LT((box.value_of<3>(*of(observe_center_of_mass), x) - box.size / 2).norm(), 1e-15);
  EXPECT_LT((box.value_of<3>(*of(observe_momentum), x) - box.mass() * box.velocity).norm(), 1e-13);
  EXPECT_LT((box.value_of<3>(*of(observe_angular_momentum), x) - inertia.cwiseProduct(box.spin)).norm(), 1e-14);
  Eigen::Matrix<double, 6, 1> tensor;
  tensor << inertia, Eigen::Vector3d::Zero();
  EXPECT_LT((box.value_of<6>(*of(observe_inertia_tensor), x) - tensor).norm(), 1e-14);
}

// A corner of the box lies outside of the body's one tetrahedron.
TEST(AffineObservables, ACornerOfTheMeshFollowsTheMapOfTheBody) {
  const SpinningBox box;
  Eigen::Matrix3d map;
  map << 1.2, 0.3, -0.1, 0.2, 0.9, 0.4, -0.3, 0.1, 1.1;
  Eigen::VectorXd x = box.model->start_positions();
  for (int v = 0; v < 4; ++v) x.segment<3>(3 * v) = map * Eigen::Vector3d(x.segment<3>(3 * v));
  holo_observable corner{};
  corner.kind = HOLO_OBSERVABLE_POINT;
  for (int i = 0; i < 3; ++i) corner.point[i] = box.size[i];
  const auto observable = observe_point(*box.model, box.subject, corner);
  EXPECT_LT((box.value_of<3>(*observable, x) - map * box.size).norm(), 1e-15 * 4);
}

}  // namespace
}  // namespace holo::test
