#pragma once
// An XML file with those that it includes, and its elements: every failure names the file, the line and the element.

#include <Eigen/Core>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "holo/sim/articulated/articulated_model.h"

namespace holo {

class XmlElement;

class XmlFiles {
 public:
  // Throws Error(input) for what cannot be read, or is no XML.
  explicit XmlFiles(const std::filesystem::path& path);

  XmlElement root();
  const std::filesystem::path& path() const { return path_; }
  Location location(const pugi::xml_node& node) const;
  // The root of the file that an element `include` names, relative to the first file. Each file may be included once.
  pugi::xml_node included(const XmlElement& include);

 private:
  struct File {
    std::string name, text;
    pugi::xml_document document;
    std::size_t includer = 0;  // the element that includes it
  };
  File& load(const std::filesystem::path& path, const Location& includer);

  std::filesystem::path path_;
  std::map<std::string, std::unique_ptr<File>> files_;  // by canonical path
};

// Cheap to copy; the files must outlive it.
class XmlElement {
 public:
  XmlElement() = default;
  XmlElement(XmlFiles& files, pugi::xml_node node) : files_(&files), node_(node) {}

  explicit operator bool() const { return bool(node_); }
  std::string name() const { return node_.name(); }
  bool is(const char* name) const { return name == this->name(); }
  Location location() const { return files_->location(node_); }
  FileSource source() const;  // for errors that show later

  bool has(const char* attribute) const { return bool(node_.attribute(attribute)); }
  std::string text(const char* attribute, const std::string& otherwise = "") const;
  std::string required_text(const char* attribute) const;  // not empty
  std::string text_of(const char* attribute, const std::vector<std::string>& allowed, const std::string& otherwise) const;
  // Finite numbers separated by blanks, `minimum` to `maximum` of them; {} without the attribute.
  std::vector<double> numbers(const char* attribute, std::size_t minimum, std::size_t maximum) const;
  double number(const char* attribute, double otherwise) const;
  Eigen::Vector3d vector3(const char* attribute, const Eigen::Vector3d& otherwise) const;

  // Elements below this one, in the file's order; an `include` is replaced by what its file holds.
  std::vector<XmlElement> children() const;
  std::vector<XmlElement> children(const char* name) const;
  XmlElement child(const char* name) const;  // the only one, or none

  // Refuses attributes that look like misspelled ones of `matters`. Others pass: formats grow.
  void check_spelling(const std::vector<std::string>& matters, const std::vector<std::string>& others) const;

  // "file:line:column: <joint name='knee'>: text"
  [[noreturn]] void fail(const std::string& text) const;

  const pugi::xml_node& node() const { return node_; }

 private:
  XmlFiles* files_ = nullptr;
  pugi::xml_node node_;
};

}  // namespace holo
