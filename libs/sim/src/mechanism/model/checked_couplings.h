#pragma once
// What the couplings of a mechanism must satisfy, and which of them remain as joints are frozen or removed.

#include <vector>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

// Throws Error(input), with the names of the joints: MechanismModel states for what.
void check_couplings(const std::vector<MechanismCoupling>& couplings, const std::vector<MechanismJoint>& joints);

// Those of joints that are not frozen. Throws Error(input) where only one of two coupled joints is frozen.
std::vector<MechanismCoupling> couplings_without(const std::vector<MechanismCoupling>& couplings,
                                                 const std::vector<MechanismJoint>& joints, const std::vector<int>& frozen);

// Those of joints that stay, by their new numbers, -1 for one that is removed. Where only one of two coupled joints stays, its
// motion must be prescribed; else throws Error(input).
std::vector<MechanismCoupling> renumbered_couplings(const std::vector<MechanismCoupling>& couplings,
                                                    const std::vector<MechanismJoint>& joints, const std::vector<int>& numbers);

}  // namespace holo
