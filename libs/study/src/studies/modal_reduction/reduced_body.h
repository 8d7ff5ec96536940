#pragma once
// The reduction of one body: its modes and derivatives, what they are worth, and the bases that are made of them.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/core/runs/archive.h"
#include "holo/sim/dynamics/elastic_scene.h"
#include "holo/sim/reduction/cubature.h"
#include "holo/sim/reduction/linear_modes.h"
#include "holo/sim/reduction/modal_derivatives.h"
#include "holo/sim/reduction/modal_manifold.h"
#include "studies/modal_reduction/reduction_plan.h"

namespace holo {

// Numbers of a reduction, for tables and metrics.
struct ReductionNumbers {
  ManifoldQuotients quotients;
  double lowest_frequency = 0, highest_frequency = 0;  // of the modes [Hz]
  double remainder = 0;                                // what the basis leaves out of the squared size of its candidates
  double training_error = 0, test_error = 0;           // of the cubature; the latter at other samples
  double time = 0;                                     // [s], for log and table alone
  std::int64_t factorizations = 0, solves = 0;
  std::int64_t elements = 0;  // that the reduced energy evaluates
  bool quotients_hold() const { return quotients.largest_deviation() <= 0.15; }

  void visit(Archive& archive);
};

// The system of a scene's one body: held by its handles, or free without any. Throws Error(input) as ModalSystem does.
ModalSystem modal_system_of(const ElasticScene& scene);
// Throws Error(input) at its place where a body of so many vertices, of which `held` are prescribed, has fewer degrees of
// freedom than modes, or columns of a basis.
void require_degrees_of_freedom(const ReductionOptions& options, const ElasticScene& scene);

struct ModesAndDerivatives {
  LinearModes modes;
  ModalDerivatives derivatives;  // of second order
};
// With one factorization, which the numbers count; and the certificate of the derivatives.
ModesAndDerivatives find_modes(const ModalSystem& system, const ReductionOptions& options, ReductionNumbers& numbers);
// The basis of the modes and the derivatives up to an order.
Eigen::MatrixXd basis_of(const ModalSystem& system, const ModesAndDerivatives& from, const ReductionOptions& options, int order,
                         ReductionNumbers& numbers);

// A cubature for amplitudes of the basis, with its errors at the samples of its training and at others.
Cubature trained_cubature(const std::shared_ptr<const ElasticModel>& model, const ModalSystem& system,
                          const ModesAndDerivatives& from, const Eigen::MatrixXd& basis, const FallingPlan& plan,
                          ReductionNumbers& numbers);

// Metrics and columns of a table that both responses have.
std::string material_name(const ElasticScene& scene);

}  // namespace holo
