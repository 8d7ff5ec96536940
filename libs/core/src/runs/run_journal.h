#pragma once
// files.txt, the journal of a run: a line for every file, written before the file itself. What stands beyond the size that a
// checkpoint names is what was begun after it.
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

// The entries of whole lines; what a kill left of a last one is passed over. Nothing when a line is none of a journal.
std::optional<std::vector<JournalEntry>> journal_entries(std::string_view text);

// What is wrong with a file of the run whose first `size` bytes had the checksum, "" when nothing is: "the file NAME is
// missing". A whole file has no more bytes than these.
std::string damage_of(const std::filesystem::path& folder, const std::string& name, std::uint64_t size, std::uint32_t checksum,
                      bool whole);

// Whether a name of a file leads nowhere outside the run's folder.
bool stays_inside(const std::filesystem::path& path);

// Whether the folder holds nothing but what a run writes before its first checkpoint: its lock, its journal, and the files that
// this names. False for an empty folder's lock alone.
bool is_run_without_checkpoint(const std::filesystem::path& folder);

}  // namespace holo
