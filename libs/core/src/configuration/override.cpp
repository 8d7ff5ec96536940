// Variants and overrides: dotted paths with list indices, each setting one value of the tree.

#include "configuration/document.h"
#include "holo/core/name_list.h"

namespace holo {

namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (char c : path) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool is_well_formed(const std::string& path) {
  for (const std::string& part : split(path))
    if (part.empty()) return false;
  return true;
}

// The index that `part` names in a list of `size` entries, or `size`.
std::size_t list_index(const std::string& part, std::size_t size) {
  if (part.empty() || part.size() > 9 || part.find_first_not_of("0123456789") != std::string::npos) return size;
  return std::min(size, static_cast<std::size_t>(std::stoul(part)));
}

}  // namespace

void Overrides::fail(const Location& location, const std::string& text) {
  failed_ = true;
  document_->add_problem(location, text);
}

std::optional<std::size_t> Overrides::entry(std::size_t node, const std::string& part, const std::string& path,
                                            const Location& location) {
  const ConfigurationTree& tree = document_->tree;
  const Node& here = tree.nodes[node];
  if (here.kind == NodeKind::mapping) {
    std::size_t index = 0;
    while (index < here.keys.size() && here.keys[index].name != part) ++index;
    return index;
  }
  const std::string where = node == document_->root ? "the experiment" : "'" + tree.path(node) + "'";
  if (here.kind != NodeKind::sequence) {
    fail(location, "nothing lies below " + where + ", which is " + tree.found(node) + ", for the path '" + excerpt(path) + "'");
    return {};
  }
  const std::size_t index = list_index(part, here.children.size());
  if (index < here.children.size()) return index;
  fail(location, "no entry '" + excerpt(part) + "' in " + where + ", " + tree.found(node) + ", for the path '" + excerpt(path) +
                     "'; entries count from 0");
  return {};
}

// Whether a missing section may be created: it may be one with defaults. A name close to an existing one is a misspelling, and
// `variants` is no section of the experiment.
bool Overrides::may_begin(std::size_t node, const std::string& part, const std::string& path, const Location& location) {
  const ConfigurationTree& tree = document_->tree;
  const std::string near = suggestion(part, tree.key_names(node));
  if (near.empty() && !(node == document_->root && part == "variants")) return true;
  fail(location, "no '" + excerpt(part) + "' in " + (node == document_->root ? "the experiment" : "'" + tree.path(node) + "'") +
                     " for the path '" + excerpt(path) + "'." + near);
  return false;
}

// Walks down the path from the root. A missing section is created, or ends the walk.
std::optional<Overrides::Place> Overrides::find(const std::string& path, const TextMark& mark, MissingSections missing) {
  ConfigurationTree& tree = document_->tree;
  const Location location = tree.location(mark);
  if (!is_well_formed(path)) {
    fail(location,
         "'" + excerpt(path) + "' is not a path; write the keys with one dot between them, as in scene.bodies.0.density");
    return {};
  }
  const std::vector<std::string> parts = split(path);
  std::size_t node = document_->root;
  for (std::size_t i = 0;; ++i) {
    const std::optional<std::size_t> index = entry(node, parts[i], path, location);
    if (!index) return {};
    if (i + 1 == parts.size()) return Place{node, *index};
    if (*index == tree.nodes[node].children.size()) {
      if (!may_begin(node, parts[i], path, location) || missing == MissingSections::leave) return {};
      Node section;
      section.kind = NodeKind::mapping;
      section.mark = mark;
      if (!set({node, *index}, parts[i], path, mark, tree.add(std::move(section)))) return {};
    }
    node = tree.nodes[node].children[*index];
  }
}

bool Overrides::set(const Place& place, const std::string& key, const std::string& path, const TextMark& mark,
                    std::size_t value) {
  ConfigurationTree& tree = document_->tree;
  if (tree.depth(place.parent) + 1 + tree.height(value) > maximum_depth) {
    fail(tree.location(mark),
         "the value of '" + excerpt(path) + "' would be nested over " + std::to_string(maximum_depth) + " deep");
    return false;
  }
  Node& parent = tree.nodes[place.parent];
  tree.nodes[value].parent = place.parent;
  if (place.index < parent.children.size()) {
    parent.children[place.index] = value;
    if (parent.kind == NodeKind::mapping) parent.keys[place.index].mark = mark;
  } else {
    parent.children.push_back(value);
    parent.keys.push_back({key, mark});
  }
  return true;
}

