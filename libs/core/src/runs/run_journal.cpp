#include "runs/run_journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "holo/core/runs/run_folder.h"
#include "runs/file_system.h"
#include "runs/run_names.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view growing_word = "growing ";

template <class Number>
bool take_number(std::string_view& text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end == text.data() + text.size() || *end != ' ') return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return true;
}

std::optional<JournalEntry> entry_of(std::string_view line) {
  JournalEntry entry;
  entry.growing = line.substr(0, growing_word.size()) == growing_word;
  if (entry.growing)
    line.remove_prefix(growing_word.size());
  else if (!take_number(line, entry.checksum, 16) || !take_number(line, entry.size, 10))
    return {};
  entry.name = line;
  if (!stays_inside(entry.name)) return {};
  return entry;
}

// The checksum of a file's first `size` bytes; nothing where it cannot be read so far.
std::optional<std::uint32_t> checksum_of_part(int descriptor, std::uint64_t size) {
  std::vector<char> block(std::size_t{1} << 18);
  std::uint32_t sum = 0;
  while (size > 0) {
    const ssize_t count = read(descriptor, block.data(), std::min<std::uint64_t>(size, block.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return {};
    sum = checksum({block.data(), static_cast<std::size_t>(count)}, sum);
    size -= static_cast<std::uint64_t>(count);
  }
  return sum;
}

bool is_plain_file(const fs::directory_entry& entry) {
  std::error_code error;
  return fs::symlink_status(entry.path(), error).type() == fs::file_type::regular;
}

// Whether the file is as one of the journal's entries of that name says.
bool knows(const std::vector<JournalEntry>& journal, const fs::path& folder, const std::string& name) {
  for (const JournalEntry& entry : journal)
    if (!entry.growing && entry.name == name && damage_of(folder, name, entry.size, entry.checksum, true).empty()) return true;
  return false;
}

}  // namespace

std::string journal_line(const JournalEntry& entry) {
  if (entry.growing) return std::string(growing_word) + entry.name;
  char numbers[48];
  std::snprintf(numbers, sizeof numbers, "%08x %llu ", entry.checksum, static_cast<unsigned long long>(entry.size));
  return numbers + entry.name;
}

std::optional<std::vector<JournalEntry>> journal_entries(std::string_view text) {
  std::vector<JournalEntry> entries;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
    std::optional<JournalEntry> entry = entry_of(text.substr(begin, end - begin));
    if (!entry) return {};
    entries.push_back(std::move(*entry));
  }
  return entries;
}

std::string damage_of(const fs::path& folder, const std::string& name, std::uint64_t size, std::uint32_t checksum, bool whole) {
  const Descriptor file(open((folder / name).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!file.is_open() && errno == ENOENT) return "the file " + name + " is missing";
  if (!file.is_open() || fstat(file.number(), &status) != 0)
    return "the file " + name + " cannot be read: " + std::strerror(errno);
  if (!S_ISREG(status.st_mode)) return "the file " + name + " is not a regular file";
  const auto found = static_cast<std::uint64_t>(status.st_size);
  if (found < size || (whole && found > size))
    return "the file " + name + " has " + std::to_string(found) + " bytes, " + (found < size ? "fewer" : "more") +
           " than the " + std::to_string(size) + " that the run wrote";
  if (checksum_of_part(file.number(), size) != checksum)
    return "the file " + name + " was changed or damaged: the checksum of " + (whole ? "its" : "its first ") +
           (whole ? "" : std::to_string(size)) + " bytes is another than when the run wrote them";
  return "";
}

bool stays_inside(const fs::path& path) {
  return !path.empty() && path.is_relative() && path == path.lexically_normal() && *path.begin() != ".." && path.has_filename();
}

bool is_run_without_checkpoint(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder / journal_name, error)) return false;
  const std::optional<std::vector<JournalEntry>> journal = journal_entries(read_whole_file(folder / journal_name));
  if (!journal) return false;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!is_plain_file(entry)) return false;
    if (name != lock_name && name != journal_name && !is_partial(name) && !knows(*journal, folder, name)) return false;
  }
  return true;
}

}  // namespace holo
