#include "holo/core/log.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "holo/core/runs/run_folder.h"
#include "temporary_folder.h"

namespace holo {
namespace {

using nlohmann::json;

class LogTest : public ::testing::Test {
 protected:
  ~LogTest() override { std::fclose(stream_); }

  std::vector<json> lines() {
    std::istringstream text(test::content(folder_ / "log.jsonl"));
    std::vector<json> result;
    for (std::string line; std::getline(text, line);) result.push_back(json::parse(line));
    return result;
  }
  std::string printed() {
    std::rewind(stream_);
    std::string text(1000, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), stream_));
    return text;
  }

  test::TemporaryFolder folder_;
  GrowingFile file_{folder_ / "log.jsonl", 0};
  std::FILE* stream_ = std::tmpfile();
};

TEST_F(LogTest, EachEventIsALineOfJson) {
  Log log(&file_, stream_);
  log.write("step", {{"number", std::int64_t{7}}, {"energy", 0.1}, {"name", std::string("a \"b\"\nc")}, {"accepted", true}});
  log.write("end");
  const std::vector<json> all = lines();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["event"], "step");
  EXPECT_EQ(all[0]["number"], 7);
  EXPECT_EQ(all[0]["energy"].get<double>(), 0.1);
  EXPECT_EQ(all[0]["name"], "a \"b\"\nc");
  EXPECT_EQ(all[0]["accepted"], true);
  EXPECT_GE(all[0]["seconds"].get<double>(), 0.0);
  EXPECT_EQ(all[1]["event"], "end");
  EXPECT_EQ(printed(), "");
}

TEST_F(LogTest, NumbersThatAreNotFiniteAndBytesThatAreNotTextStayReadable) {
  Log log(&file_, stream_);
  log.write("odd", {{"a", std::nan("")}, {"b", -std::numeric_limits<double>::infinity()}, {"c", std::string("\xff\xfe")}});
  EXPECT_EQ(lines()[0]["a"], "nan");
  EXPECT_EQ(lines()[0]["b"], "-inf");
  EXPECT_TRUE(lines()[0]["c"].is_string());
}

TEST_F(LogTest, WarningIsAlsoPrintedInOneLine) {
  Log log(&file_, stream_);
  log.warn("something is\nodd\x1b[2J", {{"step", std::int64_t{3}}, {"file", std::string("x.csv")}});
  log.warn("plain");
  EXPECT_EQ(lines()[0]["event"], "warning");
  EXPECT_EQ(lines()[0]["step"], 3);
  EXPECT_EQ(printed(), "warning: something is odd [2J (step: 3, file: \"x.csv\")\nwarning: plain\n");
}

TEST_F(LogTest, WorksWithoutAFileOrAStream) {
  Log(nullptr, stream_).warn("only printed");
  Log(&file_, nullptr).warn("only written");
  EXPECT_EQ(printed(), "warning: only printed\n");
  ASSERT_EQ(lines().size(), 1u);
  EXPECT_EQ(lines()[0]["message"], "only written");
}

}  // namespace
}  // namespace holo