void Overrides::apply(const std::string& path, const std::string& value, const Location& place) {
  ConfigurationTree& tree = document_->tree;
  const auto origin = static_cast<std::uint32_t>(tree.origins.size());
  tree.origins.push_back({"--set " + excerpt(path) + "=" + excerpt(value), value, true, place});
  const TextMark mark{origin, 0, 0};
  std::vector<ConfigurationTree::Problem> problems;
  std::size_t node = tree.parse(origin, &problems);
  for (const ConfigurationTree::Problem& problem : problems) fail(tree.location(problem.mark), problem.text);
  if (node == no_node) {
    Node nothing;
    nothing.mark = mark;
    node = tree.add(std::move(nothing));
  }
  if (const std::optional<Place> place = find(path, mark, MissingSections::begin))
    set(*place, split(path).back(), path, mark, node);
}

std::size_t Overrides::detach(const std::string& key) {
  Node& root = document_->tree.nodes[document_->root];
  for (std::size_t i = 0; i < root.keys.size(); ++i) {
    if (root.keys[i].name != key) continue;
    const std::size_t node = root.children[i];
    root.keys.erase(root.keys.begin() + static_cast<std::ptrdiff_t>(i));
    root.children.erase(root.children.begin() + static_cast<std::ptrdiff_t>(i));
    return node;
  }
  return no_node;
}

void Overrides::apply_variant(const std::string& name) {
  const ConfigurationTree& tree = document_->tree;
  const std::size_t all = detach("variants");
  if (all != no_node && tree.nodes[all].kind != NodeKind::mapping)
    return fail(tree.location(all),
                "'variants' must be a mapping of names to {path: value}, but " + tree.found(all) + " was found.");
  if (all != no_node) document_->variants = tree.key_names(all);
  for (const std::string& variant : document_->variants)
    if (variant != name) check_variant(tree.child(all, variant));
  if (name.empty()) return;
  const std::size_t chosen = all == no_node ? no_node : tree.child(all, name);
  if (chosen != no_node) return apply_entries(chosen);
  const std::string names = joined(document_->variants);
  fail(all == no_node ? Location{tree.origins[0].name, 0, 0} : tree.location(all),
       "no variant '" + excerpt(name) + "'; " + (names.empty() ? "the experiment has none" : "there are: " + names) + "." +
           suggestion(name, document_->variants));
}

// A variant that is not asked for must still be one that could be: its paths lead somewhere, perhaps to what it set itself
// before.
void Overrides::check_variant(std::size_t variant) {
  const ConfigurationTree& tree = document_->tree;
  const Node& node = tree.nodes[variant];
  if (node.kind != NodeKind::mapping)
    return fail(tree.location(variant),
                "a variant must be a mapping {path: value}, but " + tree.found(variant) + " was found.");
  std::unordered_set<std::string> earlier;
  for (const Key& key : node.keys) {
    bool below_earlier = false;
    for (std::size_t dot = key.name.find('.'); dot != std::string::npos && !below_earlier; dot = key.name.find('.', dot + 1))
      below_earlier = earlier.count(key.name.substr(0, dot)) != 0;
    if (!below_earlier) find(key.name, key.mark, MissingSections::leave);
    earlier.insert(key.name);
  }
}

void Overrides::apply_entries(std::size_t variant) {
  const ConfigurationTree& tree = document_->tree;
  if (tree.nodes[variant].kind != NodeKind::mapping) return check_variant(variant);
  const Node entries = tree.nodes[variant];
  for (std::size_t i = 0; i < entries.keys.size(); ++i) {
    const auto& [path, mark] = entries.keys[i];
    if (const std::optional<Place> place = find(path, mark, MissingSections::begin))
      set(*place, split(path).back(), path, mark, entries.children[i]);
  }
}

}  // namespace holo
