// Suites of experiments that are stopped on the way.
#include "holo/study/reproduce.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "temporary_folder.h"

namespace holo {
namespace {

// The suite takes seconds. These moments are among the choosing of rows, before an experiment's first step, and within steps.
TEST(Reproduce, ASuiteThatIsStoppedAtAnyMomentLeavesItsTable) {
  for (const int milliseconds : {0, 100, 200, 300, 400, 600}) {
    const holo_test::TemporaryFolder folder;
    std::atomic<bool> stop{false};
    ReproduceRequest request{"robot_design", "quick", folder / "suite", {}};
    request.options.stop = &stop;
    std::thread signal([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      stop = true;
    });
    Reproduction reproduction;
    EXPECT_NO_THROW(reproduction = reproduce(request)) << milliseconds;
    signal.join();
    EXPECT_EQ(reproduction.exit_code(), ExitCode::not_finished) << milliseconds;
    EXPECT_TRUE(reproduction.stopped) << milliseconds;
    ASSERT_TRUE(std::filesystem::exists(folder / "suite/table.md")) << milliseconds;
    EXPECT_NE(table(reproduction).find("Stopped by a signal"), std::string::npos);
  }
}

}  // namespace
}  // namespace holo
