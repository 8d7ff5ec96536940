#pragma once
// Comparison of two runs: steps, Newton iterations and positions.

#include <filesystem>
#include <string>
#include <vector>

namespace holo {

struct Comparison {
  bool same = true;
  std::vector<std::string> lines;  // one line for each comparison, with its largest difference
};

// The runs are the same if they have as many steps, the same Newton iterations at each (if both tables have that column), the
// same frames, and at each frame every vertex within `tolerance` times the bounding box' diagonal. Throws Error(input) for a
// folder that is not a run, and for two runs that cannot be compared (other meshes, no frames).
Comparison compare_runs(const std::filesystem::path& a, const std::filesystem::path& b, double tolerance = 1e-9);

}  // namespace holo
