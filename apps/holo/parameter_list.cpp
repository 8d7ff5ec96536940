#include "parameter_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace holo {

namespace {

// The keys whose choice brings in a page of its own: PATH where "PATH: NAME" is a part of the condition.
std::vector<std::string> choices_of(const std::string& condition, const std::vector<std::string>& elsewhere) {
  std::vector<std::string> paths;
  for (std::size_t begin = 0; begin < condition.size();) {
    const std::size_t end = std::min(condition.find(", ", begin), condition.size());
    const std::string part = condition.substr(begin, end - begin);
    const std::size_t colon = part.find(": ");
    if (colon != std::string::npos && std::find(elsewhere.begin(), elsewhere.end(), part.substr(colon + 2)) != elsewhere.end())
      paths.push_back(part.substr(0, colon));
    begin = end + 2;
  }
  return paths;
}

std::string line_of(const ParameterDescription& p, bool has_pages) {
  std::string text = p.kind;
  if (!p.unit.empty() && p.unit != "1") text += " [" + p.unit + "]";
  if (!p.range.empty()) text += ", " + p.range;
  text += !p.default_value.empty() ? ", default " + p.default_value : p.required ? ", required" : ", optional";
  if (!p.documentation.empty()) text += ": " + p.documentation;
  if (has_pages) text += "; `holo describe` with one of these names lists what it adds";
  if (!p.condition.empty()) text += " (with " + p.condition + ")";
  return text;
}

}  // namespace

std::string parameter_list(const std::vector<ParameterDescription>& parameters, const std::vector<std::string>& elsewhere) {
  std::string text = fmt::format("\nparameters{}\n", parameters.empty() ? ": none" : "");
  std::vector<const ParameterDescription*> own;
  std::vector<std::string> with_pages;
  std::size_t width = 0;
  for (const ParameterDescription& p : parameters) {
    const std::vector<std::string> choices = choices_of(p.condition, elsewhere);
    with_pages.insert(with_pages.end(), choices.begin(), choices.end());
    if (!choices.empty()) continue;
    own.push_back(&p);
    width = std::max(width, p.path.size());
  }
  for (const ParameterDescription* p : own) {
    const bool has_pages = std::find(with_pages.begin(), with_pages.end(), p->path) != with_pages.end();
    text += fmt::format("  {:<{}}  {}\n", p->path, width, line_of(*p, has_pages));
  }
  return text;
}

}  // namespace holo
