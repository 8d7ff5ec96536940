#pragma once
// Compares the files of a run with the sizes and checksums in its checkpoint.

#include <filesystem>
#include <string>
#include <vector>

#include "runs/checkpoint_file.h"
#include "runs/run_journal.h"

namespace holo {

// The entries of the run's journal.
struct Journal {
  std::vector<JournalEntry> known;  // before the checkpoint
  std::vector<JournalEntry> later;  // files begun after it
};

// Throws Error(input) if the journal's file is missing or invalid.
Journal journal_of(const std::filesystem::path& folder, const CheckpointContent& content);

// The newest usable one of the two checkpoints. `note` receives the reason for which the newest is not usable, else "". Throws
// Error(input) if neither is usable.
CheckpointContent usable_checkpoint(const std::filesystem::path& folder, std::string* note);

}  // namespace holo
