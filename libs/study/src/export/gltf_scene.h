#pragma once
// Frames of a run as an animated glTF scene.

#include "export/export_folder.h"
#include "export/run_frames.h"

namespace holo {

// scene.glb: y upwards, times from 0. Rigid bodies and glyphs are nodes that move; deformable bodies have a shape for each of
// at most 60 of the frames, evenly chosen, between which they are blended.
void write_gltf(const RunFrames& frames, ExportFolder& folder);

}  // namespace holo
