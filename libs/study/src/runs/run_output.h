#pragma once
// A study's output as files of a run folder.

#include <optional>
#include <string>
#include <vector>

#include "holo/core/log.h"
#include "holo/core/runs/run_folder.h"
#include "holo/study/study.h"
#include "runs/paraview_scene.h"

namespace holo {

class RunOutput final : public StudyOutput {
 public:
  // Begins the tables and the frames where they are still empty.
  RunOutput(RunFolder& folder, const Study& study);

  void log(const std::string& event, const LogFields& fields) override { log_.write(event, fields); }
  void warn(const std::string& message) { log_.warn(message); }  // for the user too
  void row(const std::vector<double>& values) override;
  void timings(const std::vector<double>& values) override;
  void frame(const SceneFrame& frame) override;
  void table(const std::string& name, const std::string& csv) override;
  void robot(const std::string& name, const std::string& text) override;
  void model(const ParameterModel& model) override;

 private:
  RunFolder& folder_;
  Log log_;
  std::size_t columns_, timing_columns_;
  const Scene* scene_;
  std::optional<ParaviewScene> paraview_;  // of a study with a scene
};

std::string paraview_file(std::int64_t step);  // relative to the run folder
// The collection of all frames in `folder`/frames.bin.
std::string paraview_collection_of(const std::filesystem::path& folder);

}  // namespace holo
