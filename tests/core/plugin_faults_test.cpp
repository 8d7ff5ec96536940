// A plugin whose code ends or crashes the process is named.
#include "holo/core/plugins/plugin_faults.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "plugins/plugin_scope.h"

namespace holo {
namespace {

// Uses up the stack.
int depth(int n) {
  volatile char block[4096];
  block[0] = static_cast<char>(n);
  return n < 0 ? 0 : depth(n + 1) + block[0];
}

template <class Call>
void in_plugin(const Call& call) {
  report_plugin_faults();
  const PluginScope outer("foam", "/plugins/foam.so", "read");
  { const PluginScope inner("screw", "/plugins/screw.so", "loaded"); }
  call();
}

TEST(PluginFaultsDeathTest, SignalNamesThePluginAndPasses) {
  const char* text = "while the plugin 'foam' \\(/plugins/foam.so\\) was being read: its code";
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    EXPECT_EXIT(in_plugin([&] { raise(number); }), testing::KilledBySignal(number), text);
  EXPECT_EXIT(in_plugin([] { std::abort(); }), testing::KilledBySignal(SIGABRT), text);
  EXPECT_EXIT(in_plugin([] { std::exit(depth(1)); }), testing::KilledBySignal(SIGSEGV), text);
}

TEST(PluginFaultsDeathTest, ExitIsToldAndIsNoSuccess) {
  EXPECT_EXIT(in_plugin([] { std::exit(0); }), testing::ExitedWithCode(1), "foam.*ended the program \\(exit\\)");
}

TEST(PluginFaultsDeathTest, OutsideOfPluginsNothingIsSaid) {
  EXPECT_EXIT(
      {
        in_plugin([] {});
        std::exit(3);
      },
      testing::ExitedWithCode(3), "^$");
  EXPECT_EXIT(
      {
        in_plugin([] {});
        raise(SIGSEGV);
      },
      testing::KilledBySignal(SIGSEGV), "^$");
}

}  // namespace
}  // namespace holo
