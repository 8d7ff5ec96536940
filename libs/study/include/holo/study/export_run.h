#pragma once
// Export of a run's results to files of other programs: tables, arrays, meshes, scenes, pictures and robots. docs/export.md
// lists the files of each format.
//
//   export_run({.run = "runs/beam", .out = "beam", .formats = {"npz", "png"}, .frames = "last"});

#include <filesystem>
#include <string>
#include <vector>

namespace holo {

struct ExportRequest {
  std::filesystem::path run;
  std::filesystem::path out = {};         // a folder, created where it does not exist; empty: RUN/export
  std::vector<std::string> formats = {};  // of export_formats(); empty: csv and npy
  // Frames, counted from 0 as in the report: "N", "first", "last", "all", or "N:M" with both included. Empty: all frames, of
  // obj, msh and png the last one.
  std::string frames = {};
};

struct ExportFormat {
  std::string name, documentation;
};
const std::vector<ExportFormat>& export_formats();

// Writes the files and returns their paths. No file is replaced, and after an error none of them is there.
// Throws Error(input) for a folder that is no run or that was changed since, an unknown format or frame, a format for which the
// run has no data, and a file that is there already; Error(environment) for a program that is not installed or fails, and for
// files that cannot be written.
std::vector<std::filesystem::path> export_run(const ExportRequest& request);

}  // namespace holo
