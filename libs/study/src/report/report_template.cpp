#include <filesystem>

#include "holo/study/report.h"

namespace holo {

std::string find_report_template() {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  const fs::path path = program.parent_path().parent_path() / "share" / "holo" / "report_template.html";
  return fs::is_regular_file(path, none) ? path.string() : std::string();
}

}  // namespace holo
