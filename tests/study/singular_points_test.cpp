#include <cmath>
#include <regex>

#include "holo/study/study.h"
#include "small_runs.h"

namespace holo_test {
namespace {

const std::string yaml = R"(name: small
study: singular_points
highest_order: 2
acceptance:
  - {metric: nilpotent_finite, equals: 0}
  - {metric: one_sided_wrong, equals: 0}
)";

class SingularPoints : public SmallRuns {};
class SingularPointsBadInput : public SmallRuns {};

TEST_F(SingularPoints, FullStepsAreWrongWhereSeriesAreRight) {
  write(yaml);
  holo::RunResult result = run("a").result;
  EXPECT_TRUE(result.accepted());
  auto metric = [&](const std::string& name) {
    for (const holo::Metric& m : result.metrics)
      if (m.name == name) return m.value;
    return -1.0;
  };
  EXPECT_EQ(metric("cases"), 12);
  // Those that the analysis of the full step explains; others depend on its implementation.
  EXPECT_GE(metric("mcsfd_full_wrong"), 2);
  EXPECT_GE(metric("mcsfd_full_right"), 2);
  EXPECT_LT(metric("mcsfd_full_right"), metric("existing_derivatives"));
  ASSERT_EQ(result.tables.size(), 2u);
  EXPECT_EQ(result.tables[0].rows.size(), 12u);
  EXPECT_EQ(result.tables[1].rows.size(), 12u);
}

// [Luo2019] section 8.2: packages have no number for the function as printed. Those that take 0 for the slope of a root at 0
// are wrong where it is not; CppAD takes none. One that the build lacks has no counts.
TEST_F(SingularPoints, PackagesReturnNoNumberOfThePapersFunction) {
  write(yaml);
  const holo::RunResult result = run("a").result;
  int packages = 0;
  for (const holo::Metric& m : result.metrics) {
    if (m.name.ends_with("_printed_finite")) {
      ++packages;
      EXPECT_TRUE(m.value == 0 || std::isnan(m.value)) << m.name;
    }
    const bool is_of_cppad = m.name == "cppad_wrong" || m.name == "cppad_right";
    EXPECT_TRUE(!is_of_cppad || m.value == 0 || std::isnan(m.value)) << m.name;
    EXPECT_TRUE(m.name != "boost_autodiff_wrong" || m.value >= 1) << m.value;
  }
  EXPECT_EQ(packages, 3);
}

TEST_F(SingularPoints, WritesTheSameRowsAgain) {
  write(yaml);
  run("a");
  run("b");
  std::string table = file("a", "metrics.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 13);
  EXPECT_EQ(table, file("b", "metrics.csv"));
}

// Neither "-nan" nor "-0", and entries by the names that they have.
TEST_F(SingularPoints, TextsAreThoseOfMathematics) {
  write(replaced(yaml, "highest_order: 2", "highest_order: 3"));
  holo::RunResult result = run("a").result;
  std::string texts = file("a", "metrics.csv");
  for (const auto& row : result.tables.at(0).rows)
    for (const holo::Cell& cell : row)
      if (const auto* text = std::get_if<std::string>(&cell)) texts += *text + "\n";
  EXPECT_HOLDS(texts, "nan");
  EXPECT_HOLDS(texts, "the derivative along v1 and v2 and v3 differs from side to side");
  EXPECT_EQ(texts.find("-nan"), std::string::npos);
  EXPECT_EQ(texts.find("x["), std::string::npos);
  EXPECT_FALSE(std::regex_search(texts, std::regex("(^|[ ,\n])-0($|[ ,\n])"))) << texts;
}

TEST_F(SingularPoints, ResumesWhereItWas) {
  std::unique_ptr<holo::Study> whole = built(yaml), first = built(yaml), second = built(yaml);
  KeptOutput whole_output, parts;
  for (int i = 0; i < 12; ++i) whole->step(whole_output);
  for (int i = 0; i < 5; ++i) first->step(parts);
  second->deserialize(first->serialize());
  EXPECT_EQ(second->steps_done(), 5);
  while (second->steps_done() < second->total_steps()) second->step(parts);
  ASSERT_EQ(parts.rows.size(), whole_output.rows.size());
  for (std::size_t i = 0; i < parts.rows.size(); ++i) EXPECT_EQ(parts.rows[i][0], whole_output.rows[i][0]);
  EXPECT_THROW(built(yaml)->deserialize("x"), holo::Error);
}

TEST_F(SingularPointsBadInput, OrdersThatThereAreNotAreRefused) {
  EXPECT_HOLDS(refusal(replaced(yaml, "highest_order: 2", "highest_order: 4")), "small.yaml:3:");
  EXPECT_HOLDS(refusal(replaced(yaml, "highest_order", "highest_ordr")), "Did you mean 'highest_order'?");
  EXPECT_HOLDS(refusal(replaced(yaml, "metric: one_sided_wrong", "metric: one_sided")), "one_sided_wrong");
}

}  // namespace
}  // namespace holo_test
