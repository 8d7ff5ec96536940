#pragma once
// The journal of a run, files.txt: a line for every file, written before the file itself. Lines beyond the size that a
// checkpoint states belong to files begun after it.
//
//   growing metrics.csv
//   1a2b3c4d 1234 frames/step_0000010.vtu     CRC-32 and size of a whole file; the last line of a name counts

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holo {

struct JournalEntry {
  std::string name;  // relative to the run's folder
  bool growing = false;
  std::uint64_t size = 0;  // of a whole file
  std::uint32_t checksum = 0;
};

std::string journal_line(const JournalEntry& entry);  // without the newline

// The entries of all complete lines; an incomplete last line, which a kill may leave, is ignored. Empty if a line is invalid.
std::optional<std::vector<JournalEntry>> journal_entries(std::string_view text);

// The damage of a file of the run whose first `size` bytes had the checksum: "the file NAME is missing"; "" without damage. If
// `whole`, the file must have exactly `size` bytes.
std::string damage_of(const std::filesystem::path& folder, const std::string& name, std::uint64_t size, std::uint32_t checksum,
                      bool whole);

// Whether a file's relative path stays inside the run's folder.
bool stays_inside(const std::filesystem::path& path);

// Whether the folder contains only the files that a run writes before its first checkpoint: its lock, its journal, and the
// files that the journal lists. False for a lock alone.
bool is_run_without_checkpoint(const std::filesystem::path& folder);

}  // namespace holo
