#pragma once
// A checkpoint as bytes: magic, version, sizes and a checksum, then the payload compressed by zstd.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "holo/core/runs/run_folder.h"

namespace holo {

// The state of a growing file at the time of the checkpoint.
struct GrownPart {
  std::string name;
  std::uint64_t size = 0;      // bytes
  std::uint32_t checksum = 0;  // of these
};

struct CheckpointContent {
  Checkpoint checkpoint;
  std::vector<GrownPart> growing;
};

std::string encode_checkpoint(const Checkpoint& checkpoint, const std::vector<GrownPart>& growing);

// Throws Error(input) with the reason (no path): truncated, damaged, of another version.
CheckpointContent decode_checkpoint(std::string_view bytes);

}  // namespace holo
