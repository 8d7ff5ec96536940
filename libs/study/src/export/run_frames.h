#pragma once
// The frames of a run that an export writes, one at a time: all of them may not fit into memory.

#include <cstddef>
#include <vector>

#include "holo/study/frames_file.h"

namespace holo {

struct RunFrames {
  const FramesFile& file;
  std::vector<std::size_t> numbers;  // of the frames, ascending

  const Scene& scene() const { return file.scene(); }
};

}  // namespace holo
