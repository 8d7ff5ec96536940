#pragma once
// The names of a run folder's own files.

#include <string_view>

namespace holo {

inline constexpr const char* checkpoint_name = "checkpoint";
inline constexpr const char* previous_name = "checkpoint.previous";
inline constexpr const char* lock_name = "lock";
inline constexpr const char* journal_name = "files.txt";
inline constexpr std::string_view partial_ending = ".partial";

inline bool is_partial(std::string_view name) {
  return name.size() >= partial_ending.size() && name.substr(name.size() - partial_ending.size()) == partial_ending;
}

}  // namespace holo
