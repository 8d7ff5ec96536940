// An experiment file: read from disk, parsed, with its variant and overrides applied.

#include <fstream>
#include <system_error>

#include "configuration/document.h"

namespace holo {

namespace {

std::string read_file(const std::filesystem::path& path) {
  const Location location{path.string(), 0, 0};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw_input_error(location, "no such file");
  if (std::filesystem::is_directory(status)) throw_input_error(location, "a directory was found; an experiment is a YAML file");
  if (!std::filesystem::is_regular_file(status))
    throw_input_error(location, "not a regular file; an experiment is a YAML file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw_input_error(location, "the file cannot be read; check its permissions");
  const auto size = std::filesystem::file_size(path, error);
  if (error || size > maximum_bytes)
    throw_input_error(location, "the file has " + std::to_string(size) + " bytes; an experiment has at most " +
                                    std::to_string(maximum_bytes) + ", and large data a file of its own");
  std::string text(static_cast<std::size_t>(size), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (static_cast<std::uintmax_t>(file.gcount()) != size) throw_input_error(location, "the file cannot be read to its end");
  return text;
}

std::string without_byte_order_mark(const std::string& text) {
  return text.rfind("\xEF\xBB\xBF", 0) == 0 ? text.substr(3) : text;
}

std::shared_ptr<ConfigurationDocument> open(const std::string& text, const std::filesystem::path& path,
                                            const ConfigurationFileOptions& options) {
  auto document = std::make_shared<ConfigurationDocument>();
  ConfigurationTree& tree = document->tree;
  document->path = path;
  if (text.size() > maximum_bytes)
    throw_input_error({path.string(), 0, 0}, "the text has " + std::to_string(text.size()) +
                                                 " bytes; an experiment has at most " + std::to_string(maximum_bytes));
  tree.origins.push_back({path.string(), without_byte_order_mark(text), false});
  std::vector<ConfigurationTree::Problem> problems;
  document->root = tree.parse(0, &problems);
  if (document->root == no_node)
    throw_input_error({path.string(), 1, 1}, "the file is empty; an experiment is a mapping of keys to values");
  if (tree.nodes[document->root].kind != NodeKind::mapping)
    throw_input_error(
        tree.location(document->root),
        tree.found(document->root) + " was found; an experiment is a mapping of keys to values, as in 'name: drop'");
  for (const ConfigurationTree::Problem& problem : problems) document->add_problem(tree.location(problem.mark), problem.text);
  Overrides overrides(document.get());
  overrides.apply_variant(options.variant);
  for (const auto& [where, value] : options.overrides) overrides.apply(where, value);
  for (const std::string& key : options.without) overrides.detach(key);
  for (const PlacedOverride& placed : options.placed_overrides) overrides.apply(placed.path, placed.value, placed.place);
  // The tree is then not the one that was asked for: nothing that is read from it would be worth reporting.
  if (overrides.failed()) document->throw_problems();
  document->account(document->root);
  return document;
}

}  // namespace

ConfigurationFile ConfigurationFile::load(const std::filesystem::path& path, const ConfigurationFileOptions& options) {
  ConfigurationFile file;
  file.document_ = open(read_file(path), path, options);
  return file;
}

ConfigurationFile ConfigurationFile::parse(const std::string& yaml, const std::string& name,
                                           const ConfigurationFileOptions& options) {
  ConfigurationFile file;
  file.document_ = open(yaml, name, options);
  return file;
}

Configuration ConfigurationFile::root() { return Configuration(document_, document_->root); }

void ConfigurationFile::finish() {
  document_->add_unread_keys();
  document_->throw_problems();
}

std::string ConfigurationFile::resolved() const { return document_->tree.block_yaml(document_->root); }

std::vector<std::string> ConfigurationFile::variants() const { return document_->variants; }

std::vector<std::filesystem::path> ConfigurationFile::files_read() const { return document_->files; }

const std::filesystem::path& ConfigurationFile::path() const { return document_->path; }

}  // namespace holo
