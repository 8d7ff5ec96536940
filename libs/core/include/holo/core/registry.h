#pragma once
// A registry of what the program itself offers by name: the kinds of study, and the solvers of a step that are compared. An
// explicit call adds each entry: a static constructor would be dropped from a static library.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/error.h"
#include "holo/core/name_list.h"

namespace holo {

template <class Entry>
class Registry {
 public:
  explicit Registry(std::string category) : category_(std::move(category)) {}

  void add(const std::string& name, Entry entry) {
    if (!entries_.emplace(name, std::move(entry)).second)
      throw Error(Failure::internal, "two entries named '" + name + "' among the " + category_);
  }

  // Throws Error(input) with the names there are and the nearest one.
  const Entry& get(const std::string& name) const {
    auto found = entries_.find(name);
    if (found != entries_.end()) return found->second;
    throw Error(Failure::input, "no '" + name + "' among the " + category_ + "." + suggestion(name, names()) +
                                    " There are: " + joined_or_none(names()) + ".");
  }

  bool has(const std::string& name) const { return entries_.count(name) != 0; }

  std::vector<std::string> names() const {  // sorted
    std::vector<std::string> result;
    for (const auto& [name, entry] : entries_) result.push_back(name);
    return result;
  }

 private:
  std::string category_;
  std::map<std::string, Entry> entries_;
};

}  // namespace holo
