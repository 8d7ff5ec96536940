#pragma once
// Export of a run's results to CSV and NumPy files, for other tools and for comparing two builds of the program.

#include <filesystem>
#include <vector>

namespace holo {

// Writes into the folder `out`, which is created if it does not exist:
//   columns.csv     the run's deterministic columns, one line for each row, as metrics.csv holds them
//   steps.npy       int64 [frame], the step of each frame, where the run has frames: NumPy's format, little-endian
//   positions.npy   float64 [frame][vertex][3], in m, of the deformable bodies, where there are any
//   poses.npy       float64 [frame][body][7], of the rigid bodies: position in m, unit quaternion (w, x, y, z)
// Returns the files that it wrote. Throws Error(input) for a folder that is not a run, for an `out` that holds files already,
// and where a frame is damaged.
std::vector<std::filesystem::path> export_run(const std::filesystem::path& run, const std::filesystem::path& out);

}  // namespace holo
