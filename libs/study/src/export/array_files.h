#pragma once
// Frames of a run as NumPy arrays.

#include "export/export_folder.h"
#include "export/run_frames.h"

namespace holo {

// steps.npy, positions.npy and poses.npy; the last two where the run has such bodies.
void write_npy(const RunFrames& frames, ExportFolder& folder);
// run.npz: the frames, and the names and meshes of the bodies.
void write_npz(const RunFrames& frames, ExportFolder& folder);

}  // namespace holo
