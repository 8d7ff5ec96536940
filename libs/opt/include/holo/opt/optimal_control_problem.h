#pragma once
// Interface of discrete-time optimal control problems for the solvers of holo/opt/staged. The unknowns are parameters p, which
// are constant in time, and at each of N stages controls u_k, their rates v_k (not at the last stage) and states s_k, which the
// constraints determine.
//
//   minimize    sum_k f_k(p, u_k, v_k, s_k) + sum_k sum_j r_kj((s_{k+1,j} - s_{k,j}) / h)
//   subject to  C_k(p, u_k, s_k) = 0                 as many equations as states, dC_k/ds regular
//               (u_{k+1} - u_k) / h = v_k
//               |q|^2 = 1                            for each quaternion q among p and each u_k
//               P(p) = 0                             further constraints of the parameters
//               lower <= p <= upper                  of none, some or all of the parameters, at every iterate
//
// The functions r are of the rates of a few states j, the rated states; only they couple the states of neighboring stages. All
// numbers are in units that the problem chooses, so that entries of one block compare with each other. [Maloisel2023] Eq 2.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "holo/core/abi/compatibility.h"

namespace holo {

// A sparsity pattern: compressed columns with sorted rows; all entries, also of symmetric matrices.
using StagePattern = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

// Derivatives are computed for a block of consecutive stages at once, one stage in each lane: block b has the stages
// b * stage_lanes, ..., (b + 1) * stage_lanes - 1.
inline constexpr int stage_lanes = int(HOLO_LANE_WIDTH);
using StageLanes = Eigen::Matrix<double, Eigen::Dynamic, stage_lanes, Eigen::RowMajor>;  // [entry][lane]

// Sizes and patterns; the same at every stage, and constant while a problem is solved.
struct StagedLayout {
  int stage_count = 0;                     // N >= 2
  double time_step = 0;                    // h [s]
  int parameter_count = 0;                 // p
  int control_count = 0;                   // u, v; at least one
  int state_count = 0;                     // s, and equations C; at least one
  std::vector<int> parameter_quaternions;  // first index in p of each quaternion (w, x, y, z), ascending
  std::vector<int> control_quaternions;    // first index in u of each quaternion, ascending
  int parameter_constraint_count = 0;      // size of P, without the quaternions' constraints
  // Bounds of p [parameter_count], infinite where there is none and for numbers of quaternions; empty: no bounds at all.
  Eigen::VectorXd parameter_lower, parameter_upper;
  std::vector<int> rated_states;  // states whose rates the objective contains, ascending

  // Patterns of dC/ds, dC/dp and dC/du; their values are not used.
  StagePattern states_jacobian, parameters_jacobian, controls_jacobian;
  // Pattern of the Lagrangian's Hessian at a stage: upper triangle, unknowns in the order (p, u, v, s).
  StagePattern hessian;

  int stage_size() const { return parameter_count + 2 * control_count + state_count; }
  int block_count() const { return (stage_count + stage_lanes - 1) / stage_lanes; }
  bool has_bounds() const { return parameter_lower.size() > 0; }
};

// A trajectory: p [parameter_count], u [control_count][stage_count], v [control_count][stage_count - 1], s
// [state_count][stage_count].
struct StagedPoint {
  Eigen::VectorXd parameters;
  Eigen::MatrixXd controls, rates, states;
};

// Rates (s_{k+1,j} - s_{k,j}) / h of the layout's rated states: [rated state][stage_count - 1].
void find_state_rates(const StagedLayout& layout, const Eigen::MatrixXd& states, Eigen::MatrixXd& rates);

// Multipliers lambda of L = objective + lambda . constraint, with the constraints as written above. `states` of C:
// [state_count][stage_count]; `rates` of the rates: [control_count][stage_count - 1]; `parameters_equal` of the equality of p
// at neighboring stages: [parameter_count][stage_count - 1].
struct StagedMultipliers {
  Eigen::MatrixXd states, rates, parameters_equal;
  Eigen::VectorXd parameter_constraints;  // of the quaternions among p, then of P
  Eigen::MatrixXd control_quaternions;    // [quaternion][stage]
  // Multipliers of the bounds on p, [parameter_count], empty without bounds: L = ... + parameter_bounds . p. Not negative at an
  // upper bound, not positive at a lower one, 0 at neither.
  Eigen::VectorXd parameter_bounds = {};
};

// Derivatives of a block of stages: values of the layout's patterns, [entry][lane]. Entries of v at the last stage, and lanes
// past the last stage, are not read.
struct StageDerivatives {
  Eigen::Matrix<double, 1, stage_lanes> objective;
  StageLanes gradient;  // of the objective in (p, u, v, s): [stage_size()][lane]
  StageLanes residual;  // C: [state_count][lane]
  StageLanes states_jacobian, parameters_jacobian, controls_jacobian, hessian;
};

class OptimalControlProblem {
 public:
  virtual ~OptimalControlProblem() = default;
  virtual const StagedLayout& layout() const = 0;

  // Evaluates the stages [first, last) of a point: f_k to objective[k - first], C_k to residual.col(k - first). Outside the
  // domain the objective is +infinity, never NaN. Called from several threads for disjoint stages, and may read only these.
  virtual void evaluate(const StagedPoint& point, int first, int last, double* objective,
                        Eigen::Ref<Eigen::MatrixXd> residual) const = 0;
  // Computes all derivatives of a block of stages. The Hessian is that of f_k + lambda_k . C_k, with lambda =
  // `state_multipliers` [state_count][stage_count], or with `gauss_newton` a positive semidefinite approximation without the
  // curvature of C. The matrices of `to` already have their sizes. Called from several threads.
  virtual void differentiate(const StagedPoint& point, const Eigen::MatrixXd& state_multipliers, bool gauss_newton, int block,
                             StageDerivatives& to) const = 0;
  // The sum of all r_kj at the rates [rated state][stage_count - 1]; +infinity outside the domain.
  virtual double evaluate_state_rates(const Eigen::MatrixXd& rates) const;
  // The derivatives r' and r'' at each rate, in arrays of the same size.
  virtual void differentiate_state_rates(const Eigen::MatrixXd& rates, Eigen::MatrixXd& slopes,
                                         Eigen::MatrixXd& curvatures) const;
  // P and its Jacobian [parameter_constraint_count][parameter_count]. The Hessian omits their second derivatives.
  virtual void parameter_constraints(const Eigen::VectorXd& parameters, Eigen::Ref<Eigen::VectorXd> residual,
                                     Eigen::Ref<Eigen::MatrixXd> jacobian) const;

  // Called at each iteration's point before its derivatives: prepares everything that is constant during an iteration, such as
  // a linear model in P.
  virtual void linearize(const StagedPoint& point);

  // Whether a trial point may be accepted: false if a state has changed to another branch of its constraints.
  virtual bool is_on_branch(const StagedPoint& point) const;
  // The longest step t in (0, 1] after which each barrier's argument is at least a hundredth of its present value.
  virtual double feasible_step(const StagedPoint& point, const StagedPoint& direction) const;
  // Moves the center of the regularizer of p to the point, which changes the objective; false if there is no such regularizer.
  virtual bool recenter(const StagedPoint& point);
  // The largest absolute residual of the redundant constraints, which the problem omits; 0 if there are none.
  virtual double largest_redundant_residual(const StagedPoint& point) const;
  // The name of an equation of C in messages: "knee_left, equation 3 at knot 40".
  virtual std::string constraint_name(int row, int stage) const;
};

}  // namespace holo
