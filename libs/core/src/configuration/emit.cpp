// The tree as YAML. A scalar is written as it was read; what was text stays text.

#include <algorithm>

#include "configuration/number.h"
#include "configuration/tree.h"

namespace holo {

namespace {

// Plain in every context: a letter or one of _./ first, then no indicator.
bool is_plain_text(const std::string& text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/'; };
  if (text.empty() || !letter(text[0]) || text.back() == ' ') return false;
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == ' ' || c == '(' || c == ')';
  });
}

bool has_own_type(const std::string& text) {
  return is_number(text) || is_not_finite(text) || is_boolean(text) || is_null(text);
}

std::string quote(const std::string& text) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (c == '\n')
      out += "\\n";
    else if (byte < 0x20 || byte == 0x7F)
      out += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
    else
      out += c;
  }
  return out + "\"";
}

std::string scalar(const Node& node) {
  if (node.kind == NodeKind::null) return "null";
  if (!node.quoted && has_own_type(node.text)) return node.text;
  return !has_own_type(node.text) && is_plain_text(node.text) ? node.text : quote(node.text);
}

std::string key_text(const std::string& name) { return !has_own_type(name) && is_plain_text(name) ? name : quote(name); }

}  // namespace

std::string ConfigurationTree::flow_yaml(std::size_t index) const {
  const Node& node = nodes[index];
  if (node.kind == NodeKind::missing) return "";
  if (node.kind < NodeKind::sequence) return scalar(node);
  const bool mapping = node.kind == NodeKind::mapping;
  std::string out = mapping ? "{" : "[";
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0) out += ", ";
    if (mapping) out += key_text(node.keys[i].name) + ": ";
    out += flow_yaml(node.children[i]);
  }
  return out + (mapping ? "}" : "]");
}

// Written on one line: a scalar, nothing at all, or a list of scalars.
bool ConfigurationTree::is_flat(std::size_t index) const {
  const Node& node = nodes[index];
  return node.children.empty() ||
         (node.kind == NodeKind::sequence && std::all_of(node.children.begin(), node.children.end(), [&](std::size_t child) {
            return nodes[child].kind < NodeKind::sequence;
          }));
}

std::string ConfigurationTree::block_yaml(std::size_t node) const {
  std::string out;
  write_block(node, 0, &out);
  return out;
}

void ConfigurationTree::write_block(std::size_t index, std::size_t indentation, std::string* out) const {
  const Node& node = nodes[index];
  if (is_flat(index)) {
    *out += flow_yaml(index) + "\n";
    return;
  }
  if (node.kind == NodeKind::mapping) return write_mapping(index, indentation, out);
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0) *out += std::string(indentation, ' ');
    *out += "- ";
    write_block(node.children[i], indentation + 2, out);
  }
}

// The caller has written the indentation of the first line.
void ConfigurationTree::write_mapping(std::size_t index, std::size_t indentation, std::string* out) const {
  const Node& node = nodes[index];
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0) *out += std::string(indentation, ' ');
    *out += key_text(node.keys[i].name) + ":";
    if (is_flat(node.children[i])) {
      *out += " ";
      write_block(node.children[i], 0, out);
    } else {
      *out += "\n" + std::string(indentation + 2, ' ');
      write_block(node.children[i], indentation + 2, out);
    }
  }
}

}  // namespace holo
