#pragma once
// Cut of a mechanism at passive joints: the assembly and the subassembly that is optimized. The motions of the cut joints are
// recorded in a motion of the assembly and prescribed to the subassembly, which may omit the bodies that only drove them.

#include <Eigen/Core>
#include <memory>

#include "holo/sim/mechanism/constraints/idle_spins.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

struct MechanismCut {
  std::shared_ptr<const MechanismModel> assembly;  // without prescribed joints
  // The assembly itself without cut joints. Its joints are joints of the assembly.
  std::shared_ptr<const MechanismModel> subassembly;
  std::vector<FixedSpin> fixed_spins = {};  // idle spins that are fixed, in both models
  std::vector<std::string> notes = {};      // unused parts of the robot's file, with file:line:column
  bool is_cut() const { return assembly != subassembly; }
};

// The coordinates of the subassembly's prescribed joints in a motion of the assembly: [prescribed_count][knot] in SI units, in
// the order of `subassembly`, unwrapped in time within each task (motion_tasks.h). `states` [state_count][knot] are in the
// units of the layout `assembly`, which may have an elimination. Throws Error(input) for a joint whose plugin lacks
// coordinates_of().
Eigen::MatrixXd recorded_coordinates(const MechanismLayout& subassembly, const MechanismLayout& assembly,
                                     const Eigen::MatrixXd& states, const std::vector<int>& task_beginnings = {});

// The rows of `controls` [control of the assembly][knot] that are controls of the subassembly, in its order. Neither layout may
// have an elimination; the units are those of `controls`.
Eigen::MatrixXd controls_of_subassembly(const MechanismLayout& subassembly, const MechanismLayout& assembly,
                                        const Eigen::MatrixXd& controls);

}  // namespace holo
