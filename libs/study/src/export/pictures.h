#pragma once
// Pictures and movies of a run, from the report page in headless Chromium.

#include "export/export_folder.h"
#include "export/run_frames.h"

namespace holo {

// frame_N.png of each frame.
void write_png(const RunFrames& frames, ExportFolder& folder);
// motion.mp4 by ffmpeg: the frames one after the other, 5 to 60 a second; in real time within these limits, unless it lasts
// less than two seconds.
void write_mp4(const RunFrames& frames, ExportFolder& folder);

}  // namespace holo
