#pragma once
// A discrete-time optimal control problem, as the solvers of holo/opt/staged see it: parameters p that hold for all time, and
// at each of N stages controls u_k, their rates v_k (but not at the last) and states s_k that constraints tie to the rest.
//
//   minimize    sum_k f_k(p, u_k, v_k, s_k) + sum_k sum_j r_kj((s_{k+1,j} - s_{k,j}) / h)
//   subject to  C_k(p, u_k, s_k) = 0                 as many rows as states, with dC_k/ds regular
//               (u_{k+1} - u_k) / h = v_k
//               |q|^2 = 1                            for each quaternion q among p and each u_k
//               P(p) = 0                             further rows of the parameters alone
//               lower <= p <= upper                  of none, some or all of the parameters, at every iterate
//
// The r are of a few states j only, whose rates matter: they alone tie states of neighboring stages to each other.
//
// Knows nothing of robots. [Maloisel2023] Eq 2.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "holo/core/abi/compatibility.h"

namespace holo {

// Compressed columns, sorted rows, square or not, all entries.
using StagePattern = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

// Derivatives are made and used for a block of consecutive stages at once, one in each lane: block b holds the stages
// b * stage_lanes, ...
inline constexpr int stage_lanes = int(HOLO_LANE_WIDTH);
using StageLanes = Eigen::Matrix<double, Eigen::Dynamic, stage_lanes, Eigen::RowMajor>;  // [entry][lane]

// Sizes and patterns, the same at every stage. Immutable while a problem is solved.
struct StagedLayout {
  int stage_count = 0;                     // N >= 2
  double time_step = 0;                    // h [s]
  int parameter_count = 0;                 // p
  int control_count = 0;                   // u, v; at least one
  int state_count = 0;                     // s, and rows of C; at least one
  std::vector<int> parameter_quaternions;  // where among p each quaternion begins (w, x, y, z)
  std::vector<int> control_quaternions;    // where among u
  int parameter_row_count = 0;             // of P, without the quaternions' own
  // Bounds of p [parameter_count], infinite where there is none and for numbers of quaternions; empty: no bounds at all.
  Eigen::VectorXd parameter_lower, parameter_upper;
  std::vector<int> rated_states;  // those whose rates the objective contains, ascending

  // Values in these are not used. Rows of C against s, p and u.
  StagePattern states_jacobian, parameters_jacobian, controls_jacobian;
  // Of the Lagrangian, upper triangle, in the order (p, u, v, s) of the stage's own unknowns.
  StagePattern hessian;

  int stage_size() const { return parameter_count + 2 * control_count + state_count; }
  int block_count() const { return (stage_count + stage_lanes - 1) / stage_lanes; }
  bool has_bounds() const { return parameter_lower.size() > 0; }
};

// A trajectory: p [parameter_count], u and s [.][stage_count], v [.][stage_count - 1].
struct StagedPoint {
  Eigen::VectorXd parameters;
  Eigen::MatrixXd controls, rates, states;
};

// Of the layout's rated states: [rated state][stage_count - 1].
void find_state_rates(const StagedLayout& layout, const Eigen::MatrixXd& states, Eigen::MatrixXd& rates);

// Multipliers, of L = objective + lambda . constraint with the constraints as written above. Of C:
// [state_count][stage_count]; of the rates: [control_count][stage_count - 1]; of p's equality from stage to stage:
// [parameter_count][stage_count - 1].
struct StagedMultipliers {
  Eigen::MatrixXd states, rates, parameters_equal;
  Eigen::VectorXd parameter_rows;       // quaternions' first, then P
  Eigen::MatrixXd control_quaternions;  // [quaternion][stage]
  // Of p itself, [parameter_count], empty without bounds: L = ... + parameter_bounds . p. Not negative at an upper bound, not
  // positive at a lower one, 0 at neither.
  Eigen::VectorXd parameter_bounds = {};
};

// What a problem says of a block of stages: values of the layout's patterns, in their order. What it says of v at the last
// stage, and of lanes past the last stage, is not read.
struct StageDerivatives {
  Eigen::Matrix<double, 1, stage_lanes> objective;
  StageLanes gradient;  // of the objective, (p, u, v, s)
  StageLanes residual;  // C
  StageLanes states_jacobian, parameters_jacobian, controls_jacobian, hessian;
};

class OptimalControlProblem {
 public:
  virtual ~OptimalControlProblem() = default;
  virtual const StagedLayout& layout() const = 0;

  // Stages [first, last) of a point: objectives to objective[k - first], C to residual.col(k - first). What is outside the
  // domain has the objective +infinity, never NaN. Called from several threads for disjoint stages, and may read those only.
  virtual void evaluate(const StagedPoint& point, int first, int last, double* objective,
                        Eigen::Ref<Eigen::MatrixXd> residual) const = 0;
  // The derivatives too, for a block of stages; the Hessian is that of f_k + lambda_k . C_k, or where `gauss_newton` a
  // positive semidefinite stand-in without the curvature of C. `to` has its memory already. Called from several threads.
  virtual void differentiate(const StagedPoint& point, const Eigen::MatrixXd& state_multipliers, bool gauss_newton, int block,
                             StageDerivatives& to) const = 0;
  // The sum of all r, at rates [rated state][stage_count - 1]; +infinity outside the domain.
  virtual double evaluate_state_rates(const Eigen::MatrixXd& rates) const;
  // r' and r'' of each rate: to arrays of the same sizes.
  virtual void differentiate_state_rates(const Eigen::MatrixXd& rates, Eigen::MatrixXd& slopes,
                                         Eigen::MatrixXd& curvatures) const;
  // P and its Jacobian [parameter_row_count][parameter_count]. Their second derivatives are left out of the Hessian.
  virtual void parameter_rows(const Eigen::VectorXd& parameters, Eigen::Ref<Eigen::VectorXd> residual,
                              Eigen::Ref<Eigen::MatrixXd> jacobian) const;

  // Called at each iteration's point before its derivatives are asked for: what the problem holds fixed during one iteration,
  // such as a linear model among P, is made here.
  virtual void linearize(const StagedPoint& point);

  // Whether a trial point may be taken: false where a state has jumped to another branch of its constraints.
  virtual bool is_on_branch(const StagedPoint& point) const;
  // The longest step t in (0, 1] for which every barrier's argument keeps a hundredth of its distance.
  virtual double feasible_step(const StagedPoint& point, const StagedPoint& direction) const;
  // Makes the point the center of the regularizer that pulls p to a center; false where there is none. Changes the objective.
  virtual bool recenter(const StagedPoint& point);
  // The largest absolute value among constraints that the problem left out because others imply them; 0 where none was.
  virtual double dropped_residual(const StagedPoint& point) const;
  // What a row of C may be called in reports: "C row 17 (knee_left, 3rd row) at knot 40".
  virtual std::string row_name(int row, int stage) const;
};

}  // namespace holo
