// frames.bin of a run.
#include "fuzz/targets/small_run.h"

namespace holo::fuzz {

namespace {

void read_frames(std::string_view bytes) {
  const FramesFile file(put("frames.bin", bytes));
  for (std::size_t i = 0; i < file.size(); ++i)
    attempt([&] {
      file.head(i);
      const SceneFrame frame = file.read(i);
      if (const std::string misfit = misfit_of(file.scene(), frame); !misfit.empty())
        report_finding("a frame is read that does not fit its scene: " + misfit);
      places_of(file.scene(), frame);
    });
}

std::vector<std::string> files_of_frames() {
  const Scene scene = small_scene();
  return {frames_file_header(scene) + frame_record(scene, small_frame(0)) + frame_record(scene, small_frame(1)),
          frames_file_header(scene)};
}

}  // namespace

const Registration frames(Target{
    .name = "frames", .read = read_frames, .seeds = files_of_frames, .places = {scratch().string()}});

}  // namespace holo::fuzz
