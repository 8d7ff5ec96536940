#pragma once
// Frames of a run as mesh files.

#include "export/export_folder.h"
#include "export/run_frames.h"

namespace holo {

// frame_N.vtu of each frame, and frames.pvd with their times, for ParaView.
void write_vtu(const RunFrames& frames, ExportFolder& folder);
// frame_N.obj of each frame: the surface of each body that has one as an object.
void write_obj(const RunFrames& frames, ExportFolder& folder);
// frame_N.msh of each frame, gmsh's format 4.1: the tetrahedra of each deformable body, of order 1 or 2, as a physical volume.
void write_msh(const RunFrames& frames, ExportFolder& folder);

}  // namespace holo
