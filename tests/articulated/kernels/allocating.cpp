// A kernel that allocates, which the check must find.
#include <vector>

#include "holo/sim/articulated/dynamics/character_kinematics.h"

namespace holo::articulated {

void kinematics_with_own_memory(const CharacterData& model, const CharacterState<double>& state,
                                const CharacterKinematics<double>& out) {
  std::vector<RigidFrame<double>> frames(static_cast<std::size_t>(model.dof_count));
  character_kinematics(model, state, {frames.data(), out.twists});
  for (int j = 0; j < model.dof_count; ++j) out.frames[j] = frames[static_cast<std::size_t>(j)];
}

}  // namespace holo::articulated
