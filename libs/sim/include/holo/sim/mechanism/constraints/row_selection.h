#pragma once
// Which rows of a mechanism's constraints the others imply. A loop repeats what others say already, and surplus actuators
// fight; the rows that are kept must determine the states, at every pose of a motion.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/mechanism/constraints/mechanism_rows.h"

namespace holo {

struct RowSelectionOptions {
  enum class Method {
    pivoted,  // drops the row that the null vectors of all poses weigh most: what stays is best conditioned
    paper     // [Maloisel2023] Eq 14 at the first pose; depends on the basis of the null space
  } method = Method::pivoted;
  double rank_tolerance = 1e-8;  // singular values below this part of the largest are 0
  double gap = 1e4;              // between the last that counts and the first that does not
  // Rows of these controls are dropped first, in this order, where there is a choice. Names as in the layout.
  std::vector<std::string> drop_first = {};
};

struct DroppedRow {
  int row;
  std::string name;
  std::string reason;
};

// Of one pose.
struct PoseRank {
  int passive_rank = 0;
  double smallest_kept = 0;  // singular value of the kept rows, each scaled to length 1, against the states
  double smallest_all = 0;   // the same of all rows
};

struct RowSelectionResult {
  RowSelection selection;           // dropped rows; controls that became dependent are the caller's choice
  std::vector<DroppedRow> dropped;  // passive ones first
  int passive_rows = 0, passive_rank = 0;
  int mobility = 0;  // degrees of freedom of the passive mechanism
  int passive_dropped = 0, active_dropped = 0;
  std::vector<int> singular_poses;  // left out: their passive rows have a lower rank than the others'
  std::vector<PoseRank> poses;
  std::vector<std::string> near_singular;  // poses at which the rank is doubtful, in words
};

// Of the layout's rows (which must not leave any out) at the given poses, which satisfy them: [state_count][pose] and so on.
// Throws Error(input): for underactuation, with the degrees of freedom left and the bodies that move most; where actuators
// fight in a way that no row of theirs explains.
RowSelectionResult select_rows(const MechanismRows& rows, const MechanismInstants& poses,
                               const RowSelectionOptions& options = {});

// The smallest singular value of the rows against the states, each row scaled to length 1, at every pose; kept rows of the
// layout, or all. Accurate to 1e-9 of itself; values below 1e-8 are not told apart.
Eigen::VectorXd smallest_singular_values(const MechanismRows& rows, const MechanismInstants& poses, bool kept_only);

// The layout with no row left out, and the same states.
std::shared_ptr<const MechanismLayout> with_all_rows(const MechanismLayout& layout);

}  // namespace holo
