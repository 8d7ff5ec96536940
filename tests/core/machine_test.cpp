#include "holo/core/runs/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace holo {
namespace {

TEST(Machine, NamesItsProcessorAndTheLibrariesThatCalculate) {
  EXPECT_FALSE(processor_name().empty());
  const std::vector<LoadedLibrary> libraries = numerical_libraries();
  for (const char* name : {"libopenblas", "libtbb", "libc.so", "libm.so"}) {
    const auto found = std::find_if(libraries.begin(), libraries.end(),
                                    [&](const LoadedLibrary& library) { return library.name.rfind(name, 0) == 0; });
    ASSERT_NE(found, libraries.end()) << name;
    EXPECT_TRUE(found->path.is_absolute()) << found->path;
    EXPECT_GE(found->build.size(), 16u) << name;
    EXPECT_EQ(found->build.find_first_not_of("0123456789abcdef"), std::string::npos) << found->build;
  }
  EXPECT_TRUE(std::is_sorted(libraries.begin(), libraries.end(), [](auto& a, auto& b) { return a.name < b.name; }));
}

// The tests of the solvers run once for each of several kernels: without this one they might all run the same.
TEST(BlasKernel, IsTheOneThatTheEnvironmentAsksFor) {
  const char* asked = std::getenv("OPENBLAS_CORETYPE");
  EXPECT_FALSE(blas_kernel().empty());
  if (asked != nullptr) {
    EXPECT_STRCASEEQ(blas_kernel().c_str(), asked);  // OpenBLAS takes the names in any case
  }
}

}  // namespace
}  // namespace holo
