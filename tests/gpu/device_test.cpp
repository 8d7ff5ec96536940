#include "holo/gpu/device.h"

#include <gtest/gtest.h>

namespace holo {
namespace {

TEST(Device, SummaryTellsWhatTheConfigurationFound) {
  const std::string found = HOLO_FOUND_CUDA;  // the toolkit's version, "" where there is none or it was not asked for
  EXPECT_EQ(cuda_built(), !found.empty());
  const std::string summary = device_summary();
  EXPECT_EQ(summary.find("built without CUDA") != std::string::npos, found.empty()) << summary;
  EXPECT_NE(summary.find(found), std::string::npos) << summary;
  EXPECT_EQ(summary.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace holo
