#include "holo/core/name_list.h"

#include <algorithm>

namespace holo {

std::string joined(const std::vector<std::string>& names, const std::string& separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
  return text;
}

std::string joined_or_none(const std::vector<std::string>& names) { return names.empty() ? "none" : joined(names); }

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace holo
