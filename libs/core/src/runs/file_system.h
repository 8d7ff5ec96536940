#pragma once
// Files of the operating system, with errors that name path and reason.

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "holo/core/error.h"

namespace holo {

// An open file; closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

// "cannot write PATH: No space left on device. Free some space ..." for the error number `reason`.
[[noreturn]] void throw_write_error(const std::filesystem::path& path, int reason);

// Writes all bytes at the offset (at the end of what has no offsets). Returns 0 or the error number.
int write_at(int descriptor, std::string_view bytes, std::uint64_t offset);

// A partial file of its own beside the path, flushed, renamed. The renaming itself is on disk only after sync_folder(parent).
void write_renamed(const std::filesystem::path& path, std::string_view bytes);

void sync_folder(const std::filesystem::path& folder);

// create_directories with a readable error.
void make_folders(const std::filesystem::path& folder);

// The folder's lock, held while the object lives. Throws Error(input) when another process holds it.
std::shared_ptr<Descriptor> lock_folder(const std::filesystem::path& folder);

// Whether a process holds it. False where there is none, and where the file system has no locks.
bool folder_is_locked(const std::filesystem::path& folder);

// Removes the partial file unless somebody writes it at present: its writer holds a lock on it.
void remove_abandoned(const std::filesystem::path& partial);

// CRC-32; `before` is that of what stands before. It finds any change of up to 32 neighboring bits, and of the others all but
// one in four thousand million.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0);

// FNV-1a; `hash` is that of what stands before.
std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325u);

}  // namespace holo
