#pragma once
// One kind of observable of elastic bodies: numbers z of positions, velocities and activations at one time step, with
// derivatives that are applied.
//
// A new kind takes one file in sim/src/elastic/observables/ with the function observe_NAME, and one row in the table below.
// Each row is tested against differences without further work (tests/sim/elastic_observables_test.cpp).

#include <Eigen/Core>
#include <memory>
#include <string>

#include "holo/core/abi/loss.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

// ROW(KIND, name): of HOLO_OBSERVABLES (core/abi/observables.h), those that elastic bodies have.
#define HOLO_ELASTIC_OBSERVABLES(ROW)     \
  ROW(POINT, point)                       \
  ROW(CENTER_OF_MASS, center_of_mass)     \
  ROW(MOMENTUM, momentum)                 \
  ROW(ANGULAR_MOMENTUM, angular_momentum) \
  ROW(ELASTIC_ENERGY, elastic_energy)     \
  ROW(ACTIVATION, activation)             \
  ROW(INERTIA_TENSOR, inertia_tensor)     \
  ROW(VECTOR_AREA, vector_area)           \
  ROW(SHAPE_DEVIATION, shape_deviation)   \
  ROW(SHAPE_COVARIANCE, shape_covariance)

// The subject of an observable: a body, a named subset of its vertices, or a segment of one of its muscles.
struct ElasticSubject {
  std::string name;  // "arm", "arm.tip", "arm.biceps.1"
  const ElasticBody* body = nullptr;
  const ElasticSubset* subset = nullptr;  // null: the complete body
  Eigen::Index activation = -1;           // of a segment: its number among all activations

  // Ascending, in the model's numbering.
  std::vector<int> vertices() const;
};

// Positions and velocities of all vertices and activations of all segments at one time step, or directions of them:
// [3 * vertex] [m], [m/s], [segment] [Pa].
struct ElasticPhase {
  Eigen::Ref<const Eigen::VectorXd> positions, velocities;
  Eigen::Map<const Eigen::VectorXd> activations = {nullptr, 0};  // empty: not known
};
struct ElasticPhaseSum {
  Eigen::Ref<Eigen::VectorXd> positions, velocities;
  Eigen::Map<Eigen::VectorXd> activations = {nullptr, 0};
};

class ElasticObservable {
 public:
  virtual ~ElasticObservable() = default;
  virtual void value(const ElasticPhase& at, double* z) const = 0;
  // dz = z' d
  virtual void push_forward(const ElasticPhase& at, const ElasticPhase& direction, double* dz) const = 0;
  // result += z'^T gz
  virtual void pull_back(const ElasticPhase& at, const double* gz, ElasticPhaseSum& result) const = 0;
  // result += sum_i gz_i z_i'' d. Does nothing for observables that are linear, and for these alone.
  virtual void second_order(const ElasticPhase& at, const double* gz, const ElasticPhase& direction,
                            ElasticPhaseSum& result) const = 0;
};

// Each throws std::invalid_argument with a reason if the subject has no such observable; the caller adds the name of the loss.
#define HOLO_ROW(KIND, name)                                                                                        \
  std::unique_ptr<const ElasticObservable> observe_##name(const ElasticModel& model, const ElasticSubject& subject, \
                                                          const holo_observable& wanted);
HOLO_ELASTIC_OBSERVABLES(HOLO_ROW)
#undef HOLO_ROW

}  // namespace holo
