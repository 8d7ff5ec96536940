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

#include "holo/sim/dynamics/step_context.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

struct ElementBlocks {
  const ElasticBody& body;
  std::size_t first_block = 0, count = 0;
  const double* F = nullptr;
};

class ElementEnergy {
 public:
  virtual ~ElementEnergy() = default;
  // The name on a body, for messages: "damping proportional to the stiffness of 'body'".
  virtual std::string name(const ElasticBody& body) const = 0;
  virtual bool acts_on(const ElasticBody& body) const = 0;
  // Whether its Hessian in F is positive semidefinite everywhere: it is then added after the projection of the others.
  virtual bool is_convex() const = 0;
  virtual void begin_step(const StepContext&) {}
  virtual void update_lag(const Eigen::VectorXd&) {}
  // Sum of volume times density over the blocks [J].
  virtual double energy(const ElementBlocks& blocks) const = 0;
  virtual void add_stress(const ElementBlocks& blocks, double* stress) const = 0;    // [block][9][lane] [Pa]
  virtual void add_hessian(const ElementBlocks& blocks, double* hessian) const = 0;  // [block][45][lane] [Pa]
  // The derivative of the Hessian along dF [block][9][lane]; nothing for a quadratic energy.
  virtual void add_directional_hessian(const ElementBlocks& blocks, const double* dF, double* hessian) const = 0;

  // ---- the lag, the numbers that update_lag freezes (potential_term.h). An energy with a lag must override all three; the
  // defaults of the last two throw Error(internal).
  virtual Eigen::Index lag_count() const { return 0; }
  // Adds the derivative of the stress along a direction of the lag [lag_count()].
  virtual void add_lag_stress(const ElementBlocks& blocks, const double* lag, double* stress) const;
  // The derivative of the lag along a direction [3 * vertex], at the positions of the last update_lag.
  virtual void lag_derivative(const double* direction, double* lag) const;
};

}  // namespace holo
