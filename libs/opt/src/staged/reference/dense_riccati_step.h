#pragma once
// The dense Riccati recursion of [Maloisel2023] Table 8 over (1, dp, du), with corrections: the affine terms of Eq 10, the sign
// and leading 1 of Eq 11, transposes and the inverse in Algorithm 4. A slow and simple reference.

#include "staged/problem/unit_quaternions.h"
#include "staged/reference/reference_steps.h"

namespace holo {

class DenseRiccatiStep : public ReferenceStep {
 public:
  DenseRiccatiStep(const StagedLayout& layout, StateFactorization factorization);

 protected:
  // A stage's dense derivatives.
  struct Stage {
    Eigen::MatrixXd hessian, by_states, by_parameters, by_controls;  // full; C_s, C_p, C_u
    Eigen::VectorXd gradient;
    Eigen::VectorXd c;
    Eigen::MatrixXd p, u;  // ds = c + p dp + u du
    // dv = y + x du + z dw, du' = du + h dv + offset
    Eigen::VectorXd y, offset;
    Eigen::MatrixXd x, z;
    Eigen::MatrixXd q, s, r;  // Q~, S~, R of Table 8
    Eigen::MatrixXd gain;     // dw = -gain (1, dp, du)
  };

  StagedStepOutcome find(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                         StagedDirection& direction) override;

  // The places where the paper errs: the affine part of du' (Eq 10), the minimizer at the start (Eq 11), the multipliers of C
  // from the states' part of H d + g (Algorithm 4).
  virtual Eigen::VectorXd affine_control(const Stage& stage) const;
  virtual Eigen::VectorXd start_minimizer(const Eigen::MatrixXd& quadratic, const Eigen::VectorXd& linear) const;
  virtual Eigen::VectorXd state_multipliers(const Stage& stage, const Eigen::VectorXd& gradient) const;

 private:
  void read_stage(const StagedQuadratic& quadratic, int k, Stage& stage) const;
  void eliminate_states(const StagedConstraints& constraints, int k, Stage& stage) const;
  void eliminate_rates(const StagedQuadratic& quadratic, const StagedConstraints& constraints, int k, Stage& stage) const;
  void reduce(int k, Stage& stage) const;
  void find_all_multipliers(const StagedQuadratic& quadratic, const std::vector<Stage>& stages,
                            StagedDirection& direction) const;
  void find_start(const StagedQuadratic& quadratic, const StagedConstraints& constraints, const Eigen::MatrixXd& value,
                  StagedPoint& step) const;
};

}  // namespace holo
