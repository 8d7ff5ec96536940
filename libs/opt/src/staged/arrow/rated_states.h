#pragma once
// Rates of states in the arrow form. With ds = c + P dp + U du of a rated state at stages k and k + 1, and
// du' = du + h dv + offset, the rate's step is linear in (dp, 1), du and dv:
//   dw = parameter . (dp, 1) + control . du + rate . dv,
// so that r' dw + 1/2 r'' dw^2 goes into the stage's model after the next one's value was put in.

#include "staged/arrow/state_factors.h"

namespace holo {

class RatedStates {
 public:
  RatedStates(const StagedLayout& layout, StateFactors& factors, int parameters_size);

  bool empty() const { return layout_.rated_states.empty(); }
  int count() const { return int(layout_.rated_states.size()); }
  // Prepares a model's coefficients. Call once for its derivatives, after dC/ds is factored.
  void prepare(const StagedQuadratic& quadratic);
  // Computes the constants c from values of the constraints.
  void begin(const StagedConstraints& constraints);
  // The coefficients of one rate's step at a stage; `offset` as above.
  void find(int rated, int stage, const Eigen::VectorXd& offset);
  const Eigen::VectorXd& parameter() const { return parameter_; }
  const Eigen::VectorXd& control() const { return control_; }
  auto rate() const { return controls_.col(column_); }  // U of the next stage

 private:
  int column(int rated, int stage) const { return rated + count() * stage; }

  const StagedLayout& layout_;
  StateFactors& factors_;
  // [.][rated state + count * stage]: the row of C_s^-1, of P (with c behind it), of U.
  Eigen::MatrixXd inverse_, parameters_, controls_;
  Eigen::VectorXd parameter_, control_;
  int column_ = 0;
  std::vector<StageLanes> work_;  // [block]
};

}  // namespace holo
