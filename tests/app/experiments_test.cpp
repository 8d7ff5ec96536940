// Every experiment of a suite runs, in its quick variant, and is accepted.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "process.h"

namespace holo_test {
namespace {

// Public data are not in the repository (docs/data.md).
bool has_its_data([[maybe_unused]] const fs::path& experiment) {
#ifdef HOLO_DATA_DIR
  return true;
#else
  return read_file(experiment).find("${HOLO_DATA_DIR}") == std::string::npos;
#endif
}

// "csfd/fig02_first_derivative", ...
std::vector<std::string> experiments() {
  std::vector<std::string> names;
  for (const std::string suite : {"contact", "csfd", "elastic", "elastic_locomotion", "robot_design", "trajectory"})
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(HOLO_SOURCE_DIR) / "experiments" / suite))
      if (entry.path().extension() == ".yaml" && has_its_data(entry.path()))
        names.push_back(suite + "/" + entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// Named after a figure, a table or a section; else an example of our own.
bool is_of_a_paper(const std::string& name) {
  const std::string stem = name.substr(name.find('/') + 1);
  return name.rfind("csfd/", 0) == 0 || stem.rfind("fig", 0) == 0 || stem.rfind("table", 0) == 0 ||
         stem.rfind("section", 0) == 0;
}

class QuickVariant : public testing::TestWithParam<std::string> {
 protected:
  TemporaryFolder folder_;
};

TEST_P(QuickVariant, IsAcceptedAndCarriesItsSections) {
  fs::path file = fs::path(HOLO_SOURCE_DIR) / "experiments" / (GetParam() + ".yaml");
  ProcessOptions options{.folder = folder_.path()};
#ifdef HOLO_DATA_DIR
  options.environment = {{"HOLO_DATA_DIR", HOLO_DATA_DIR}};
#endif
  ProcessResult result = holo({"run", file.string(), "--variant", "quick", "--out", "out"}, options);
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  nlohmann::json outcome = nlohmann::json::parse(read_file(folder_ / "out/result.json"));
  EXPECT_EQ(outcome["name"], file.stem().string());
  EXPECT_FALSE(outcome["acceptance"].empty());
  EXPECT_EQ(outcome["paper"].empty(), !is_of_a_paper(GetParam())) << "a verdict on the paper is needed";
  for (const nlohmann::json& row : outcome["paper"])
    EXPECT_TRUE(row["verdict"] != "differs" || !row["cause"].get<std::string>().empty()) << row;
}

INSTANTIATE_TEST_SUITE_P(Experiments, QuickVariant, testing::ValuesIn(experiments()), [](const auto& experiment) {
  return experiment.param.substr(0, experiment.param.find('/')) + "_" + experiment.param.substr(experiment.param.find('/') + 1);
});

}  // namespace
}  // namespace holo_test
