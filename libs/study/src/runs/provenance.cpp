#include "holo/study/provenance.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "build_information.h"
#include "holo/core/error.h"
#include "holo/core/runs/machine.h"
#include "holo/core/runs/program_files.h"
#include "holo/core/runs/run_folder.h"
#include "holo/gpu/device.h"

namespace holo {

using json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HashedFile, name, path, hash)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Provenance, version, commit, compiler, flags, build_type, device, processor, processors,
                                   system, blas_kernel, libraries, started, command, experiment, variant, seed, threads,
                                   program, plugins, data_files, resolved)

namespace {

std::string system_name() {
  utsname name{};
  return uname(&name) == 0 ? fmt::format("{} {} {}", name.sysname, name.release, name.machine) : "unknown";
}

// The file of now that takes the place of an old one: of its name, else of its content (a data folder may have moved), else of
// its name without the folders.
const HashedFile* successor(const HashedFile& old, const std::vector<HashedFile>& now) {
  const std::function<bool(const HashedFile&)> rules[] = {
      [&](const HashedFile& file) { return file.name == old.name; },
      [&](const HashedFile& file) { return file.hash == old.hash; },
      [&](const HashedFile& file) { return file.path.filename() == old.path.filename(); }};
  for (const auto& rule : rules)
    if (const auto found = std::find_if(now.begin(), now.end(), rule); found != now.end()) return &*found;
  return nullptr;
}

void compare(const char* what, const std::vector<HashedFile>& then, const std::vector<HashedFile>& now,
             std::vector<std::string>& lines) {
  for (const HashedFile& old : then) {
    const HashedFile* found = successor(old, now);
    if (found == nullptr)
      lines.push_back(fmt::format("the {} '{}' is not used any more", what, old.name));
    else if (found->hash != old.hash)
      lines.push_back(fmt::format("the {} '{}' has changed: {} then, {} now ({})", what, old.name, old.hash, found->hash,
                                  found->path.string()));
  }
}

void compare(const char* what, const std::string& then, const std::string& now, const char* remedy,
             std::vector<std::string>& lines) {
  if (then != now && !then.empty()) lines.push_back(fmt::format("{}: '{}' then, '{}' now{}", what, then, now, remedy));
}

}  // namespace

HashedFile hash_file(const std::string& name, const std::filesystem::path& path) {
  return {name, path, content_hash(read_whole_file(path))};
}

Provenance current_provenance() {
  Provenance p;
  p.version = HOLO_VERSION;
  p.commit = HOLO_COMMIT;
  p.compiler = HOLO_COMPILER;
  p.flags = HOLO_COMPILE_FLAGS;
  p.build_type = HOLO_BUILD_TYPE;
  p.device = device_summary();
  p.processor = processor_name();
  p.processors = static_cast<int>(std::thread::hardware_concurrency());
  p.system = system_name();
  p.blas_kernel = blas_kernel();
  for (const LoadedLibrary& library : numerical_libraries()) p.libraries.push_back({library.name, library.path, library.build});
  p.started = fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  const std::filesystem::path program = program_file();
  p.program = hash_file("holo", program.empty() ? "/proc/self/exe" : program);
  return p;
}

std::string provenance_to_json(const Provenance& provenance) {
  return json(provenance).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Provenance provenance_from_json(const std::filesystem::path& path) {
  try {
    return json::parse(read_whole_file(path)).get<Provenance>();
  } catch (const std::exception& error) {
    throw Error(Failure::input, fmt::format("{}: not the provenance of a run ({})", path.string(), error.what()));
  }
}

// Compares only entries on which the bits of the result depend: not the number of threads, not the command.
std::vector<std::string> differences(const Provenance& then, const Provenance& now) {
  std::vector<std::string> lines;
  compare("program", {then.program}, {now.program}, lines);
  compare("the processor is another", then.processor, now.processor, "", lines);
  compare("OpenBLAS's kernels are those of another processor", then.blas_kernel, now.blas_kernel,
          " (the environment variable OPENBLAS_CORETYPE chooses them)", lines);
  compare("library", then.libraries, now.libraries, lines);
  compare("plugin", then.plugins, now.plugins, lines);
  compare("data file", then.data_files, now.data_files, lines);
  return lines;
}

std::string version_text() {
  return fmt::format("holo {} (commit {}, {}, {})", HOLO_VERSION, HOLO_COMMIT, HOLO_COMPILER, HOLO_BUILD_TYPE);
}

}  // namespace holo
