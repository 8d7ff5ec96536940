#pragma once
// Experiments that another one runs: a study whose steps are the runs of studies of other files.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "holo/study/study.h"

namespace holo {

// The study of a file, or of one of its variants, without pictures. Its acceptance and its paper's values are not looked at.
struct InnerExperiment {
  std::string name;   // in the outer experiment
  std::string label;  // "fig07_caterpillar.yaml, coarse"
  StudyPlan plan;
};

// Why a kind of study cannot be run there; empty where it can.
using StudyObjection = std::function<std::string(const std::string& study)>;

// Reads `name`, `file` and `variant` of an entry. Problems of the file are reported at the entry, as are a name of `others` and
// a kind of study that `objection` refuses; then, and in a recording, there is none. Its plugins are added to `plugins`.
std::optional<InnerExperiment> read_inner_experiment(Configuration& entry, const StudyContext& context,
                                                     const std::vector<std::string>& others, const StudyObjection& objection,
                                                     std::vector<UsedPlugin>& plugins);

// Output of an inner study: what it logs is passed on, and nothing else.
class InnerOutput : public StudyOutput {
 public:
  explicit InnerOutput(StudyOutput& outer) : outer_(outer) {}
  void log(const std::string& event, const LogFields& fields) override { outer_.log(event, fields); }
  void row(const std::vector<double>&) override {}
  void timings(const std::vector<double>&) override {}
  void frame(const SceneFrame&) override {}
  void table(const std::string&, const std::string&) override {}
  void robot(const std::string&, const std::string&) override {}
  void model(const ParameterModel&) override {}

 private:
  StudyOutput& outer_;
};

}  // namespace holo
