// The counters of evaluations without an ordinary derivative.
#include <gtest/gtest.h>

#include <array>

#include "holo/diff/drivers.h"
#include "holo/diff/singular/kinks.h"

namespace holo {
namespace {

TEST(Counters, CountSingularAndInfeasibleEvaluations) {
  const KinkCounters before = kink_counters();
  gradient([](const auto& x) { return sqrt(x[0] * x[0]); }, std::array{0.0});
  EXPECT_EQ(kink_counters().singular, before.singular + 1);
  EXPECT_EQ(kink_counters().infeasible, before.infeasible);
  gradient([](const auto& x) { return -log(x[0]); }, std::array{0.0});
  EXPECT_EQ(kink_counters().infeasible, before.infeasible + 1);
  gradient([](const auto& x) { return x[0] * x[0]; }, std::array{0.0});
  EXPECT_EQ(kink_counters().singular, before.singular + 1);
  EXPECT_EQ(kink_counters().infeasible, before.infeasible + 1);
}

}  // namespace
}  // namespace holo
