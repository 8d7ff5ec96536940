#include "configuration/document.h"

#include <algorithm>
#include <tuple>

#include "configuration/value.h"
#include "holo/core/name_list.h"

namespace holo {

namespace {
constexpr std::size_t most_shown = 100;     // problems in a message,
constexpr std::size_t most_bytes = 6'000;   // unless they fill more
constexpr std::size_t most_kept = 100'000;  // problems of a file that are recorded
}  // namespace

void ConfigurationDocument::add_file(const std::filesystem::path& file) {
  std::filesystem::path absolute = std::filesystem::absolute(file).lexically_normal();
  if (std::find(files.begin(), files.end(), absolute) == files.end()) files.push_back(absolute);
}

void ConfigurationDocument::add_problem(Location location, std::string text) {
  if (problems_.size() < most_kept) problems_.push_back({std::move(location), std::move(text)});
}

void ConfigurationDocument::know(std::size_t mapping, std::string_view key) {
  std::vector<std::string>& known = account(mapping).known;
  if (std::find(known.begin(), known.end(), key) == known.end()) known.emplace_back(key);
}

std::size_t ConfigurationDocument::take(std::size_t mapping, std::string_view key) {
  know(mapping, key);
  account(mapping).read.emplace(key);
  return tree.child(mapping, key);
}

// Each missing key gets one node, so that several readers of the key report one problem.
std::size_t ConfigurationDocument::missing(std::size_t mapping, std::string_view key, bool silent) {
  const auto [place, is_new] = account(mapping).missing.emplace(std::string(key), tree.nodes.size());
  if (!is_new) return place->second;
  Node node;
  node.kind = NodeKind::missing;
  node.silent = silent || tree.nodes[mapping].silent;
  node.parent = mapping;
  node.name = std::string(key);
  return tree.add(std::move(node));
}

Location ConfigurationDocument::location(std::size_t mapping, std::string_view key) const {
  const std::size_t value = tree.child(mapping, key);
  return value == no_node ? tree.location(mapping) : tree.location(value);
}

void ConfigurationDocument::report_missing(std::size_t mapping, std::string_view key, const std::string& expected) {
  if (tree.nodes[mapping].silent) return;
  if (problems_.size() < most_kept) problems_.push_back({tree.location(mapping), expected, mapping, std::string(key)});
}

void ConfigurationDocument::report_wrong(std::size_t mapping, std::string_view key, std::size_t value,
                                         const std::string& expected, const std::string& suggestion) {
  if (tree.nodes[value].silent) return;
  add_problem(tree.location(value), "'" + tree.path(mapping, key) + "' must be " + expected + ", but " + tree.found(value) +
                                        " was found." + suggestion);
}

// In a mapping in which a choice between branches failed, the keys of the branches are unknown; it reports no unread keys.
void ConfigurationDocument::add_unread_keys() {
  for (const auto& [mapping, account] : accounts_) {
    if (account.undecided) continue;
    for (const Key& key : tree.nodes[mapping].keys)
      if (account.read.count(key.name) == 0 && problems_.size() < most_kept)
        problems_.push_back({tree.location(key.mark), "", mapping, key.name});
  }
}

// The place of a location's text in the order of messages: the file first, then the overrides in their order.
std::size_t ConfigurationDocument::rank(const Location& location) const {
  for (std::size_t i = 0; i < tree.origins.size(); ++i)
    if (tree.origins[i].name == location.file) return i;
  return tree.origins.size();
}

// An unknown key is a misspelling of a missing one if that is the nearest of all keys of the mapping.
std::map<const Problem*, const Problem*> ConfigurationDocument::misspelled() const {
  std::map<std::pair<std::size_t, std::string>, const Problem*> missing;
  std::set<std::size_t> mappings;
  for (const Problem& problem : problems_) {
    if (!problem.is_missing_key()) continue;
    missing.emplace(std::make_pair(problem.mapping, problem.key), &problem);
    mappings.insert(problem.mapping);
  }
  std::map<const Problem*, const Problem*> result;
  for (const Problem& problem : problems_) {
    if (!problem.is_unknown_key() || mappings.count(problem.mapping) == 0) continue;
    const auto meant = missing.find({problem.mapping, nearest_name(problem.key, accounts_.at(problem.mapping).known)});
    if (meant != missing.end()) result.emplace(&problem, meant->second);
  }
  return result;
}

std::string ConfigurationDocument::text(const Problem& problem, const Problem* missing) const {
  const std::string place = to_string(problem.location) + ": ";
  if (problem.mapping == no_node) return place + problem.text;
  const std::string key = "'" + tree.path(problem.mapping, problem.key) + "'";
  if (problem.is_missing_key()) return place + key + " is missing; it must be " + problem.text;
  const std::string unknown = place + "unknown key " + key + ".";
  if (missing != nullptr)
    return unknown + " Did you mean '" + missing->key + "', which is missing? It must be " + missing->text + ".";
  const std::vector<std::string>& known = accounts_.at(problem.mapping).known;
  if (known.empty()) return unknown + " No key is allowed here.";
  return unknown + suggestion(problem.key, known) + " Allowed here: " + joined(known) + ".";
}

void ConfigurationDocument::throw_problems() const {
  if (problems_.empty()) return;
  // A misspelled required key is one problem, not an unknown key and a missing one.
  const std::map<const Problem*, const Problem*> meant = misspelled();
  std::set<const Problem*> told_elsewhere;
  for (const auto& [unknown, missing] : meant) told_elsewhere.insert(missing);
  // The order of the file; problems of one place stay in the order of their discovery. Equal messages are shown once.
  std::vector<std::tuple<std::size_t, int, int, const Problem*>> order;
  for (const Problem& problem : problems_)
    if (told_elsewhere.count(&problem) == 0)
      order.emplace_back(rank(problem.location), problem.location.line, problem.location.column, &problem);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a), std::get<2>(a)) < std::tie(std::get<0>(b), std::get<1>(b), std::get<2>(b));
  });
  std::string all;
  std::set<std::string> shown;
  for (const auto& [origin, line, column, problem] : order) {
    if (shown.size() == most_shown || all.size() > most_bytes) {
      all += "\nand further problems; these are the first " + std::to_string(shown.size());
      break;
    }
    const auto missing = meant.find(problem);
    const std::string one = text(*problem, missing == meant.end() ? nullptr : missing->second);
    if (shown.insert(one).second) all += (all.empty() ? "" : "\n") + one;
  }
  throw Error(Failure::input, all);
}

}  // namespace holo
