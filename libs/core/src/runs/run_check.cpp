#include "runs/run_check.h"

#include <algorithm>
#include <map>
#include <optional>

#include "runs/file_system.h"
#include "runs/run_names.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

constexpr const char* remedy = ". Run the experiment anew, or put the file back as it was";

// Throws Error(input) unless every growing file begins with what the checkpoint says.
void require_grown(const fs::path& folder, const CheckpointContent& content) {
  for (const GrownPart& part : content.growing) {
    if (!stays_inside(part.name)) throw Error(Failure::input, "it is damaged: it names the file '" + part.name + "'");
    const std::string damage = damage_of(folder, part.name, part.size, part.checksum, false);
    if (!damage.empty()) throw Error(Failure::input, damage);
  }
}

std::uint64_t journal_size(const CheckpointContent& content) {
  for (const GrownPart& part : content.growing)
    if (part.name == journal_name) return part.size;
  throw Error(Failure::input, "the checkpoint does not name the run's list of files");
}

// The damage of a whole file, "" without damage. A file that was written again after the checkpoint may have the old or the new
// content.
std::string damage_of_whole(const fs::path& folder, const Journal& journal, const JournalEntry& entry) {
  const std::string damage = damage_of(folder, entry.name, entry.size, entry.checksum, true);
  if (damage.empty()) return "";
  for (const JournalEntry& other : journal.later)
    if (other.name == entry.name && damage_of(folder, other.name, other.size, other.checksum, true).empty()) return "";
  return damage;
}

// The last entries of whole files.
std::vector<JournalEntry> whole_files(const std::vector<JournalEntry>& entries) {
  std::map<std::string, JournalEntry> last;
  for (const JournalEntry& entry : entries)
    if (!entry.growing) last[entry.name] = entry;
  std::vector<JournalEntry> result;
  result.reserve(last.size());
  for (const auto& [name, entry] : last) result.push_back(entry);
  return result;
}

void require_whole_files(const fs::path& folder, const Journal& journal) {
  for (const JournalEntry& entry : whole_files(journal.known))
    if (const std::string damage = damage_of_whole(folder, journal, entry); !damage.empty())
      throw Error(Failure::input, damage);
}

// The newer checkpoint that can be read; nothing where there is none. Throws Error(input) where there are some and none can be
// read.
std::optional<CheckpointContent> readable_checkpoint(const fs::path& folder) {
  std::string reasons;
  for (const char* name : {checkpoint_name, previous_name}) {
    const fs::path path = folder / name;
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    try {
      return decode_checkpoint(read_whole_file(path));
    } catch (const Error& problem) {  // the one before it may be good
      reasons += (reasons.empty() ? "" : "; ") + path.string() + " cannot be used: " + problem.what();
    }
  }
  if (reasons.empty()) return {};
  throw Error(Failure::input, reasons + remedy);
}

}  // namespace

Journal journal_of(const fs::path& folder, const CheckpointContent& content) {
  const std::string text = read_whole_file(folder / journal_name);
  const std::uint64_t size = journal_size(content);
  if (text.size() < size)
    throw Error(Failure::input, std::string("the file ") + journal_name + " has " + std::to_string(text.size()) +
                                    " bytes, fewer than the " + std::to_string(size) + " that the run wrote");
  const auto known = journal_entries(std::string_view(text).substr(0, size));
  if (!known) throw Error(Failure::input, std::string("the file ") + journal_name + " is not the list of a run's files");
  const auto later = journal_entries(std::string_view(text).substr(size));
  return {*known, later ? *later : std::vector<JournalEntry>()};
}

CheckpointContent usable_checkpoint(const fs::path& folder, std::string* note) {
  std::string reasons;
  for (const char* name : {checkpoint_name, previous_name}) {
    const fs::path path = folder / name;
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    try {
      CheckpointContent content = decode_checkpoint(read_whole_file(path));
      require_grown(folder, content);
      require_whole_files(folder, journal_of(folder, content));
      if (!reasons.empty())
        *note = reasons + "; going on from the one before it, step " + std::to_string(content.checkpoint.step);
      return content;
    } catch (const Error& problem) {
      reasons += (reasons.empty() ? "" : "; ") + path.string() + " cannot be used: " + problem.what();
    }
  }
  throw Error(Failure::input, reasons + remedy);
}

void require_undamaged(const fs::path& folder, const std::vector<std::string>& relative_paths) {
  const std::optional<CheckpointContent> content = readable_checkpoint(folder);
  if (!content) return;
  const auto asked = [&](const std::string& name) {
    return std::find(relative_paths.begin(), relative_paths.end(), name) != relative_paths.end();
  };
  const auto require = [&](const std::string& damage) {
    if (!damage.empty()) throw Error(Failure::input, folder.string() + ": " + damage + remedy);
  };
  for (const GrownPart& part : content->growing)
    if (part.name == journal_name || asked(part.name)) require(damage_of(folder, part.name, part.size, part.checksum, false));
  const Journal journal = journal_of(folder, *content);
  for (const JournalEntry& entry : whole_files(journal.known))
    if (asked(entry.name)) require(damage_of_whole(folder, journal, entry));
}

}  // namespace holo
