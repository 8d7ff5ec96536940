#include "configuration/tree.h"

#include <algorithm>

#include "configuration/number.h"

namespace holo {

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result;
  for (char c : text.substr(0, longest)) result += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  if (text.size() <= longest) return result;
  while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xC0u) == 0x80u) result.pop_back();
  if (!result.empty() && static_cast<unsigned char>(result.back()) >= 0xC0u) result.pop_back();
  return result + "...";
}

std::size_t ConfigurationTree::add(Node node) {
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

std::size_t ConfigurationTree::child(std::size_t mapping, std::string_view key) const {
  const Node& node = nodes[mapping];
  for (std::size_t i = 0; i < node.keys.size(); ++i)
    if (node.keys[i].name == key) return node.children[i];
  return no_node;
}

const Key* ConfigurationTree::find_key(std::size_t mapping, std::string_view key) const {
  for (const Key& candidate : nodes[mapping].keys)
    if (candidate.name == key) return &candidate;
  return nullptr;
}

std::vector<std::string> ConfigurationTree::key_names(std::size_t mapping) const {
  std::vector<std::string> names;
  for (const Key& key : nodes[mapping].keys) names.push_back(key.name);
  return names;
}

std::string ConfigurationTree::path(std::size_t node) const {
  const std::size_t parent = nodes[node].parent;
  if (parent == no_node) return "";
  if (nodes[node].kind == NodeKind::missing) return path(parent, nodes[node].name);
  const Node& above = nodes[parent];
  const auto found = std::find(above.children.begin(), above.children.end(), node);
  const auto index = static_cast<std::size_t>(found - above.children.begin());
  return path(parent,
              above.kind == NodeKind::mapping && index < above.keys.size() ? above.keys[index].name : std::to_string(index));
}

std::string ConfigurationTree::path(std::size_t mapping, std::string_view key) const {
  const std::string above = path(mapping);
  return above.empty() ? excerpt(key) : above + "." + excerpt(key);
}

std::size_t ConfigurationTree::depth(std::size_t node) const {
  std::size_t depth = 0;
  for (; nodes[node].parent != no_node; node = nodes[node].parent) ++depth;
  return depth;
}

std::size_t ConfigurationTree::height(std::size_t node) const {
  std::size_t height = 0;
  for (std::size_t child : nodes[node].children) height = std::max(height, 1 + this->height(child));
  return nodes[node].kind >= NodeKind::sequence ? std::max<std::size_t>(height, 1) : 0;
}

namespace {

// The column in characters; in bytes on a line so long that nobody counts.
int character_column(const Origin& origin, const TextMark& mark) {
  constexpr std::int32_t longest = 4096;
  if (origin.line_starts.empty()) {
    origin.line_starts.push_back(0);
    for (std::size_t i = 0; i < origin.text.size(); ++i)
      if (origin.text[i] == '\n') origin.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
  if (mark.column > longest || static_cast<std::size_t>(mark.line) >= origin.line_starts.size()) return mark.column + 1;
  const std::size_t start = origin.line_starts[static_cast<std::size_t>(mark.line)];
  const std::size_t end = std::min(origin.text.size(), start + static_cast<std::size_t>(mark.column));
  int column = 1;
  for (std::size_t i = start; i < end; ++i) column += (static_cast<unsigned char>(origin.text[i]) & 0xC0u) != 0x80u;
  return column;
}

}  // namespace

Location ConfigurationTree::location(const TextMark& mark) const {
  const Origin& origin = origins[mark.origin];
  if (origin.is_override) return origin.place.file.empty() ? Location{origin.name, 0, 0} : origin.place;
  return {origin.name, mark.line + 1, character_column(origin, mark)};
}

Location ConfigurationTree::location(std::size_t node) const {
  while (nodes[node].kind == NodeKind::missing && nodes[node].parent != no_node) node = nodes[node].parent;
  return location(nodes[node].mark);
}

std::string ConfigurationTree::found(std::size_t index) const {
  const Node& node = nodes[index];
  const auto entries = [](std::size_t count) { return std::to_string(count) + (count == 1 ? " entry" : " entries"); };
  switch (node.kind) {
    case NodeKind::sequence:
      return "a list of " + entries(node.children.size());
    case NodeKind::mapping:
      return "a mapping of " + entries(node.children.size());
    case NodeKind::scalar:
      if (!node.quoted && (is_number(node.text) || is_boolean(node.text))) return excerpt(node.text);
      return "the text '" + excerpt(node.text) + "'";
    default:
      return "nothing";
  }
}

}  // namespace holo
