#pragma once
// A mechanism cut at passive joints: the assembly is moved first and what the joints do is recorded; the subassembly that is
// looked at plays it back, as actuators whose motion is fixed. Bodies that only drove those joints may be left out of the
// subassembly.

#include <Eigen/Core>
#include <memory>

#include "holo/sim/mechanism/constraints/idle_spins.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

struct MechanismCut {
  std::shared_ptr<const MechanismModel> assembly;  // without prescribed joints
  std::shared_ptr<const MechanismModel>
      subassembly;                          // the same object where nothing is cut; its joints are joints of the assembly
  std::vector<FixedSpin> fixed_spins = {};  // in both
  std::vector<std::string> notes = {};      // what the robot's file says and nothing reads, with file:line:column
  bool is_cut() const { return assembly != subassembly; }
};

// The coordinates of the subassembly's prescribed joints in a motion of the assembly, unwrapped in time within each task
// (motion_tasks.h): [prescribed_count][knot], SI, as `subassembly` numbers them. `states` [.][knot] in the units
// of `assembly`, with or without an elimination. Throws Error(input) for a joint whose type cannot tell its coordinates
// from poses.
Eigen::MatrixXd recorded_coordinates(const MechanismLayout& subassembly, const MechanismLayout& assembly,
                                     const Eigen::MatrixXd& states, const std::vector<int>& task_beginnings = {});

// The subassembly's controls among those of the assembly, in the subassembly's order: [control][knot], without an elimination.
Eigen::MatrixXd controls_of_subassembly(const MechanismLayout& subassembly, const MechanismLayout& assembly,
                                        const Eigen::MatrixXd& controls);

}  // namespace holo
