#include "runs/requirements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <set>

#include "holo/core/runs/program_files.h"
#include "holo/study/runner.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

// The command that builds the references: in the build of this program, or in the source tree of its installation.
std::string build_command() {
  std::error_code error;
  const fs::path build = program_prefix();
  if (fs::exists(build / "CMakeCache.txt", error))
    return fmt::format("`cmake --build {} --target plugin_references` builds them", build.string());
  return "in the source tree, `scripts/build release plugin_references && cmake --install build/release` builds and installs "
         "them";
}

}  // namespace

void require_variables(const ConfigurationFile& file) {
  const std::string text = file.resolved();
  std::set<std::string> unset;
  for (std::size_t begin = text.find("${"); begin != std::string::npos; begin = text.find("${", begin + 2)) {
    const std::size_t end = text.find('}', begin);
    if (end == std::string::npos) break;
    const std::string name = text.substr(begin + 2, end - begin - 2);
    const char* value = std::getenv(name.c_str());
    if (!name.empty() && (value == nullptr || *value == '\0')) unset.insert(name);
  }
  if (unset.empty()) return;
  const std::string names = fmt::format("{} not set", fmt::join(unset, ", "));
  throw NotAvailable(names, fmt::format("{}: the environment variables that it names are not set: {}{}", file.path().string(),
                                        fmt::join(unset, ", "), unset.count("HOLO_DATA_DIR") != 0 ? "; see docs/data.md" : ""));
}

void require_references(const ConfigurationFile& file, const StudyPlan& plan) {
  const std::vector<std::string>& missing = plan.missing_references;
  if (missing.empty()) return;
  throw NotAvailable("references not built",
                     fmt::format("{}: needs the 100-digit references of {} ({} plugins), which are not built; {}",
                                 file.path().string(), fmt::join(missing, ", "), missing.size(), build_command()));
}

}  // namespace holo
