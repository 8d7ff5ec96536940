#pragma once
// What stands behind a `Configuration` handle: the tree, the account of what was read from it, the problems found; or, while a
// schema is recorded, the record of what was asked for.

#include <map>
#include <memory>
#include <set>
#include <unordered_set>

#include "configuration/record.h"
#include "configuration/tree.h"
#include "holo/core/configuration.h"

namespace holo {

// What was asked of one mapping.
struct MappingAccount {
  std::vector<std::string> known;              // names to suggest, in the order of asking
  std::unordered_set<std::string> read;        // names that were read
  std::map<std::string, std::size_t> missing;  // stand-in nodes for what is not there
  bool undecided = false;                      // a choice between branches failed, so nobody knows which keys are allowed
};

struct Problem {
  Location location;
  std::string text;               // of a missing key: what it must be; empty of an unknown one
  std::size_t mapping = no_node;  // of a missing or an unknown key: where
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
  std::vector<std::filesystem::path> files;  // that file() has answered, absolute, each once
  std::optional<ParameterRecord> record;     // set while a schema is recorded: nodes are then mappings of the record

  bool has_problems() const { return !problems_.empty(); }
  std::size_t problem_count() const { return problems_.size(); }
  void add_problem(Location location, std::string text);

  void add_file(const std::filesystem::path& file);

  MappingAccount& account(std::size_t mapping) { return accounts_[mapping]; }
  // Enters `key` among the known and read ones; returns its value's node, or no_node.
  std::size_t take(std::size_t mapping, std::string_view key);
  void know(std::size_t mapping, std::string_view key);
  // The stand-in for a mapping or value that is not there. A silent one reports no problem of its own.
  std::size_t missing(std::size_t mapping, std::string_view key, bool silent);

  // Where a key's value stands, or the mapping when it has none.
  Location location(std::size_t mapping, std::string_view key) const;
  void report_missing(std::size_t mapping, std::string_view key, const std::string& expected);
  void report_wrong(std::size_t mapping, std::string_view key, std::size_t value, const std::string& expected,
                    const std::string& suggestion = {});

  // Throws one Error(input) with all problems in the file's order, if there are any.
  void throw_problems() const;
  void add_unread_keys();

 private:
  std::size_t rank(const Location& location) const;
  // Unknown keys that were meant to be a missing key of the same mapping, and that one.
  std::map<const Problem*, const Problem*> misspelled() const;
  // `missing`: what an unknown key was meant to be, or null.
  std::string text(const Problem& problem, const Problem* missing) const;

  std::map<std::size_t, MappingAccount> accounts_;
  std::vector<Problem> problems_;
};

// Applies a variant's or a command line's path-to-value maps. Problems go to the document.
class Overrides {
 public:
  explicit Overrides(ConfigurationDocument* document) : document_(document) {}

  // Takes `variants` out of the tree, checks all of them, and applies the one that is named ("" for none).
  void apply_variant(const std::string& name);
  // `path`=`value` of the command line.
  void apply(const std::string& path, const std::string& value);
  bool failed() const { return failed_; }

 private:
  struct Place {
    std::size_t parent = no_node;
    std::size_t index = 0;  // of the child; children.size() for a new key
  };

  // Sections on the way that the file lacks: begun for a value that is to be set, else left alone.
  enum class MissingSections { begin, leave };

  // Where the value of `path` stands or is to stand; nothing after a problem, or where a section on the way is left missing.
  std::optional<Place> find(const std::string& path, const TextMark& mark, MissingSections missing);
  // The place of `part` among the children of `node`, their number for a new key; nothing after a problem.
  std::optional<std::size_t> entry(std::size_t node, const std::string& part, const std::string& path,
                                   const Location& location);
  bool may_begin(std::size_t node, const std::string& part, const std::string& path, const Location& location);
  bool set(const Place& place, const std::string& key, const std::string& path, const TextMark& mark, std::size_t value);
  void check_variant(std::size_t variant);
  void apply_entries(std::size_t variant);
  std::size_t detach_variants();
  void fail(const Location& location, const std::string& text);

  ConfigurationDocument* document_;
  bool failed_ = false;
};

}  // namespace holo
