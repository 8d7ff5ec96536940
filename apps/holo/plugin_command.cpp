// holo plugin new KIND NAME: a file to fill in.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "answer.h"
#include "commands.h"
#include "holo/core/error.h"
#include "holo/core/runs/run_folder.h"
#include "plugin_sources.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

bool is_keyword(const std::string& name) {
  static const std::vector<std::string> keywords{
      "alignas",       "alignof",   "and",       "and_eq",   "asm",        "auto",         "bitand",
      "bitor",         "bool",      "break",     "case",     "catch",      "char",         "class",
      "co_await",      "co_return", "co_yield",  "compl",    "concept",    "const",        "consteval",
      "constexpr",     "constinit", "continue",  "decltype", "default",    "delete",       "do",
      "double",        "else",      "enum",      "explicit", "export",     "extern",       "false",
      "float",         "for",       "friend",    "goto",     "if",         "inline",       "int",
      "long",          "mutable",   "namespace", "new",      "noexcept",   "not",          "not_eq",
      "nullptr",       "operator",  "or",        "or_eq",    "private",    "protected",    "public",
      "register",      "requires",  "return",    "short",    "signed",     "sizeof",       "static",
      "static_assert", "struct",    "switch",    "template", "this",       "thread_local", "throw",
      "true",          "try",       "typedef",   "typeid",   "typename",   "union",        "unsigned",
      "using",         "virtual",   "void",      "volatile", "wchar_t",    "while",        "xor",
      "xor_eq",        "char8_t",   "char16_t",  "char32_t", "const_cast", "dynamic_cast", "reinterpret_cast",
      "static_cast",   "holo",      "test",      "all",      "install"};
  return std::find(keywords.begin(), keywords.end(), name) != keywords.end();
}

void check_name(const std::string& name) {
  auto allowed = [](unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  bool snake_case = !name.empty() && name.size() <= 64 && name[0] >= 'a' && name[0] <= 'z' &&
                    std::all_of(name.begin(), name.end(), allowed) && name.back() != '_' &&
                    name.find("__") == std::string::npos;
  if (!snake_case)
    throw Error(Failure::input,
                fmt::format("'{}' cannot be a plugin's name: it must be snake_case, begin with a letter, hold a-z, 0-9 "
                            "and single '_' only, and have at most 64 characters (such as 'my_rubber')",
                            name));
  if (is_keyword(name))
    throw Error(Failure::input, fmt::format("'{}' cannot be a plugin's name: the word is reserved by C++ or the build", name));
}

std::string type_name(const std::string& name) {
  std::string result;
  bool upper = true;
  for (char c : name) {
    if (c != '_') result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = c == '_';
  }
  return result;
}

// The project's source tree around the current folder, or "".
fs::path source_tree() {
  for (fs::path folder = fs::current_path();; folder = folder.parent_path()) {
    if (fs::exists(folder / "libs/plugin/include/holo/plugin/material.h") && fs::is_directory(folder / "plugins"))
      return folder;
    if (folder == folder.root_path()) return {};
  }
}

fs::path own_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

// The prefix in which this program and the package for plugins are installed, or "".
fs::path installed_prefix() {
  const fs::path prefix = own_folder().parent_path();
  return fs::exists(prefix / HOLO_INSTALL_LIBDIR "/cmake/Holomorph/HolomorphConfig.cmake") ? prefix : fs::path();
}

void write_new(const CommandLine& line, const fs::path& path, const std::string& text) {
  if (fs::exists(path)) throw Error(Failure::input, fmt::format("{}: exists already, and is left as it is", path.string()));
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  write_whole_file(path, text);
  answer(line, fmt::format("wrote {}\n", path.string()), {{"file", fs::absolute(path).lexically_normal().string()}});
}

void write_folder(const CommandLine& line, const fs::path& folder, const std::string& name, const std::string& source) {
  for (const fs::path& path : {folder / (name + ".cpp"), folder / "CMakeLists.txt"})
    if (fs::exists(path)) throw Error(Failure::input, fmt::format("{}: exists already, and is left as it is", path.string()));
  write_new(line, folder / (name + ".cpp"), source);
  write_new(line, folder / "CMakeLists.txt", fmt::format(fmt::runtime(plugin_build), name));
  if (line.json) return;
  const std::string prefix = installed_prefix().string();
  fmt::print(
      "build it: cmake -S {0} -B {0}/build -DCMAKE_PREFIX_PATH={1} && cmake --build {0}/build\n"
      "test it:  ctest --test-dir {0}/build --output-on-failure\n"
      "use it:   holo run FILE --plugin-path {0}/build/plugins\n",
      folder.string(), prefix.empty() ? "<where Holomorph is installed>" : prefix);
  if (prefix.empty())
    fmt::print("This holo is not installed; to install it: cmake --install {} --prefix ~/holomorph\n",
               own_folder().parent_path().string());
}

struct PluginKind {
  std::string name;
  std::string folder;  // in the source tree
  const char* source;
};

}  // namespace

ExitCode plugin_command(const CommandLine& line) {
  static const std::vector<PluginKind> kinds{{"material", "plugins/materials", material_source},
                                             {"joint", "plugins/joints", joint_source},
                                             {"loss", "plugins/losses", loss_source},
                                             {"body_energy", "plugins/body_energies", body_energy_source}};
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const PluginKind& kind : kinds) names.push_back(kind.name);
  const auto kind = std::find(names.begin(), names.end(), line.arguments[1]);
  if (line.arguments[0] != "new" || kind == names.end())
    throw Error(
        Failure::input,
        fmt::format("holo plugin {} {}: there is `holo plugin new KIND NAME`, and KIND is one of: {}.{}", line.arguments[0],
                    line.arguments[1], fmt::join(names, ", "), suggestion(line.arguments[1], names)));
  const PluginKind& wanted = kinds[static_cast<std::size_t>(kind - names.begin())];
  const std::string& name = line.arguments[2];
  check_name(name);
  std::string source = fmt::format(fmt::runtime(wanted.source), type_name(name), name);
  fs::path tree = source_tree();
  if (!line.out.empty() || tree.empty()) {
    write_folder(line, line.out.empty() ? fs::path(name) : line.out, name, source);
  } else {
    write_new(line, tree / wanted.folder / (name + ".cpp"), source);
    if (!line.json) fmt::print("the next build finds it: cmake --build build/release\n");
  }
  return ExitCode::done;
}

}  // namespace holo
