#pragma once
// The folder of one run. Files appear whole or not at all (written beside, flushed, renamed); the growing ones (log.jsonl,
// metrics.csv, timings.csv, frames.bin) end with a whole line at any moment that a checkpoint names, and are cut back to it on
// resuming.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "holo/core/error.h"

namespace holo {

// Writes a whole file: to PATH.partial, flushed to disk, renamed. Throws Error(environment) with the path and the reason
// (disk full, read-only) and leaves no partial file behind.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

// Reads a whole file; throws Error(input) with the path and the reason (missing, a folder, no permission).
std::string read_whole_file(const std::filesystem::path& path);

// A file that grows by whole lines or records.
class GrowingFile {
 public:
  // Opens (creates) it and cuts it to `size` bytes. Throws Error(input) when it is shorter, Error(environment) when it cannot.
  GrowingFile(std::filesystem::path path, std::uint64_t size);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  void append_line(std::string_view line);  // without the newline; a failed write is cut off again and thrown
  void append(std::string_view bytes);      // likewise, as they are: a record of a binary file
  std::uint64_t size() const { return size_; }
  void flush_to_disk();

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::string line_;  // memory kept from line to line
};

struct Checkpoint {
  std::int64_t step = 0;
  std::string state;  // the study's own bytes
};

// Holds the run's lock while it lives: no second process can create, resume or write the same run.
class RunFolder {
 public:
  // A new run at `path`, which must not exist or be empty; created with its parents. Throws Error(input) otherwise.
  static RunFolder create(const std::filesystem::path& path);
  // An existing run, to go on with: growing files are cut to the last checkpoint's sizes, partial files and those that the
  // checkpoint does not know (frames of redone steps) are removed. Throws Error(input) when the folder is not a run, another
  // process writes it, or neither of the two last checkpoints can be used. Nothing is changed before a checkpoint is found
  // good.
  static RunFolder resume(const std::filesystem::path& path, Checkpoint& checkpoint);

  const std::filesystem::path& path() const { return path_; }
  // What resume() had to leave aside, for the log and the user: why the last checkpoint was not used. "" when all was well.
  const std::string& resume_note() const { return resume_note_; }

  // Whole or not at all; makes folders. The path stays below the run folder; names of the run folder's own files (checkpoint,
  // checkpoint.previous, files.txt, lock, *.partial) are refused.
  void write(const std::string& relative_path, std::string_view bytes);
  GrowingFile& growing(const std::string& name);  // "metrics.csv"; the same object for the same name

  // Saves the state (zstd, with a checksum) with the sizes of all growing files, flushed before; then renames it over the last
  // one, which becomes checkpoint.previous. After a kill at any moment either this or the one before it is there.
  void save_checkpoint(const Checkpoint& checkpoint);

 private:
  explicit RunFolder(std::filesystem::path path);
  GrowingFile& open_growing(const std::string& name, std::uint64_t size);
  void announce(const std::string& relative_path);

  std::filesystem::path path_;
  std::shared_ptr<void> lock_;  // the file's open descriptor
  std::vector<std::pair<std::string, std::unique_ptr<GrowingFile>>> growing_;
  std::vector<std::string> announced_;  // sorted: what files.txt holds, each before it is written
  std::vector<std::filesystem::path> unsynced_folders_;
  std::string resume_note_;
};

// Hex digest of bytes, for provenance and checksums (64-bit FNV-1a, not cryptographic).
std::string content_hash(std::string_view bytes);

}  // namespace holo
