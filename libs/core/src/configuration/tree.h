#pragma once
// The parsed experiment: a tree of nodes with their places in the file. Values keep their text, so that the resolved experiment
// has the same digits as the file.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "holo/core/error.h"

namespace holo {

constexpr std::size_t no_node = static_cast<std::size_t>(-1);
constexpr std::size_t maximum_depth = 64;          // of nested lists and mappings
constexpr std::size_t maximum_bytes = 16'000'000;  // of a file
constexpr std::size_t maximum_values = 1'000'000;  // of a file

// A source of text: the experiment file, or one override of the command line.
struct Origin {
  std::string name;
  std::string text;
  bool is_override = false;
  Location place = {};  // of an override: where its problems are reported, if that is not the command line
  mutable std::vector<std::uint32_t> line_starts = {};  // computed at the first request of a place
};

// Line and column count from 0, the column in bytes.
struct TextMark {
  std::uint32_t origin = 0;
  std::int32_t line = 0;
  std::int32_t column = 0;
};

enum class NodeKind : std::uint8_t { missing, null, scalar, sequence, mapping };

struct Key {
  std::string name;
  TextMark mark;
};

struct Node {
  NodeKind kind = NodeKind::null;
  bool quoted = false;  // a scalar in quotes, which is always text
  bool silent = false;  // a problem of this node was reported; reading it reports no further one
  TextMark mark;
  std::string text;                   // of a scalar
  std::vector<std::size_t> children;  // entries of a sequence, values of a mapping
  std::vector<Key> keys;              // of a mapping, beside `children`
  std::size_t parent = no_node;
  std::string name;  // its key in a parent that has no node for it (`missing`)
};

class ConfigurationTree {
 public:
  std::vector<Origin> origins;
  std::vector<Node> nodes;

  // Parses one YAML document and appends its nodes; returns the root's index, or no_node if there is no document. Duplicate
  // keys and numbers that are not finite are added to `problems`; any other fault throws Error(input) with its place.
  struct Problem {
    TextMark mark;
    std::string text;
  };
  std::size_t parse(std::uint32_t origin, std::vector<Problem>* problems);

  std::size_t add(Node node);
  // Index of the value of `key`, or no_node.
  std::size_t child(std::size_t mapping, std::string_view key) const;
  // Place of `key` among the keys of its mapping.
  const Key* find_key(std::size_t mapping, std::string_view key) const;
  std::vector<std::string> key_names(std::size_t mapping) const;

  // "scene.bodies.0.mesh", as --set takes it; "" for the root.
  std::string path(std::size_t node) const;
  std::string path(std::size_t mapping, std::string_view key) const;
  std::size_t depth(std::size_t node) const;
  std::size_t height(std::size_t node) const;  // 0 for a scalar
  Location location(const TextMark& mark) const;
  // The place of a node, or that of the nearest enclosing one in the file.
  Location location(std::size_t node) const;
  // The node's value for a message: "the text 'fast'", "a list of 3 entries", "nothing".
  std::string found(std::size_t node) const;

  // The subtree as block YAML; parsing this gives the same tree.
  std::string block_yaml(std::size_t node) const;
  // On one line; scalars as they were written.
  std::string flow_yaml(std::size_t node) const;

 private:
  void write_block(std::size_t node, std::size_t indentation, std::string* out) const;
  void write_mapping(std::size_t node, std::size_t indentation, std::string* out) const;
  bool is_flat(std::size_t node) const;
};

// Refuses text that the YAML parser would misread or that would exhaust its memory: bytes that are not UTF-8, tabs, and nesting
// and sizes above the maximum. Throws Error(input) with the place.
void check_yaml_text(const ConfigurationTree& tree, std::uint32_t origin);

bool is_utf8(const std::string& text);

// Text shortened for a message.
std::string excerpt(std::string_view text);

}  // namespace holo
