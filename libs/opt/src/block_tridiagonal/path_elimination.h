#pragma once
// Block L D L^T of one scaled system in the order of a plan, without pivoting.

#include <memory>

#include "block_tridiagonal/panel_layout.h"
#include "block_tridiagonal/system_factor.h"
#include "holo/core/numerics/aligned_array.h"
#include "holo/core/numerics/workspace_pool.h"

namespace holo {

// Scratch memory that the systems of a batch share.
class PathWorkspaces {
 public:
  // For solutions of `columns` columns. As many workspaces as `systems` can use at the same time are made at once.
  PathWorkspaces(const PanelLayout& layout, int columns, int systems);

  WorkspacePool<AlignedArray>& products() { return products_; }  // of one elimination: L D of a panel
  // Of one factorization: [chain of a phase][left, right][column][row] blocks for separators.
  WorkspacePool<AlignedArray>& blocks() { return blocks_; }
  // Of one solution: [chain of a phase][left, right][column][row] vectors for separators.
  WorkspacePool<AlignedArray>& vectors() { return vectors_; }

 private:
  WorkspacePool<AlignedArray> products_, blocks_, vectors_;
};

// All use the same layout and workspaces. Factorizations and solutions allocate nothing.
std::unique_ptr<SystemFactor> make_path_elimination(std::shared_ptr<const PanelLayout> layout,
                                                    std::shared_ptr<PathWorkspaces> workspaces);

}  // namespace holo
