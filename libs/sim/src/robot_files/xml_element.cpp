#include "robot_files/xml_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "mesh/readers/mesh_scanner.h"

namespace holo {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_file = std::uintmax_t(64) << 20;  // [bytes]

std::string read_text(const fs::path& path, const Location& includer) {
  std::error_code error;
  if (!fs::exists(path, error)) throw_input_error(includer, fmt::format("there is no file '{}'", path.string()));
  if (!fs::is_regular_file(path, error)) throw_input_error(includer, fmt::format("'{}' is no file", path.string()));
  if (fs::file_size(path, error) > largest_file)
    throw_input_error(includer,
                      fmt::format("'{}' is larger than {} MB; no robot's file is", path.string(), largest_file >> 20));
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw_input_error(includer, fmt::format("'{}' cannot be read; check its permissions", path.string()));
  return std::move(text).str();
}

// The line and column at an offset.
Location place_in(const std::string& file, const std::string& text, std::ptrdiff_t offset) {
  const auto end = text.begin() + std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(text));
  auto begin = end;  // of the line
  while (begin != text.begin() && *(begin - 1) != '\n') --begin;
  return {file, 1 + int(std::count(text.begin(), end, '\n')), 1 + int(end - begin)};
}

}  // namespace

XmlFiles::XmlFiles(const fs::path& path) : path_(path) { load(path, {}); }

XmlFiles::File& XmlFiles::load(const fs::path& path, const Location& includer) {
  auto file = std::make_unique<File>();
  file->name = path.string();
  file->text = read_text(path, includer);
  const pugi::xml_parse_result result =
      file->document.load_buffer(file->text.data(), file->text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result)
    throw_input_error(place_in(file->name, file->text, result.offset),
                      fmt::format("not well-formed XML ({})", result.description()));
  return *(files_[fs::weakly_canonical(path).string()] = std::move(file));
}

XmlElement XmlFiles::root() { return {*this, files_.at(fs::weakly_canonical(path_).string())->document.document_element()}; }

Location XmlFiles::location(const pugi::xml_node& node) const {
  for (const auto& [path, file] : files_)
    if (file->document == node.root()) return place_in(file->name, file->text, node.offset_debug() - 1);  // at '<'
  return {path_.string()};
}

pugi::xml_node XmlFiles::included(const XmlElement& include) {
  const fs::path path = path_.parent_path() / include.required_text("file");
  const std::size_t includer = include.node().hash_value();
  const auto known = files_.find(fs::weakly_canonical(path).string());
  if (known == files_.end()) {
    File& file = load(path, include.location());
    file.includer = includer;
    return file.document.document_element();
  }
  if (known->second->includer != includer)
    include.fail(fmt::format("'{}' is included twice, or includes itself; a file may be included once", path.string()));
  return known->second->document.document_element();
}

std::string XmlElement::text(const char* attribute, const std::string& otherwise) const {
  return node_.attribute(attribute).as_string(otherwise.c_str());
}

std::string XmlElement::required_text(const char* attribute) const {
  const std::string value = text(attribute);
  if (!has(attribute)) fail(fmt::format("the attribute '{}' is missing", attribute));
  if (value.empty()) fail(fmt::format("the attribute '{}' is empty", attribute));
  return value;
}

std::string XmlElement::text_of(const char* attribute, const std::vector<std::string>& allowed,
                                const std::string& otherwise) const {
  const std::string value = text(attribute, otherwise);
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
    fail(fmt::format("'{}' is {}; allowed are {}", attribute, shown(value), fmt::join(allowed, ", ")));
  return value;
}

std::vector<double> XmlElement::numbers(const char* attribute, std::size_t minimum, std::size_t maximum) const {
  std::vector<double> result;
  if (!has(attribute)) return result;
  const std::string value = node_.attribute(attribute).value();
  std::istringstream words(value);
  for (std::string word; words >> word;) {
    const char* begin = word.data() + (word.size() > 1 && word[0] == '+' && word[1] != '-' ? 1 : 0);
    double number = 0;
    const auto [end, error] = std::from_chars(begin, word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(number))
      fail(fmt::format("'{}' contains {}, which is no finite number", attribute, shown(word)));
    result.push_back(number);
  }
  if (result.size() < minimum || result.size() > maximum)
    fail(fmt::format("'{}' has {} numbers; {} are allowed", attribute, result.size(),
                     minimum == maximum ? std::to_string(minimum) : fmt::format("{} to {}", minimum, maximum)));
  return result;
}

double XmlElement::number(const char* attribute, double otherwise) const {
  const std::vector<double> values = numbers(attribute, 1, 1);
  return values.empty() ? otherwise : values[0];
}

Eigen::Vector3d XmlElement::vector3(const char* attribute, const Eigen::Vector3d& otherwise) const {
  const std::vector<double> values = numbers(attribute, 3, 3);
  return values.empty() ? otherwise : Eigen::Vector3d(values[0], values[1], values[2]);
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> result;
  for (const pugi::xml_node& node : node_.children()) {
    if (node.type() != pugi::node_element) continue;
    const XmlElement element(*files_, node);
    if (element.is("include")) {
      const std::vector<XmlElement> included = XmlElement(*files_, files_->included(element)).children();
      result.insert(result.end(), included.begin(), included.end());
    } else {
      result.push_back(element);
    }
  }
  return result;
}

std::vector<XmlElement> XmlElement::children(const char* name) const {
  std::vector<XmlElement> result = children();
  std::erase_if(result, [&](const XmlElement& element) { return !element.is(name); });
  return result;
}

XmlElement XmlElement::child(const char* name) const {
  const std::vector<XmlElement> found = children(name);
  if (found.size() > 1) found[1].fail(fmt::format("a second '{}' of one '{}'; leave one", name, this->name()));
  return found.empty() ? XmlElement() : found[0];
}

void XmlElement::check_spelling(const std::vector<std::string>& matters, const std::vector<std::string>& others) const {
  for (const pugi::xml_attribute& attribute : node_.attributes()) {
    const std::string name = attribute.name();
    const auto is_among = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (is_among(matters) || is_among(others)) continue;
    if (const std::string meant = suggestion(name, matters); !meant.empty())
      fail(fmt::format("the attribute '{}' is unknown.{}", name, meant));
  }
}

FileSource XmlElement::source() const {
  return {location(),
          has("name") ? fmt::format("<{} name={}>", name(), shown(this->text("name"))) : fmt::format("<{}>", name())};
}

void XmlElement::fail(const std::string& text) const { source().fail(text); }

}  // namespace holo
