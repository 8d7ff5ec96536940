// holo plugin new material NAME: a file to fill in.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "commands.h"
#include "holo/core/error.h"
#include "holo/core/run_folder.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

// {0}: the type's name, {1}: the plugin's.
constexpr const char* material_source =
    R"(// What it models, and whose it is: psi(F) = mu/2 (|F|^2 - 3) - mu log J + lambda/2 (log J)^2   [J/m^3],  J = det F
#include <holo/plugin/material.h>

struct {0} {{
  // The energy exists for det F > 0 only. Leave this line out when it exists for every F.
  static constexpr auto domain = holo::Domain::positive_determinant;

  template <class S>
  struct Coefficients {{
    S mu, lambda;  // Pa
  }};

  // What an experiment states, and what the energy needs of it.
  template <class P>
  static Coefficients<P> read(const holo::ParameterReader<P>& p) {{
    P E = p.positive("youngs_modulus", "Pa"), nu = p.in_range("poissons_ratio", "1", 0, 0.5);
    return {{E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))}};
  }}

  // Fill in yours: zero, and stationary, at F = I. Its derivatives follow from it.
  template <class S>
  static constexpr S energy_density(const holo::Matrix3<S>& F, const Coefficients<S>& c) {{
    S log_J = log(determinant(F));
    return c.mu / 2 * (squared_norm(F) - 3) - c.mu * log_J + c.lambda / 2 * log_J * log_J;
  }}
}};

HOLO_MATERIAL({0}, "{1}", "what it models, in one line")
)";

constexpr const char* material_build = R"(cmake_minimum_required(VERSION 3.24)
project({0} LANGUAGES CXX)
find_package(Holomorph REQUIRED)
enable_testing()
holo_add_plugin({0} {0}.cpp)
)";

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

void write_new(const fs::path& path, const std::string& text) {
  if (fs::exists(path)) throw Error(Failure::input, fmt::format("{}: exists already, and is left as it is", path.string()));
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  write_whole_file(path, text);
  fmt::print("wrote {}\n", path.string());
}

void write_folder(const fs::path& folder, const std::string& name, const std::string& source) {
  for (const fs::path& path : {folder / (name + ".cpp"), folder / "CMakeLists.txt"})
    if (fs::exists(path)) throw Error(Failure::input, fmt::format("{}: exists already, and is left as it is", path.string()));
  write_new(folder / (name + ".cpp"), source);
  write_new(folder / "CMakeLists.txt", fmt::format(fmt::runtime(material_build), name));
  fmt::print(
      "build it: cmake -S {0} -B {0}/build -DCMAKE_PREFIX_PATH=<where Holomorph is installed> && cmake --build {0}/build\n"
      "use it:   holo run FILE --plugin-path {0}/build/plugins\n",
      folder.string());
}

}  // namespace

ExitCode plugin_command(const CommandLine& line) {
  if (line.arguments[0] != "new" || line.arguments[1] != "material")
    throw Error(Failure::input, fmt::format("holo plugin {} {}: this build knows `holo plugin new material NAME` only",
                                            line.arguments[0], line.arguments[1]));
  const std::string& name = line.arguments[2];
  check_name(name);
  std::string source = fmt::format(fmt::runtime(material_source), type_name(name), name);
  fs::path tree = source_tree();
  if (!line.out.empty() || tree.empty()) {
    write_folder(line.out.empty() ? fs::path(name) : line.out, name, source);
  } else {
    write_new(tree / "plugins/materials" / (name + ".cpp"), source);
    fmt::print("the next build finds it: cmake --build build/release\n");
  }
  return ExitCode::done;
}

}  // namespace holo
