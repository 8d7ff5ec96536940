#pragma once
// Solvers of the quadratic model: the step to its minimizer, exactly. One interface, several ways.

#include <memory>
#include <string>

#include "holo/opt/staged/staged_quadratic.h"

namespace holo {

enum class StagedStepKind {
  arrow,          // states eliminated stage by stage, then a recursion over time with a bordered block for p: the way to go
  dense_riccati,  // the dense Riccati recursion of [Maloisel2023] Table 8, corrected: a reference
  sparse_lu,      // Eigen's SparseLU with COLAMD of all conditions at once, p at each stage
  umfpack,        // the same by UMFPACK as it comes
  umfpack_metis   // and with its unsymmetric strategy and METIS
};
std::string to_string(StagedStepKind kind);
// Whether this build has it.
bool is_available(StagedStepKind kind);

// How dC/ds is factored, one for all stages or one by one.
enum class StateFactorization { lanes, klu };
std::string to_string(StateFactorization factorization);

struct StagedStepOutcome {
  enum class Status {
    solved,
    singular,    // dC/ds at the stage, or the conditions as a whole (stage -1)
    not_convex,  // no unique minimizer; first seen at the stage (0: also in p). The references do not see it
    infeasible   // the bounds of p contradict its rows
  } status = Status::solved;
  int stage = -1;
  bool solved() const { return status == Status::solved; }
};

// Of the last `prepare` and `solve` [s]. Sparse references: numeric factor and recovery of all, this thread's processor time.
struct StagedStepTimes {
  double factor = 0, condense = 0, recursion = 0, recovery = 0;  // recovery: states and multipliers
};

// Sizes of the model's curvature in p, u and v, per stage, for shifts that matter. Equal within a quaternion, positive.
struct StagedScales {
  Eigen::VectorXd parameters, controls, rates;
};

class StateFactors;
class StageRecovery;

class StagedStep {
 public:
  virtual ~StagedStep() = default;
  // Factors of dC/ds: those of the last `prepare`.
  virtual StateFactors& factors() = 0;
  virtual StageRecovery& recovery() = 0;
  // Once for a model's derivatives; shifts may change afterwards.
  virtual StagedStepOutcome prepare(const StagedQuadratic& quadratic) = 0;
  // The step; `multipliers` too where asked for. Needs `prepare`.
  virtual StagedStepOutcome solve(const StagedQuadratic& quadratic, StagedDirection& direction) = 0;
  // The step of the same model with other values of the constraints, after a `solve`.
  virtual StagedStepOutcome correct(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                                    StagedPoint& step) = 0;
  // Multipliers that fit a given step, and what `StagedDirection` says beside them.
  virtual void find_multipliers(const StagedQuadratic& quadratic, StagedDirection& direction) = 0;
  // Of what was prepared. Of the references, which see no lack of convexity, all 1.
  virtual void find_scales(StagedScales& scales) const = 0;
  const StagedStepTimes& times() const { return times_; }

 protected:
  StagedStepTimes times_;
};

// Throws Error(input) for a kind that this build lacks, or that lacks rates of states or bounds that the layout has,
// Error(internal) for a layout whose sizes do not fit each other.
std::unique_ptr<StagedStep> make_staged_step(StagedStepKind kind, const StagedLayout& layout,
                                             StateFactorization factorization = StateFactorization::lanes);

// Throws Error(internal): what does not fit.
void require_valid(const StagedLayout& layout);
void require_valid(const StagedLayout& layout, const StagedPoint& point);

}  // namespace holo
