#include "holo/core/plugins/plugin.h"

#include "holo/core/runs/run_folder.h"

namespace holo {

std::string content_hash_of_library(const std::filesystem::path& path) { return content_hash(read_whole_file(path)); }

}  // namespace holo
