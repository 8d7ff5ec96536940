#pragma once
// Solvers of the quadratic model: one interface to several exact methods for the step to its minimizer.

#include <memory>
#include <string>

#include "holo/opt/staged/staged_quadratic.h"

namespace holo {

enum class StagedStepKind {
  arrow,          // eliminates the states stage by stage, then a recursion over time with a bordered block for p: the default
  dense_riccati,  // the dense Riccati recursion of [Maloisel2023] Table 8, corrected: a reference
  sparse_lu,      // Eigen's SparseLU with COLAMD of all conditions at once, with p at each stage
  umfpack,        // the same conditions by UMFPACK with its defaults
  umfpack_metis   // the same by UMFPACK with its unsymmetric strategy and METIS
};
std::string to_string(StagedStepKind kind);
// Whether this build has the solver.
bool is_available(StagedStepKind kind);

// Factorization of dC/ds: several stages in lanes with common pivots, or each stage by KLU.
enum class StateFactorization { lanes, klu };
std::string to_string(StateFactorization factorization);

struct StagedStepOutcome {
  enum class Status {
    solved,
    singular,    // dC/ds at the stage, or all conditions together (stage -1)
    not_convex,  // no unique minimizer; first seen at the stage (0: also in p). The references do not see it
    infeasible   // the bounds of p contradict its constraints
  } status = Status::solved;
  int stage = -1;
  bool solved() const { return status == Status::solved; }
};

// Times of the last `prepare` and `solve` [s]. Sparse references have only `factor` and `recovery`, in this thread's processor
// time.
struct StagedStepTimes {
  double factor = 0, condense = 0, recursion = 0, recovery = 0;  // recovery: states and multipliers
};

// Scales of the model's curvature in p, u and v per stage, to which shifts are relative. Positive, and equal within a
// quaternion.
struct StagedScales {
  Eigen::VectorXd parameters, controls, rates;
};

class StateFactors;
class StageRecovery;

class StagedStep {
 public:
  virtual ~StagedStep() = default;
  // Factors of dC/ds from the last `prepare`.
  virtual StateFactors& factors() = 0;
  virtual StageRecovery& recovery() = 0;
  // Factors dC/ds of a model. Call once for a model's derivatives; shifts may change afterwards.
  virtual StagedStepOutcome prepare(const StagedQuadratic& quadratic) = 0;
  // Computes the step to the minimizer; requires `prepare`.
  virtual StagedStepOutcome solve(const StagedQuadratic& quadratic, StagedDirection& direction) = 0;
  // The step of the same model with other values of the constraints, after a `solve`.
  virtual StagedStepOutcome correct(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                                    StagedPoint& step) = 0;
  // Computes the multipliers of a given step, and the other numbers of `direction`.
  virtual void find_multipliers(const StagedQuadratic& quadratic, StagedDirection& direction) = 0;
  // Scales of the prepared model; all 1 for the references, which do not detect a lack of convexity.
  virtual void find_scales(StagedScales& scales) const = 0;
  const StagedStepTimes& times() const { return times_; }

 protected:
  StagedStepTimes times_;
};

// Throws Error(input) for a kind that this build lacks, or that lacks rates of states or bounds that the layout has,
// Error(internal) for a layout whose sizes do not fit each other.
std::unique_ptr<StagedStep> make_staged_step(StagedStepKind kind, const StagedLayout& layout,
                                             StateFactorization factorization = StateFactorization::lanes);

// Throws Error(internal) with the first size, pattern or index that is not consistent.
void require_valid(const StagedLayout& layout);
void require_valid(const StagedLayout& layout, const StagedPoint& point);

}  // namespace holo
