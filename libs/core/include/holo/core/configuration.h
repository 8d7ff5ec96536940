#pragma once
// Typed access to an experiment file, with the place of each value. Reading a key states its unit, range, default and meaning:
// the file is checked by them, `holo describe` prints them, and the JSON schema is made from them. A key that was not read is
// an error.
//
//   ConfigurationFile file = ConfigurationFile::load("experiments/quickstart.yaml", {.variant = "quick"});
//   Configuration root = file.root();
//   double time_step = root.section("scene").number("time_step", {.unit = "s", .minimum = 0, .minimum_excluded = true});
//   file.finish();     // throws one Error that lists every problem of the file
//
// A wrong or missing value records a problem with file:line:column and returns a stand-in inside the allowed range, so that
// reading continues and all problems of a file are listed at once. Nothing may be computed before finish(), since stand-ins
// are no values of the user's.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "holo/core/error.h"

namespace holo {

// The requirements of a number. A finite number from `minimum` to `maximum` is accepted; the bounds are in `unit`.
struct NumberSpec {
  std::string unit = "1";  // an SI unit in text, such as "kg/m^3"; "1" for a number without dimension
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_excluded = false;             // the number must be > minimum
  bool maximum_excluded = false;             // the number must be < maximum
  std::optional<double> default_value = {};  // value of a missing key; none: the key is required
  std::string documentation = {};            // one line for `holo describe` and the schema
};

// The requirements of an integer from `minimum` to `maximum`, both included. Integers have no unit.
struct IntegerSpec {
  std::int64_t minimum = std::numeric_limits<std::int64_t>::min();
  std::int64_t maximum = std::numeric_limits<std::int64_t>::max();
  std::optional<std::int64_t> default_value = {};  // none: the key is required
  std::string documentation = {};
};

// The requirements of a text.
struct TextSpec {
  std::vector<std::string> choices = {};          // the allowed texts; empty: any text
  std::optional<std::string> default_value = {};  // none: the key is required
  std::string documentation = {};
};

// The requirements of a list of three finite numbers, each from `minimum` to `maximum` (both included), in `unit`.
struct VectorSpec {
  std::string unit = "1";  // as in NumberSpec
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  std::optional<std::array<double, 3>> default_value = {};  // none: the key is required
  std::string documentation = {};
};

class ConfigurationDocument;  // the parsed file, the keys that were read, the problems found

// A mapping of the file, or the stand-in for a missing one. A cheap handle: copies read the same mapping.
class Configuration {
 public:
  Configuration(std::shared_ptr<ConfigurationDocument> document, std::size_t node);

  double number(std::string_view key, const NumberSpec& spec = {});  // in spec.unit
  // 3, 3.0 and 1e3 are integers; 3.5 is none.
  std::int64_t integer(std::string_view key, const IntegerSpec& spec = {});
  bool boolean(std::string_view key, std::optional<bool> default_value, std::string_view documentation = {});
  // Without choices, a number is also a text, as it was written ("figure: 8" reads as "8").
  std::string text(std::string_view key, const TextSpec& spec = {});
  std::array<double, 3> vector3(std::string_view key, const VectorSpec& spec = {});
  // A list of `minimum_size` to `maximum_size` numbers. If `spec` has a default, a missing list reads as `minimum_size` times
  // this number.
  std::vector<double> numbers(std::string_view key, std::size_t minimum_size, std::size_t maximum_size,
                              const NumberSpec& spec = {});
  // A list of `minimum_size` to `maximum_size` texts, each as in text(). A missing list reads as empty if `minimum_size` is 0,
  // and is a problem otherwise. A default of `spec` is ignored.
  std::vector<std::string> texts(std::string_view key, std::size_t minimum_size, std::size_t maximum_size,
                                 const TextSpec& spec = {});
  // One text, or a list of one or more. A default of `spec` is ignored. After a problem the entries are empty.
  struct TextOrTexts {
    std::vector<std::string> entries;
    bool is_list = false;
  };
  TextOrTexts text_or_texts(std::string_view key, const TextSpec& spec = {});
  // A number, a list of `size` numbers, or a name (`what` states of which kind: "a signal"). If `spec` has a default, a missing
  // value reads as this number. After a problem numbers and name are empty. The size 0 is for recordings alone: a number, a
  // text or a mapping, of the kind `what`.
  struct NumbersOrName {
    std::vector<double> numbers;
    std::string name;
  };
  NumbersOrName numbers_or_name(std::string_view key, std::size_t size, const std::string& what, const NumberSpec& spec = {});
  // For records alone: a number or vector that may be given per element of a mesh instead, by formulas or by a mapping.
  void record_per_element(std::string_view key, const NumberSpec& spec);
  void record_per_element(std::string_view key, const VectorSpec& spec);
  // An existing, readable file; relative to the experiment's folder. ${NAME} is replaced from the environment; an unset
  // HOLO_DATA_DIR is an error that names it and docs/data.md.
  std::filesystem::path file(std::string_view key, std::string_view documentation = {});

