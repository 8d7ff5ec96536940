#pragma once
// Measures how far a tree's loops are open, and moves its joints until they close.

#include <vector>

#include "mechanism/files/kinematic_tree.h"

namespace holo {

struct LoopGap {
  double distance = 0;  // [m]
  double angle = 0;     // [rad], 0 where the loop leaves rotation free
};

std::vector<LoopGap> loop_gaps(const KinematicTree& tree);

// Half the diagonal of the box around all bodies and joints [m]; 1 where that is 0.
double extent(const KinematicTree& tree);

// Minimises the gaps by Levenberg's damped Gauss-Newton steps, from the tree's present motions, over the joints that are not
// held. It follows the gaps downhill to a closed pose near the start; where it stops at open loops, it starts again from
// shifted motions, always the same ones. What it cannot close the gaps show.
void close_loops(KinematicTree& tree, const std::vector<bool>& held);

}  // namespace holo
