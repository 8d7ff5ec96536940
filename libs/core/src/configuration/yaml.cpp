// YAML into the tree, from the parser's events: every node gets its place, and what experiments do not use is refused by name.

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <unordered_map>

#include "configuration/number.h"
#include "configuration/tree.h"

namespace holo {

namespace {

constexpr std::size_t longest_key = 200;
constexpr std::size_t most_problems = 1000;  // each costs a search of the text

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(ConfigurationTree* tree, std::uint32_t origin, std::vector<ConfigurationTree::Problem>* problems)
      : tree_(tree), origin_(origin), problems_(problems) {}

  std::size_t root() const { return root_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0)
      refuse(to_mark(mark),
             "a second YAML document, or a line whose indentation matches none above; an experiment is one document");
  }
  void OnDocumentEnd() override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_anchor(mark); }
  void OnAnchor(const YAML::Mark& mark, const std::string&) override { refuse_anchor(mark); }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (wants_key()) refuse(to_mark(mark), "an empty key; a key is a name");
    Node node;
    // The parser marks a missing value at the token after it, which may stand lines below.
    node.mark = stack_.empty() || tree_->nodes[stack_.back().node].kind != NodeKind::mapping ? to_mark(mark) : last_key();
    attach(std::move(node));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
    check_tag(mark, tag);
    if (!is_utf8(value)) refuse(to_mark(mark), "an escape in the quotes that is no UTF-8 character");
    if (wants_key()) return add_key(to_mark(mark), tag == "!", value);
    Node node;
    node.kind = NodeKind::scalar;
    node.mark = to_mark(mark);
    node.text = value;
    node.quoted = tag == "!";
    if (!node.quoted && is_not_finite(value)) {
      node.silent = true;
      if (problems_->size() < most_problems)
        problems_->push_back(
            {node.mark, "found " + excerpt(value) + "; a number must be finite, between -1.7e308 and 1.7e308"});
    }
    attach(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(mark, tag, NodeKind::sequence);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(mark, tag, NodeKind::mapping);
  }
  void OnSequenceEnd() override { stack_.pop_back(); }
  void OnMapEnd() override { stack_.pop_back(); }

 private:
  struct Open {
    std::size_t node;
    bool has_key = false;    // the next event is the value of the last key
    bool duplicate = false;  // the last key exists already: its value is dropped
    std::unordered_map<std::string, TextMark> places = {};
  };

  TextMark to_mark(const YAML::Mark& mark) const { return {origin_, mark.line, mark.column}; }
  TextMark last_key() const { return key_mark_; }
  bool wants_key() const {
    return !stack_.empty() && tree_->nodes[stack_.back().node].kind == NodeKind::mapping && !stack_.back().has_key;
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!")
      refuse(to_mark(mark), "the tag '" + excerpt(tag) + "'; experiments have no tags, a value's type follows from its key");
  }

  void open(const YAML::Mark& mark, const std::string& tag, NodeKind kind) {
    check_tag(mark, tag);
    if (wants_key()) refuse(to_mark(mark), "a list or mapping as a key; a key is a name");
    if (stack_.size() >= maximum_depth)
      refuse(to_mark(mark), "lists and mappings nested over " + std::to_string(maximum_depth) + " deep, the maximum");
    Node node;
    node.kind = kind;
    node.mark = to_mark(mark);
    stack_.push_back({attach(std::move(node))});
  }

  void add_key(const TextMark& mark, bool quoted, const std::string& name) {
    if (!quoted && name == "<<") refuse(mark, "a merge key '<<'; write the keys out, so that each has one place");
    if (name.size() > longest_key) refuse(mark, "a key of " + std::to_string(name.size()) + " bytes; a key is a name");
    Open& top = stack_.back();
    const auto [place, is_new] = top.places.emplace(name, mark);
    if (!is_new && problems_->size() < most_problems) {
      const Location first = tree_->location(place->second);
      problems_->push_back({mark, "duplicate key '" + excerpt(name) + "'; it was given first at line " +
                                      std::to_string(first.line) + ", column " + std::to_string(first.column)});
    }
    top.duplicate = !is_new;
    top.has_key = true;
    key_mark_ = mark;
    key_name_ = name;
  }

  std::size_t attach(Node node) {
    if (tree_->nodes.size() >= maximum_values)
      refuse(node.mark,
             "over " + std::to_string(maximum_values) + " values, the maximum; put such data into a file of its own");
    node.parent = stack_.empty() ? no_node : stack_.back().node;
    const std::size_t index = tree_->add(std::move(node));
    if (stack_.empty()) {
      root_ = index;
      return index;
    }
    Open& top = stack_.back();
    Node& parent = tree_->nodes[top.node];
    if (!top.duplicate) {
      parent.children.push_back(index);
      if (parent.kind == NodeKind::mapping) parent.keys.push_back({key_name_, key_mark_});
    }
    top.has_key = top.duplicate = false;
    return index;
  }

  [[noreturn]] void refuse_anchor(const YAML::Mark& mark) const {
    refuse(to_mark(mark), "an anchor or alias; write the value out, so that each has one place");
  }
  [[noreturn]] void refuse(const TextMark& mark, const std::string& text) const {
    throw_input_error(tree_->location(mark), "found " + text);
  }

  ConfigurationTree* tree_;
  std::uint32_t origin_;
  std::vector<ConfigurationTree::Problem>* problems_;
  std::vector<Open> stack_;
  TextMark key_mark_;
  std::string key_name_;
  std::size_t root_ = no_node;
  int documents_ = 0;
};

