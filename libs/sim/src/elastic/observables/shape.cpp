// The shape of a body or a subset beside that at the start: y = x - c from the center of mass now, Y = X - C at the start.
//
//   deviation   D = sum m |y - Y|^2 / sum m
//   covariance  C = sum m y Y^T / sum m, by rows
//
// The deviation from the start's shape in another orientation R follows: sum m |y - R Y|^2 / sum m = D + 2 sum_ab (1 - R)_ab
// C_ab.

#include "elastic/observables/mass_points.h"
#include "holo/sim/elastic/observables/elastic_observable.h"

namespace holo {

namespace {

using RowMatrix3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// sum m (u - mean u) . (w - mean w) of displacements u = x - X is a quadratic form.
class ShapeDeviation final : public ElasticObservable {
 public:
  ShapeDeviation(const ElasticModel& model, MassPoints points)
      : start_(model.start_positions()), points_(std::move(points)), start_center_(points_.mean(start_)) {}

  void value(const ElasticPhase& at, double* z) const override {
    double sum = 0;
    each_displacement(at.positions, [&](double m, int, const Eigen::Vector3d& u) { sum += m * u.squaredNorm(); });
    z[0] = sum / points_.mass;
  }
  // The mean of d drops out, since the displacements' from their mean sum to 0.
  void push_forward(const ElasticPhase& at, const ElasticPhase& direction, double* dz) const override {
    double sum = 0;
    each_displacement(at.positions, [&](double m, int first, const Eigen::Vector3d& u) {
      sum += m * u.dot(direction.positions.segment<3>(first));
    });
    dz[0] = 2 * sum / points_.mass;
  }
  void pull_back(const ElasticPhase& at, const double* gz, ElasticPhaseSum& result) const override {
    each_displacement(at.positions, [&](double m, int first, const Eigen::Vector3d& u) {
      result.positions.segment<3>(first) += 2 * gz[0] * m / points_.mass * u;
    });
  }
  void second_order(const ElasticPhase&, const double* gz, const ElasticPhase& direction,
                    ElasticPhaseSum& result) const override {
    const Eigen::Vector3d mean = points_.mean(direction.positions);
    for (std::size_t i = 0; i < points_.vertices.size(); ++i) {
      const int first = 3 * points_.vertices[i];
      result.positions.segment<3>(first) +=
          2 * gz[0] * points_.masses[i] / points_.mass * (direction.positions.segment<3>(first) - mean);
    }
  }

 private:
  // visit(mass, first coordinate, displacement from the mean displacement)
  template <class Visit>
  void each_displacement(const Eigen::Ref<const Eigen::VectorXd>& x, const Visit& visit) const {
    const Eigen::Vector3d mean = points_.mean(x) - start_center_;
    for (std::size_t i = 0; i < points_.vertices.size(); ++i) {
      const int first = 3 * points_.vertices[i];
      visit(points_.masses[i], first, x.segment<3>(first) - start_.segment<3>(first) - mean);
    }
  }

  const Eigen::VectorXd& start_;
  MassPoints points_;
  Eigen::Vector3d start_center_;
};

// Linear: the center now drops out, since sum m Y = 0.
class ShapeCovariance final : public ElasticObservable {
 public:
  ShapeCovariance(const ElasticModel& model, MassPoints points) : points_(std::move(points)) {
    const Eigen::Vector3d center = points_.mean(model.start_positions());
    for (std::size_t i = 0; i < points_.vertices.size(); ++i)
      weights_.push_back(points_.masses[i] / points_.mass *
                         (model.start_positions().segment<3>(3 * points_.vertices[i]) - center));
  }

  void value(const ElasticPhase& at, double* z) const override {
    RowMatrix3d sum = RowMatrix3d::Zero();
    for (std::size_t i = 0; i < points_.vertices.size(); ++i)
      sum += at.positions.segment<3>(3 * points_.vertices[i]) * weights_[i].transpose();
    Eigen::Map<RowMatrix3d>{z} = sum;
  }
  void push_forward(const ElasticPhase&, const ElasticPhase& direction, double* dz) const override { value(direction, dz); }
  void pull_back(const ElasticPhase&, const double* gz, ElasticPhaseSum& result) const override {
    const Eigen::Map<const RowMatrix3d> G(gz);
    for (std::size_t i = 0; i < points_.vertices.size(); ++i)
      result.positions.segment<3>(3 * points_.vertices[i]) += G * weights_[i];
  }
  void second_order(const ElasticPhase&, const double*, const ElasticPhase&, ElasticPhaseSum&) const override {}

 private:
  MassPoints points_;
  std::vector<Eigen::Vector3d> weights_;  // m Y / sum m
};

}  // namespace

std::unique_ptr<const ElasticObservable> observe_shape_deviation(const ElasticModel& model, const ElasticSubject& subject,
                                                                 const holo_observable&) {
  return std::make_unique<ShapeDeviation>(model, MassPoints(model, subject.vertices()));
}

std::unique_ptr<const ElasticObservable> observe_shape_covariance(const ElasticModel& model, const ElasticSubject& subject,
                                                                  const holo_observable&) {
  return std::make_unique<ShapeCovariance>(model, MassPoints(model, subject.vertices()));
}

}  // namespace holo
