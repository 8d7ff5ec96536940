#pragma once
// Provenance of a run, provenance.json: program, machine, plugins, data files, seed. Resuming compares it with the present
// ones.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace holo {

struct HashedFile {
  std::string name;  // of a plugin; of a data file its path
  std::filesystem::path path;
  std::string hash;  // content_hash
};

struct Provenance {
  std::string version, commit;  // commit of the source tree when it was configured, "-dirty" when it had changes
  std::string compiler, flags, build_type;
  std::string device;  // device_summary(): the build's support of graphics processors
  std::string processor, system;
  int processors = 0;
  std::string blas_kernel;            // the processor that OpenBLAS's kernels are made for
  std::vector<HashedFile> libraries;  // of the system, that calculations go through; by their build IDs
  std::string started;                // UTC, ISO 8601
  std::vector<std::string> command;
  std::filesystem::path experiment;  // absolute: files named in the experiment are relative to its folder
  std::string variant;
  std::uint64_t seed = 0;
  int threads = 0;  // 0: all
  HashedFile program;
  std::vector<HashedFile> plugins;
  std::vector<HashedFile> data_files;
  std::string resolved;  // content_hash of the run's experiment.yaml
};

HashedFile hash_file(const std::string& name, const std::filesystem::path& path);

// The provenance of this process, without the entries that depend on the experiment.
Provenance current_provenance();

std::string provenance_to_json(const Provenance& provenance);
Provenance provenance_from_json(const std::filesystem::path& path);  // throws Error(input)

// The differences that forbid resuming, one line each: program, processor, kernels of the BLAS, a library, a plugin, the
// content of a data file. Empty if a run can be resumed.
std::vector<std::string> differences(const Provenance& then, const Provenance& now);

std::string version_text();  // "holo 0.1.0 (commit, compiler, build type)"

}  // namespace holo
