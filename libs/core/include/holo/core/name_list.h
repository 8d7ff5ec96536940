#pragma once
// Lists of names: their text in messages, and whether a name is one of them.

#include <string>
#include <vector>

namespace holo {

// "a, b, c"; "" for an empty list.
std::string joined(const std::vector<std::string>& names, const std::string& separator = ", ");
// The same with "none" for an empty list.
std::string joined_or_none(const std::vector<std::string>& names);

bool contains(const std::vector<std::string>& names, const std::string& name);

}  // namespace holo
