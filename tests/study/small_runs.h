#pragma once
// Experiments of a few lines, run in folders of their own.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "expect_holds.h"
#include "holo/core/error.h"
#include "holo/study/runner.h"
#include "temporary_folder.h"

namespace holo_test {

inline std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class SmallRuns : public testing::Test {
 protected:
  // What lies at small.yaml.
  void write(const std::string& yaml) { std::ofstream(folder_ / "small.yaml") << yaml; }

  holo::RunOutcome run(const std::string& out) {
    return holo::run_experiment({folder_ / "small.yaml", "", {}, folder_ / out, {{}, 1, {"test"}, nullptr}});
  }

  std::string file(const std::string& run, const std::string& name) { return text_of(folder_ / run / name); }

  // The message of a refused experiment; nothing may have been written.
  std::string refusal(const std::string& yaml) {
    write(yaml);
    try {
      run("refused");
    } catch (const holo::Error& error) {
      EXPECT_EQ(error.failure(), holo::Failure::input);
      EXPECT_FALSE(std::filesystem::exists(folder_ / "refused"));
      return error.what();
    }
    ADD_FAILURE() << "not refused:\n" << yaml;
    return {};
  }

  TemporaryFolder folder_;
};

// Keeps what a study writes.
class KeptOutput final : public holo::StudyOutput {
 public:
  void log(const std::string&, const holo::LogFields&) override {}
  void row(const std::vector<double>& values) override { rows.push_back(values); }
  void timings(const std::vector<double>& values) override { times.push_back(values); }
  void frame(const holo::SceneFrame&) override {}
  void table(const std::string&, const std::string&) override {}
  void robot(const std::string&, const std::string&) override {}
  void model(const holo::ParameterModel&) override {}
  std::vector<std::vector<double>> rows, times;
};

inline std::unique_ptr<holo::Study> built(const std::string& yaml) {
  static const holo::PluginHost plugins;
  static const holo::StudyRegistry studies = holo::built_in_studies();
  holo::ConfigurationFile file = holo::ConfigurationFile::parse(yaml, "small.yaml");
  return holo::load_experiment(file, studies, plugins).plan.build();
}

// Rows for a comparison, in which a number that is missing, NaN, equals itself.
inline std::vector<std::vector<std::uint64_t>> bits_of(const std::vector<std::vector<double>>& rows) {
  std::vector<std::vector<std::uint64_t>> result;
  for (const std::vector<double>& row : rows) {
    result.emplace_back();
    for (const double value : row) result.back().push_back(std::bit_cast<std::uint64_t>(value));
  }
  return result;
}

// A study that is taken down after `steps` steps and set up again from its state writes the same rows and ends in the same
// metrics. `compare_metrics` false: they come from times.
inline void expect_resumes_to_the_same(const std::string& yaml, int steps, bool compare_metrics = true) {
  std::unique_ptr<holo::Study> whole = built(yaml), first = built(yaml), second = built(yaml);
  KeptOutput whole_output, parts_output;
  // A failed step would fail again and again.
  const auto advance = [](holo::Study& study, KeptOutput& output) {
    const holo::StepResult result = study.step(output);
    if (result.failed) throw std::runtime_error(result.diagnosis);
  };
  while (whole->steps_done() < whole->total_steps()) advance(*whole, whole_output);
  for (int i = 0; i < steps; ++i) advance(*first, parts_output);
  second->deserialize(first->serialize());
  ASSERT_EQ(second->steps_done(), steps);
  ASSERT_LT(steps, second->total_steps());
  while (second->steps_done() < second->total_steps()) advance(*second, parts_output);
  EXPECT_EQ(bits_of(whole_output.rows), bits_of(parts_output.rows));
  std::vector<holo::Metric> a = whole->finish(), b = second->finish();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    if (!compare_metrics) continue;
    EXPECT_EQ(a[i].value, b[i].value) << a[i].name;
  }
  for (const std::string& damaged : {std::string("x"), first->serialize() + "x", first->serialize().substr(9)})
    EXPECT_THROW(built(yaml)->deserialize(damaged), holo::Error);
}

// `text` with one part replaced by another; the first must be there.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace holo_test
