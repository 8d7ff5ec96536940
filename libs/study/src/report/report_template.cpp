#include <filesystem>

#include "holo/core/runs/program_files.h"
#include "holo/study/report.h"

namespace holo {

std::string find_report_template() {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path path = program_prefix() / "share" / "holo" / "report_template.html";
  return fs::is_regular_file(path, none) ? path.string() : std::string();
}

}  // namespace holo
