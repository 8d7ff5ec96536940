#include "holo/core/runs/interruption.h"

#include <gtest/gtest.h>

#include "holo/core/numerics/parallel.h"

namespace holo {
namespace {

TEST(Interruption, IsHeardWithinItsScopeOnly) {
  std::atomic<bool> stop{true};
  EXPECT_NO_THROW(throw_if_interrupted());
  {
    const InterruptionScope scope(&stop);
    EXPECT_THROW(throw_if_interrupted(), Interrupted);
    {
      std::atomic<bool> quiet{false};
      const InterruptionScope inner(&quiet), none(nullptr);
      EXPECT_NO_THROW(throw_if_interrupted());
    }
    EXPECT_THROW(throw_if_interrupted(), Interrupted);
    stop = false;
    EXPECT_NO_THROW(throw_if_interrupted());
  }
  stop = true;
  EXPECT_NO_THROW(throw_if_interrupted());
}

TEST(Interruption, EndsAParallelLoop) {
  std::atomic<bool> stop{false};
  std::atomic<int> bodies{0};
  const InterruptionScope scope(&stop);
  EXPECT_THROW(parallel_for(1000, 1,
                            [&](std::size_t, std::size_t) {
                              throw_if_interrupted();
                              if (++bodies == 10) stop = true;
                            }),
               Interrupted);
  EXPECT_LT(bodies, 1000);
}

}  // namespace
}  // namespace holo