// The line number `line` of a text, without its comment and the blanks around it.
std::string content_of(const std::string& text, int line, std::int32_t* column) {
  std::istringstream lines(text);
  std::string content;
  for (int i = 0; i <= line; ++i)
    if (!std::getline(lines, content)) return "";
  content = content.substr(0, content.find(" #"));
  const std::size_t first = content.find_first_not_of(' ');
  if (first == std::string::npos || content[first] == '#') return "";
  *column = static_cast<std::int32_t>(first);
  return content.substr(first, content.find_last_not_of(" \r") + 1 - first);
}

// A key without its ':' continues on the next line, or ends the mapping: the parser then fails at a line below. Returns the
// line that may lack the ':', if there is one.
std::optional<TextMark> line_without_colon(const std::string& text, TextMark mark) {
  const auto is_of_a_list = [](const std::string& line) {
    return line.front() == '-' || std::string_view(",[]{}").find(line.back()) != std::string_view::npos;
  };
  constexpr int farthest = 20;  // lines
  for (int line = mark.line - 1, last = std::max(0, mark.line - farthest); line >= last; --line) {
    const std::string content = content_of(text, line, &mark.column);
    if (content.empty()) continue;
    if (content.find(':') != std::string::npos || is_of_a_list(content)) return {};
    mark.line = line;
    return mark;
  }
  return {};
}

// ${NAME} ends an unquoted text inside { } or [ ], which the parser's own message does not state.
std::string hint(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string content;
  for (int i = 0; i <= line && std::getline(lines, content); ++i)
    if (i == line && content.find("${") != std::string::npos) return "; inside { } and [ ], text with ${...} must be in quotes";
  return "";
}

// The most frequent cause of a parser's message, else the message.
std::string explanation(const std::string& message) {
  if (message == "end of map not found" || message == "end of sequence not found")
    return "this text belongs to no list or mapping above: begin it in the column of its neighboring keys, and check commas "
           "and "
           "quotes";
  if (message == "illegal map value") return "a ':' too many, or an indentation that matches no line above";
  return message;
}

}  // namespace

std::size_t ConfigurationTree::parse(std::uint32_t origin, std::vector<Problem>* problems) {
  check_yaml_text(*this, origin);
  TreeBuilder builder(this, origin, problems);
  try {
    std::istringstream stream(origins[origin].text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    TextMark mark{origin, 0, 0};
    if (!error.mark.is_null()) mark = {origin, error.mark.line, error.mark.column};
    const std::optional<TextMark> above =
        explanation(error.msg) == error.msg ? std::nullopt : line_without_colon(origins[origin].text, mark);
    if (above)
      throw_input_error(location(*above), "not YAML: this line may lack a ':' after its key, since line " +
                                              std::to_string(mark.line + 1) + " does not continue it");
    throw_input_error(location(mark), "not YAML: " + explanation(error.msg) + hint(origins[origin].text, mark.line));
  }
  return builder.root();
}

}  // namespace holo
