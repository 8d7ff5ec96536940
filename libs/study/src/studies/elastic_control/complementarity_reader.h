#pragma once
// Keys that studies of complementarity have in common, and the motions that they refuse.
//
//   contacts: [4, 16, 140]
//   sweeps: 10000            # of Gauss-Seidel, at most
//   branches: 1000           # quadratic programs of a frame, at most
//   tolerance: 1.0e-9        # m, of the laws of contact

#include <vector>

#include "studies/elastic_control/contact_comparison.h"
#include "studies/inner_experiment.h"

namespace holo {

ComplementarityOptions read_complementarity(Configuration& experiment);
std::vector<int> read_contact_numbers(Configuration& experiment);  // ascending, or a problem

// Whether the laws of contact are solved to the tolerance, and the search came to its end.
bool is_solved(const ComplementarityFrame& frame, const ComplementarityOptions& options);

// Why a kind of study has no frames of controlled motions; empty where it has.
std::string objection_to_motion_kind(const std::string& study);
// Throws Error(input) at the place for a motion that cannot be built, or whose contact has no linear model.
void require_linear_contact(const InnerExperiment& motion, const Location& place);

}  // namespace holo