  // The mapping under `key`. A missing one is a problem if `required`, and reads as empty otherwise.
  Configuration section(std::string_view key, std::string_view documentation = {}, bool required = true);
  // A list of mappings; `read` runs once for each entry (once on a recording stand-in while a schema is recorded).
  void each(std::string_view key, const std::function<void(Configuration&)>& read, std::string_view documentation = {},
            std::size_t minimum_size = 0);
  // Dispatches on the text of `key` (such as "type"); while a schema is recorded, every branch is read.
  struct Branch {
    std::string name;
    std::string documentation;
    std::function<void(Configuration&)> read;
  };
  void branch(std::string_view key, const std::vector<Branch>& branches, std::optional<std::string> default_name = {},
              std::string_view documentation = {});
  // Dispatches on which one of the keys is present (such as mesh: {file: ...} against mesh: {shape: ...}).
  void branch_on_key(const std::vector<Branch>& branches, std::string_view documentation = {});

  // Whether the mapping has `key`, which is not read by this. True while a schema is recorded; the key is then recorded as
  // optional.
  bool has(std::string_view key) const;
  bool recording() const;                 // true while a schema is recorded: values are stand-ins
  std::vector<std::string> keys() const;  // in the file's order
  // The value under the key, in free form, as YAML on one line ("" if the key is missing); marks all of it as read.
  std::string raw(std::string_view key, std::string_view documentation = {}, bool required = false);
  // The entries of a free-form mapping, in the file's order; marks all of it as read.
  struct Entry {
    std::string name;
    std::string text;              // a scalar as it was written, without quotes; a list or mapping as YAML on one line
    std::optional<double> number;  // the value, if the text is a number
    Location location;             // of the value
  };
  std::vector<Entry> entries(std::string_view key, std::string_view documentation = {}, bool required = false);
  // The entries of a list of one or more values in free form; marks all of it as read. The name of an entry is its index, its
  // text is YAML on one line that --set takes, a text in quotes with them.
  std::vector<Entry> list_entries(std::string_view key, std::string_view documentation = {});

  std::string path(std::string_view key = {}) const;  // "scene.bodies.0.mesh", as in --set
  Location location() const;                          // of the mapping
  Location location(std::string_view key) const;      // of the key's value, or of the mapping if the key is missing
  // Records a problem that the reader finds (such as "two bodies of one name"); finish() throws it. Does not throw.
  void problem(const Location& location, const std::string& text);
  bool has_problems() const;          // in the complete file, until now
  std::size_t problem_count() const;  // in the complete file, until now

 private:
  std::shared_ptr<ConfigurationDocument> document_;
  std::size_t node_;
};

// A value that replaces another one, and the place that problems with it are reported at.
struct PlacedOverride {
  std::string path;   // as given to --set
  std::string value;  // YAML
  Location place;
};

struct ConfigurationFileOptions {
  std::string variant = {};                                         // name under `variants`, applied first
  std::vector<std::pair<std::string, std::string>> overrides = {};  // path=value, as given to --set; the value is YAML
  std::vector<std::string> without = {};                            // keys of the root that are then taken out of the file
  std::vector<PlacedOverride> placed_overrides = {};                // applied last
};

// An experiment file. `variants` is taken out of the tree: path-to-value maps of which one may be applied.
class ConfigurationFile {
 public:
  // Throws Error(input) for a file that cannot be read (missing, a directory, empty, not YAML, no mapping, over 16 MB or a
  // million values, nested over 64 deep, with anchors, tags or several documents), and for a variant or an override that cannot
  // be applied. finish() reports duplicate keys and numbers that are not finite, among the other problems of the file.
  static ConfigurationFile load(const std::filesystem::path& path, const ConfigurationFileOptions& options = {});
  static ConfigurationFile parse(const std::string& yaml, const std::string& name,
                                 const ConfigurationFileOptions& options = {});

  Configuration root();
  // Throws one Error(input) with all problems, unread keys included, in the file's order, one a line.
  void finish();
  // The resolved experiment (variant and overrides applied, ${NAME} kept) as YAML.
  std::string resolved() const;
  std::vector<std::string> variants() const;
  // The results of Configuration::file() until now, for provenance; absolute, each once.
  std::vector<std::filesystem::path> files_read() const;
  const std::filesystem::path& path() const;

 private:
  std::shared_ptr<ConfigurationDocument> document_;
};

// One line of `holo describe`, and one property of the schema.
struct ParameterDescription {
  std::string path;  // "scene.time_step", "scene.bodies[].density"
  std::string kind;  // number, integer, boolean, text, text or list, number or name, vector3, list, file, section
  std::string unit;
  std::string range;          // "> 0", "[0, 0.5)", "one of: a, b", or ""
  std::string default_value;  // "" when required
  std::string documentation;
  std::string condition = {};  // "study: elastic_dynamics, scene.bodies[].mesh.shape: box" where a branch asks for it, else ""
  bool required = true;
};

// Runs `read` on a stand-in without a file, and records the keys that it asks for with their specifications.
class ParameterRecording {
 public:
  explicit ParameterRecording(const std::function<void(Configuration&)>& read);
  std::vector<ParameterDescription> descriptions() const;
  std::string json_schema(const std::string& title) const;  // JSON Schema draft 7, a mapping without further keys

 private:
  std::shared_ptr<ConfigurationDocument> document_;
};

}  // namespace holo
