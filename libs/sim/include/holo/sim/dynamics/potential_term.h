#pragma once
// Interface of one term of an energy E(x; a) [J] of the positions x of all vertices [3 * vertex] [m], with parameters a. A sum
// of terms is a potential (incremental_potential.h). docs/writing-an-energy-term.md shows how to write a term.
//
// A term may depend on numbers that are frozen while E is minimized, its lag: stiffness or rotations of a damping, normal
// forces of friction. `update_lag` computes them from positions and parameters; derivatives in x and a treat them as constants,
// and `add_lag_gradient` with `lag_derivative` give what that leaves out. A term may also depend on the state (x_n, v_n) at the
// start of the step; `add_start_gradient` differentiates in it. With these, a motion over many steps is differentiated exactly
// (incremental_potential.h).

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/opt/newton.h"
#include "holo/sim/dynamics/block_assembler.h"
#include "holo/sim/dynamics/step_context.h"

namespace holo {

// Directions of everything that a term depends on, one in each column. Of the last three, a matrix without rows stands for
// directions that are zero.
struct TermDirections {
  using Columns = Eigen::Ref<const Eigen::MatrixXd>;
  static const Eigen::MatrixXd& none();  // no rows

  Columns positions;                  // [3 * vertex][column] [m]
  Columns parameters;                 // [parameter_count()][column], each in its own unit
  Columns lag = none();               // [lag_count()][column]
  Columns start_positions = none();   // of x_n [3 * vertex][column] [m]
  Columns start_velocities = none();  // of v_n [3 * vertex][column] [m/s]
};

// Consecutive ones of a list of parameters.
struct ParameterRange {
  Eigen::Index first = 0, count = 0;
};

class PotentialTerm {
 public:
  // Named contributions to a diagnosis.
  struct Part {
    std::string name;
    double energy = 0;         // [J]
    Eigen::VectorXd gradient;  // [3 * vertex] [N]
  };

  virtual ~PotentialTerm() = default;
  // The name in messages: "gravity", "pressure of 'ball'".
  virtual std::string name() const = 0;

  // Called once before a step is minimized; the context lives during the call only.
  virtual void begin_step(const StepContext&) {}
  // Computes the lag from x. Called after begin_step, and again when a solver iterates over the lag.
  virtual void update_lag(const Eigen::VectorXd&) {}
  // Whether the lag stands for a value at the end of the step (normal forces of friction), so that a step may be minimized
  // again with the lag of its result; false: it is meant to be that of the start.
  virtual bool lags_its_end() const { return false; }

  virtual double energy(const Eigen::VectorXd& x) = 0;  // [J]; +infinity outside the term's domain
  virtual void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) = 0;
  // Adds d2E/dx2, or for Curvature::projected a positive semidefinite stand-in.
  virtual void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) = 0;
  // Gradient and Hessian, for terms that compute them together. The default calls both functions.
  virtual void add_derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                               BlockAssembler& assembler);
  // The longest step t in (0, 1] for which x + t direction stays inside the domain.
  virtual double feasible_step(const Eigen::VectorXd&, const Eigen::VectorXd&) { return 1; }
  // Rounding errors of the energy are of the order of 2^-53 times this, where it exceeds the energy itself [J].
  virtual double energy_scale() const { return 0; }
  // The parts of the term; by default the term itself.
  virtual std::vector<Part> parts(const Eigen::VectorXd& x);

  // ---- parameters and second order. The defaults are those of terms without parameters or lag; they throw Error(internal) for
  // a term that has some and does not say what its derivatives are.
  virtual Eigen::Index parameter_count() const { return 0; }
  virtual Eigen::VectorXd parameters() const;
  virtual void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values);
  // columns [3 * vertex][parameter] += d2E/(dx da)
  virtual void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns);
  // With the residual r = dE/dx: result [column][column] += y . d2r[d_i, d_j] for the directions d of everything.
  // Zero for an energy that is quadratic in x, the start, parameters and lag together, and only there may it do nothing.
  virtual void add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                                   Eigen::MatrixXd& result) = 0;
  virtual Eigen::Index lag_count() const { return 0; }
  // columns [3 * vertex][column] += d2E/(dx dLag) lag, with lag [lag_count()][column]
  virtual void add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                                Eigen::Ref<Eigen::MatrixXd> columns);
  // dLag/dx positions + dLag/da parameters [lag_count()][column], at the positions of the last update_lag; positions
  // [3 * vertex][column], parameters [parameter_count()][column].
  virtual Eigen::MatrixXd lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                         const Eigen::Ref<const Eigen::MatrixXd>& parameters);
  // result [column][column] += (y . d2E/(dx dLag)) . d2Lag[d_i, d_j] for directions d of the positions of the last update_lag
  // and of the parameters.
  virtual void add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                 const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                 const Eigen::Ref<const Eigen::MatrixXd>& parameters, Eigen::MatrixXd& result);
  // columns [3 * vertex][column] += d2E/(dx dx_n) positions + d2E/(dx dv_n) velocities of a step of implicit Euler. Nothing for
  // a term whose gradient does not depend on the state at the start of the step.
  virtual void add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                  const Eigen::Ref<const Eigen::MatrixXd>& velocities, Eigen::Ref<Eigen::MatrixXd> columns);
};

}  // namespace holo
