#pragma once
// The activations of one time step of a controlled motion: warm start by gradient descent, minimization, and repetitions with
// the normal forces of the step's end [Shen2024] Section 5.
//
//   FrameControl control(step, options);                        // of an InverseStep
//   const FrameResult frame = control.solve(state, activations);
//   if (frame.status != FrameStatus::failed) { state = frame.end; activations = frame.activations; }

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "holo/sim/control/inverse_step.h"

namespace holo {

struct FrameControlOptions {
  DenseOptions minimization = {};
  DenseBounds bounds = {};      // of the unknowns u = a/unit
  int warm_start = 3;           // iterations of gradient descent before the first minimization
  int lag_passes = 3;           // minimizations, each with the normal forces of the one before; at least 1
  double lag_tolerance = 5e-3;  // change of lagged forces, over the sum of normal forces, that needs no further pass
  // Why positions [3 * vertex] [m] may not end a frame, such as intersections; empty where they may. Frames in which an element
  // is inverted are refused without it.
  std::function<std::string(const Eigen::VectorXd&)> objection = {};
};

enum class FrameStatus {
  solved,
  fallback,  // no activations were found, or the frame with them was refused: those of the frame before are kept
  failed     // not even these give a frame, in no number of substeps
};
std::string to_string(FrameStatus status);

// One iteration of a minimization.
struct FrameIteration {
  int pass = 0;  // from 0
  bool is_warm_start = false;
  DenseIteration iteration;
};

struct FrameResult {
  FrameStatus status = FrameStatus::solved;
  ElasticState end;             // the state at the frame's end; none if it failed
  Eigen::VectorXd activations;  // of the frame [activation] [Pa]
  int substeps = 1;             // more: a fallback that took shorter steps
  std::string diagnosis;        // of a fallback, of a failure, and of a minimization that did not converge; else empty
  std::vector<FrameIteration> iterations;
  int passes = 0;
  int minimizer_iterations = 0;   // of all passes, without the warm start
  bool converged = true;          // each pass; false for a fallback
  double start_value = 0;         // the loss at the activations of the frame before
  double value = 0;               // at the result of the last minimization
  double lag_change = 0;          // in the last pass, over the sum of normal forces
  Eigen::VectorXd lag_positions;  // of which the step's lag was taken [3 * vertex]; empty: of the start
};

class FrameControl {
 public:
  // The step lives longer.
  FrameControl(InverseStep& step, const FrameControlOptions& options) : step_(step), options_(options) {}

  // The frame that starts at a state, of which the one before had these activations [activation] [Pa]. Unless it failed or
  // took substeps, the step has its x() and activations(). The result depends on nothing but the arguments and the loss.
  FrameResult solve(const ElasticState& state, const Eigen::VectorXd& activations);

 private:
  bool begin(const ElasticState& state, const Eigen::VectorXd& activations, Eigen::VectorXd& u);
  bool minimize_passes(Eigen::VectorXd& u, FrameResult& result);
  bool minimize_once(int pass, bool is_warm_start, Eigen::VectorXd& u, FrameResult& result);
  bool settle_lag(const Eigen::VectorXd& u, FrameResult& result, bool& is_settled);
  void fall_back(const ElasticState& state, const Eigen::VectorXd& activations, FrameResult& result);
  bool keep_activations(const ElasticState& state, const Eigen::VectorXd& activations, FrameResult& result);
  bool take_substeps(const ElasticState& state, const Eigen::VectorXd& activations, int count, FrameResult& result);
  std::string objection_to(const Eigen::VectorXd& positions) const;
  bool accept_end(const ElasticState& state, FrameResult& result);

  InverseStep& step_;
  FrameControlOptions options_;
  DenseWorkspace workspace_;
};

}  // namespace holo
