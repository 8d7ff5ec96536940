#pragma once
// An energy density of the deformation gradient F that acts on elements besides their material's: fibers of muscles, damping.
// The elastic term (elastic_term.h) adds its values in F to the material's, so that one projection to positive semidefinite
// matrices and one sum over elements serve all.
//
// Functions get `count` blocks of one body, from `first_block` of the model on, with F [block][9][lane] row by row, and add to
// what is there; the densities are per rest volume. They run on several threads at once.

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

#include "holo/sim/dynamics/step_context.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

struct ElementBlocks {
  const ElasticBody& body;
  std::size_t first_block = 0, count = 0;
  const double* F = nullptr;
};

// Directions, one in each column, of everything that an energy of one block of elements depends on. Matrices without rows stand
// for directions that are zero.
struct ElementDirections {
  using Columns = Eigen::Ref<const Eigen::MatrixXd>;
  Eigen::Index count = 0;           // columns
  const double* deformation;        // dF [column][9][lane]
  const double* start_deformation;  // dF_n of the positions at the start of the step, in the same layout; null: zero
  Columns parameters;               // [parameter_count()][column]
  Columns lag;                      // [lag_count()][column]
};

// A direction of the coefficients of the materials, [body]: [coefficient], or null where it is zero.
using CoefficientDirections = std::vector<const double*>;

class ElementEnergy {
 public:
  virtual ~ElementEnergy() = default;
  // The name on a body, for messages: "damping proportional to the stiffness of 'body'".
  virtual std::string name(const ElasticBody& body) const = 0;
  virtual bool acts_on(const ElasticBody& body) const = 0;
  // Whether its Hessian in F is positive semidefinite everywhere: it is then added after the projection of the others.
  virtual bool is_convex() const = 0;
  virtual void begin_step(const StepContext&) {}
  // `model`: with the materials' coefficients as they are.
  virtual void update_lag(const ElasticModel&, const Eigen::VectorXd&) {}
  // Sum of volume times density over the blocks [J].
  virtual double energy(const ElementBlocks& blocks) const = 0;
  virtual void add_stress(const ElementBlocks& blocks, double* stress) const = 0;    // [block][9][lane] [Pa]
  virtual void add_hessian(const ElementBlocks& blocks, double* hessian) const = 0;  // [block][45][lane] [Pa]
  // The derivative of the Hessian along dF [block][9][lane]; nothing for a quadratic energy.
  virtual void add_directional_hessian(const ElementBlocks& blocks, const double* dF, double* hessian) const = 0;

  // ---- parameters (activations of muscles), what update_lag freezes, and the state at the start of the step, as in
  // potential_term.h. The defaults are those of energies without any; they throw Error(internal) for an energy that has some
  // and does not say what its derivatives are.
  virtual Eigen::Index parameter_count() const { return 0; }
  // Whether they are activations of muscles, which a control chooses.
  virtual bool has_activations() const { return false; }
  virtual Eigen::VectorXd parameters() const;
  virtual void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values);
  // The blocks, of all bodies that it acts on, whose stress depends on a parameter, ascending; null: all of them.
  virtual const std::vector<std::size_t>* parameter_blocks(Eigen::Index) const { return nullptr; }
  // Adds the derivative of the stress along a direction of the parameters [parameter_count()].
  virtual void add_parameter_stress(const ElementBlocks& blocks, const double* direction, double* stress) const;
  // Adds the derivative of the same along dF [block][9][lane].
  virtual void add_parameter_stress_change(const ElementBlocks& blocks, const double* dF, const double* direction,
                                           double* stress) const;
  virtual Eigen::Index lag_count() const { return 0; }
  // Adds the derivative of the stress along a direction of the lag [lag_count()], of any alignment.
  virtual void add_lag_stress(const ElementBlocks& blocks, const double* lag, double* stress) const;
  // The derivative of the lag along a direction of the positions [3 * vertex] and of the coefficients, at the positions of the
  // last update_lag. `lag` [lag_count()] of any alignment.
  virtual void lag_derivative(const ElasticModel& model, const double* positions, const CoefficientDirections& coefficients,
                              double* lag) const;
  // Adds V dF_y : dP/dLag : d2Lag[d_i, d_j] of one block, summed over its lanes, to result [column][column], for directions of
  // the positions of the last update_lag [3 * vertex][column] and of the coefficients [column].
  virtual void add_lag_curvature(const ElasticModel& model, const ElementBlocks& block, const double* dF_y,
                                 const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                 const std::vector<CoefficientDirections>& coefficients, Eigen::MatrixXd& result) const;
  // Whether the stress depends on the deformation gradients F_n at the start of the step; add_start_stress then adds its
  // derivative along dF_n [block][9][lane].
  virtual bool depends_on_start() const { return false; }
  virtual void add_start_stress(const ElementBlocks& blocks, const double* dF, double* stress) const;
  // With the stress P, adds V dF_y : d2P[d_i, d_j] of one block, summed over its lanes, to result [column][column]: the part
  // in which a direction of the lag or of the start takes part. The others follow from add_directional_hessian and
  // add_parameter_stress_change, since P is linear in the parameters.
  virtual void add_mixed_products(const ElementBlocks& block, const double* dF_y, const ElementDirections& directions,
                                  Eigen::MatrixXd& result) const;
};

}  // namespace holo
