#include <cstdlib>

// Exports no entry. Its static constructor must not run either.
namespace {
__attribute__((constructor)) void run() { setenv("HOLO_TEST_EXECUTED", "1", 1); }
}  // namespace

extern "C" __attribute__((visibility("default"))) int another_function() { return 0; }
