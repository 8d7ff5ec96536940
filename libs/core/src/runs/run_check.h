#pragma once
// Holds the files of a run against what its checkpoint knows of them.

#include <filesystem>
#include <string>
#include <vector>

#include "runs/checkpoint_file.h"
#include "runs/run_journal.h"

namespace holo {

// The run's files by their entries.
struct Journal {
  std::vector<JournalEntry> known;  // before the checkpoint
  std::vector<JournalEntry> later;  // begun after it
};

// Throws Error(input) when the journal is none.
Journal journal_of(const std::filesystem::path& folder, const CheckpointContent& content);

// The newer of the two checkpoints that can be used. `note`: why the newest was not. Throws Error(input) when none can.
CheckpointContent usable_checkpoint(const std::filesystem::path& folder, std::string* note);

}  // namespace holo
