#pragma once
// A fuzz target: a reader of files from outside, which is given any bytes.
//
// Reading may end in two ways: it returns, or it throws Error(input) that begins with a place. Anything else is a finding and
// ends the process: another exception or kind of error, an error without a place, a fault that a sanitizer sees, a leak, more
// than `memory_limit` at once, more than `time_limit`.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "holo/core/error.h"

namespace holo::fuzz {

inline constexpr std::size_t largest_input = std::size_t{1} << 16;  // [bytes]
inline constexpr std::size_t memory_limit = std::size_t{64} << 20;  // allocated at once while an input is read [bytes]
inline constexpr std::size_t longest_message = 8000;                // [bytes]
inline constexpr int time_limit = 5;                                // of a processor, for one input [s]

struct Target {
  std::string name;  // of the file in targets/
  std::function<void(std::string_view bytes)> read;
  std::function<std::vector<std::string>()> seeds;  // good files, which must be read; inputs are mutations of them
  std::vector<std::string> places;                  // an error begins with one of these
  bool is_wrong_on_purpose = false;
};

struct Registration {
  explicit Registration(Target target);
};
const std::vector<Target>& targets();  // sorted by name

// Gives a target an input. Returns whether it was read, else it was refused as it should be; a finding ends the process.
bool is_read(const Target& target, std::string_view bytes);

// For a target of several readings: makes one of them, which may be refused.
void attempt(const std::function<void()>& reading);

// Ends the process with "finding: TEXT" on the standard error.
[[noreturn]] void report_finding(const std::string& text);

// ---- what targets are made of

// A folder in memory where the machine has one, removed at the end of the program that made it.
const std::filesystem::path& scratch();
// Writes a file there, below its folders.
std::filesystem::path put(const std::string& name, std::string_view bytes);

// Several files in one input: "==> NAME <==" on a line of its own begins each. What stands before the first is the file "".
std::string joined(const std::map<std::string, std::string>& files);
std::map<std::string, std::string> parts_of(std::string_view bytes);

std::string content_of(const std::filesystem::path& path);
// The files below tests/ or experiments/ of the source tree, in the order of their names.
std::vector<std::string> source_files(const std::string& folder, const std::vector<std::string>& extensions);

}  // namespace holo::fuzz
