#pragma once
// The state behind a `Configuration` handle: the parsed tree, the keys that were read from it, and the problems found. While a
// schema is recorded, it has the record of the keys that were asked for instead.

#include <map>
#include <memory>
#include <set>
#include <unordered_set>

#include "configuration/record.h"
#include "configuration/tree.h"
#include "holo/core/configuration.h"

namespace holo {

// The keys of one mapping that readers asked for.
struct MappingAccount {
  std::vector<std::string> known;              // names to suggest for a misspelled key, in the order of the requests
  std::unordered_set<std::string> read;        // names that were read
  std::map<std::string, std::size_t> missing;  // nodes that stand in for missing values, by key
  bool undecided = false;                      // a choice between branches failed, so the allowed keys are unknown
};

// One fault of the file.
struct Problem {
  Location location;
  std::string text;               // the message; for a missing key the expected value; empty for an unknown key
  std::size_t mapping = no_node;  // for a missing or an unknown key: the mapping that lacks or has it
  std::string key = {};

  bool is_missing_key() const { return mapping != no_node && !text.empty(); }
  bool is_unknown_key() const { return mapping != no_node && text.empty(); }
};

class ConfigurationDocument {
 public:
  ConfigurationTree tree;
  std::size_t root = no_node;
  std::filesystem::path path;
  std::vector<std::string> variants;
  std::vector<std::filesystem::path> files;  // the results of Configuration::file(), absolute, each once
  std::optional<ParameterRecord> record;     // set while a schema is recorded: nodes are then mappings of the record

  bool has_problems() const { return !problems_.empty(); }
  std::size_t problem_count() const { return problems_.size(); }
  void add_problem(Location location, std::string text);

  void add_file(const std::filesystem::path& file);

  MappingAccount& account(std::size_t mapping) { return accounts_[mapping]; }
  // Adds `key` to the known and the read ones; returns the node of its value, or no_node.
  std::size_t take(std::size_t mapping, std::string_view key);
  void know(std::size_t mapping, std::string_view key);  // adds `key` to the known ones alone
  // The node that stands in for a missing mapping or value. A silent one reports no problem of its own.
  std::size_t missing(std::size_t mapping, std::string_view key, bool silent);

  // The place of a key's value, or of the mapping if the key is missing.
  Location location(std::size_t mapping, std::string_view key) const;
  void report_missing(std::size_t mapping, std::string_view key, const std::string& expected);
  void report_wrong(std::size_t mapping, std::string_view key, std::size_t value, const std::string& expected,
                    const std::string& suggestion = {});

  // Throws one Error(input) with all problems in the file's order, if there are any.
  void throw_problems() const;
  void add_unread_keys();  // adds a problem for each key that no reader asked for

 private:
  std::size_t rank(const Location& location) const;
  // Pairs of an unknown key and the missing key of the same mapping that it resembles.
  std::map<const Problem*, const Problem*> misspelled() const;
  // The message of `problem`. `missing` is the missing key that an unknown key resembles, or null.
  std::string text(const Problem& problem, const Problem* missing) const;

  std::map<std::size_t, MappingAccount> accounts_;
  std::vector<Problem> problems_;
};

// Applies the path-to-value maps of a variant or of the command line; reports problems to the document.
class Overrides {
 public:
  explicit Overrides(ConfigurationDocument* document) : document_(document) {}

  // Removes `variants` from the tree, checks all of them, and applies the one called `name` ("" for none).
  void apply_variant(const std::string& name);
  // Applies `path`=`value`; `value` is YAML. Without a place it is one of the command line.
  void apply(const std::string& path, const std::string& value, const Location& place = {});
  // Removes the key of the root, if it is there. Returns its value's node, or no_node.
  std::size_t detach(const std::string& key);
  bool failed() const { return failed_; }

 private:
  struct Place {
    std::size_t parent = no_node;
    std::size_t index = 0;  // of the child; children.size() for a new key
  };

  // The treatment of sections of a path that the file lacks: they are created for a value that is set, else left missing.
  enum class MissingSections { begin, leave };

  // The place of the value of `path`. Empty after a problem, and if a section of the path is left missing.
  std::optional<Place> find(const std::string& path, const TextMark& mark, MissingSections missing);
  // The index of `part` among the children of `node`, the number of children for a new key; empty after a problem.
  std::optional<std::size_t> entry(std::size_t node, const std::string& part, const std::string& path,
                                   const Location& location);
  bool may_begin(std::size_t node, const std::string& part, const std::string& path, const Location& location);
  bool set(const Place& place, const std::string& key, const std::string& path, const TextMark& mark, std::size_t value);
  void check_variant(std::size_t variant);
  void apply_entries(std::size_t variant);
  void fail(const Location& location, const std::string& text);

  ConfigurationDocument* document_;
  bool failed_ = false;
};

}  // namespace holo
