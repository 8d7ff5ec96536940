#pragma once
// A registry of entries that the program offers by name: the kinds of study, and the solvers of a step that are compared. Each
// entry is added by an explicit call, since a linker drops static constructors of a static library.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/error.h"
#include "holo/core/name_list.h"

namespace holo {

// Entry: a copyable type, such as a function that makes a study.
template <class Entry>
class Registry {
 public:
  // `category` is the plural noun of the entries, for messages: "studies".
  explicit Registry(std::string category) : category_(std::move(category)) {}

  // Throws Error(internal) if the name exists.
  void add(const std::string& name, Entry entry) {
    if (!entries_.emplace(name, std::move(entry)).second)
      throw Error(Failure::internal, "two entries named '" + name + "' among the " + category_);
  }

  // Throws Error(input) with the list of names and the nearest one if there is no such entry.
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
