#pragma once
// Checks of a mechanism's couplings, and the couplings that remain when joints are frozen or removed.

#include <vector>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

// Throws Error(input) with the names of the joints, for the faults that MechanismModel states.
void check_couplings(const std::vector<MechanismCoupling>& couplings, const std::vector<MechanismJoint>& joints);

// The couplings of joints that are not frozen. Throws Error(input) if only one of two coupled joints is frozen.
std::vector<MechanismCoupling> couplings_without(const std::vector<MechanismCoupling>& couplings,
                                                 const std::vector<MechanismJoint>& joints, const std::vector<int>& frozen);

// The couplings of joints that remain, with the joints' new numbers; `numbers` is -1 for a removed joint. If only one of two
// coupled joints remains, its motion must be prescribed; else throws Error(input).
std::vector<MechanismCoupling> renumbered_couplings(const std::vector<MechanismCoupling>& couplings,
                                                    const std::vector<MechanismJoint>& joints, const std::vector<int>& numbers);

}  // namespace holo
