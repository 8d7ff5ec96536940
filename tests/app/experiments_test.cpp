// Every experiment that compares derivatives runs, in its quick variant, and is accepted.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "process.h"

namespace holo_test {
namespace {

std::vector<std::string> experiments_of(const std::string& suite) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(HOLO_SOURCE_DIR) / "experiments" / suite))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class QuickVariant : public testing::TestWithParam<std::string> {
 protected:
  TemporaryFolder folder_;
};

TEST_P(QuickVariant, IsAcceptedAndCarriesItsSections) {
  fs::path file = fs::path(HOLO_SOURCE_DIR) / "experiments/csfd" / (GetParam() + ".yaml");
  ProcessResult result = holo({"run", file.string(), "--variant", "quick", "--out", "out"}, {.folder = folder_.path()});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  nlohmann::json outcome = nlohmann::json::parse(read_file(folder_ / "out/result.json"));
  EXPECT_EQ(outcome["name"], GetParam());
  EXPECT_FALSE(outcome["acceptance"].empty());
  EXPECT_FALSE(outcome["paper"].empty()) << "no verdict on the paper";
  for (const nlohmann::json& row : outcome["paper"])
    EXPECT_TRUE(row["verdict"] != "differs" || !row["cause"].get<std::string>().empty()) << row;
}

INSTANTIATE_TEST_SUITE_P(Csfd, QuickVariant, testing::ValuesIn(experiments_of("csfd")),
                         [](const auto& experiment) { return experiment.param; });

}  // namespace
}  // namespace holo_test
