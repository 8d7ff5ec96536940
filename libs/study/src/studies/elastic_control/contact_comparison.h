#pragma once
// One frame of a controlled motion, as the motion finds it and by complementarity of a number of contacts (holo/comparison).

#include <vector>

#include "holo/comparison/contact_branches.h"
#include "holo/comparison/contact_gauss_seidel.h"
#include "holo/comparison/linearized_frame.h"
#include "studies/elastic_control/method_comparison.h"

namespace holo {

// What complementarity finds with one number of contacts.
struct ComplementarityFrame {
  int contacts = 0;                       // at most those that were asked for
  comparison::GaussSeidelResult forces;   // at the activations of the frame before
  comparison::BranchSearchResult search;  // from there
  double residual = 0;                    // of its result [m]
  Eigen::VectorXd end;                    // positions that its linear model predicts [3 * vertex] [m]; empty: there are none
  double penetration = 0;                 // of the lowest vertex there [m]
  double objective = 0;  // of its activations, in the nonlinear step with all contacts; infinity: there is no step
  double linearization_time = 0, forces_time = 0, search_time = 0;  // [s]

  double time() const { return linearization_time + forces_time + search_time; }
};

struct ComplementarityOptions {
  comparison::GaussSeidelOptions forces;
  comparison::BranchSearchOptions search;
};

// The objective at unknowns u in the nonlinear step, with the normal forces of the frame's end as the motion finds it; infinity
// where there is no step. The step has its loss.
double objective_at(InverseStep& step, const ComparedFrame& frame, const Eigen::VectorXd& u);

// The frame by complementarity of that number of contacts, without its objective. Throws Error(internal) for a scene with an
// objection to it.
ComplementarityFrame solve_by_complementarity(const comparison::FrameToLinearize& frame, int contacts,
                                              const ComplementarityOptions& options);

}  // namespace holo
