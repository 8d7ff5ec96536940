#pragma once
// A checkpoint as bytes: magic, version, sizes and a checksum, then the payload compressed by zstd.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "holo/core/run_folder.h"

namespace holo {

struct CheckpointContent {
  Checkpoint checkpoint;
  std::vector<std::pair<std::string, std::uint64_t>> growing;  // names and sizes
};

std::string encode_checkpoint(const Checkpoint& checkpoint, const std::vector<std::pair<std::string, std::uint64_t>>& growing);

// Throws Error(input) with the reason (no path): truncated, damaged, of another version.
CheckpointContent decode_checkpoint(std::string_view bytes);

}  // namespace holo
