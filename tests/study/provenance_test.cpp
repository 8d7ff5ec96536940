#include "holo/study/provenance.h"

#include <gtest/gtest.h>

#include "holo/core/error.h"
#include "holo/core/runs/run_folder.h"
#include "temporary_folder.h"

namespace holo {
namespace {

Provenance example() {
  Provenance p = current_provenance();
  p.command = {"holo", "run", "a \"quoted\" name.yaml"};
  p.experiment = "/somewhere/a.yaml";
  p.seed = 18446744073709551615ull;
  p.plugins = {{"stvk", "/plugins/stvk.so", "00ff"}, {"fung", "/plugins/fung.so", "0123"}};
  p.data_files = {{"/data/x.msh", "/data/x.msh", "4567"}};
  return p;
}

TEST(Provenance, KnowsTheProgramAndTheMachine) {
  Provenance p = current_provenance();
  EXPECT_FALSE(p.version.empty());
  EXPECT_FALSE(p.compiler.empty());
  EXPECT_NE(p.device.find("CUDA"), std::string::npos);
  EXPECT_NE(p.flags.find("-march="), std::string::npos);
  EXPECT_FALSE(p.processor.empty());
  EXPECT_GT(p.processors, 0);
  EXPECT_EQ(p.program.hash.size(), 16u);
  EXPECT_EQ(p.started.back(), 'Z');
}

TEST(Provenance, JsonRoundTripKeepsEverything) {
  holo_test::TemporaryFolder folder;
  const Provenance written = example();  // once: it has the time at which it was made
  write_whole_file(folder / "provenance.json", provenance_to_json(written));
  Provenance read = provenance_from_json(folder / "provenance.json");
  EXPECT_EQ(provenance_to_json(read), provenance_to_json(written));
  EXPECT_EQ(read.seed, 18446744073709551615ull);
  EXPECT_TRUE(differences(written, read).empty());
}

TEST(Provenance, NamesWhatHasAnotherContent) {
  Provenance now = example();
  now.program.hash = "1";
  now.plugins[0].hash = "2";
  now.plugins.pop_back();
  now.data_files[0].hash = "3";
  std::vector<std::string> lines = differences(example(), now);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_NE(lines[0].find("the program 'holo' has changed"), std::string::npos);
  EXPECT_NE(lines[1].find("the plugin 'stvk' has changed: 00ff then, 2 now (/plugins/stvk.so)"), std::string::npos) << lines[1];
  EXPECT_NE(lines[2].find("the plugin 'fung' is not used any more"), std::string::npos);
  EXPECT_NE(lines[3].find("the data file '/data/x.msh' has changed"), std::string::npos);
}

TEST(Provenance, NamesAnotherMachine) {
  Provenance now = example();
  now.processor = "Another One";
  now.blas_kernel = "Katmai";
  ASSERT_FALSE(now.libraries.empty());
  const std::string name = now.libraries[0].name;
  now.libraries[0].hash = "12";
  std::vector<std::string> lines = differences(example(), now);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_NE(lines[0].find("the processor is another"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("'Katmai' now"), std::string::npos) << lines[1];
  EXPECT_NE(lines[2].find("the library '" + name + "' has changed"), std::string::npos) << lines[2];
}

TEST(Provenance, DataThatMovedIsTheSameByItsContent) {
  Provenance now = example();
  now.data_files = {{"/elsewhere/x.msh", "/elsewhere/x.msh", "4567"}};
  EXPECT_TRUE(differences(example(), now).empty());
  now.data_files[0].hash = "89";
  std::vector<std::string> lines = differences(example(), now);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("'/data/x.msh' has changed: 4567 then, 89 now (/elsewhere/x.msh)"), std::string::npos) << lines[0];
}

TEST(ProvenanceBadInput, OtherFilesAreRefusedByName) {
  holo_test::TemporaryFolder folder;
  write_whole_file(folder / "provenance.json", "{\"version\": 1}");
  EXPECT_THROW(provenance_from_json(folder / "provenance.json"), Error);
  EXPECT_THROW(provenance_from_json(folder / "absent.json"), Error);
}

}  // namespace
}  // namespace holo
