// Every kind of bad file and bad YAML, and what is said about it.
#include <sys/stat.h>
#include <unistd.h>

#include "bad_experiments.h"

namespace holo {
namespace {

using namespace bad_experiments;

TEST_F(ConfigurationBadInput, MissingFileIsNamed) {
  const auto path = folder_ / "none.yaml";
  EXPECT_EQ(load_message(path), path.string() + ": no such file");
}

TEST_F(ConfigurationBadInput, DirectoryIsRefused) {
  EXPECT_EQ(load_message(folder_), folder_.string() + ": a directory was found; an experiment is a YAML file");
}

TEST_F(ConfigurationBadInput, PipeIsRefused) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_SAYS(load_message(folder_ / "pipe"), "pipe: not a regular file");
}

TEST_F(ConfigurationBadInput, UnreadableFileIsNamed) {
  const auto path = write("secret.yaml", "a: 1\n");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  if (geteuid() == 0)  // root reads everything
    EXPECT_SAYS(load_message(path), "unknown key 'a'");
  else
    EXPECT_SAYS(load_message(path), "secret.yaml: the file cannot be read; check its permissions");
}

TEST_F(ConfigurationBadInput, EmptyFileIsRefused) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "\xEF\xBB\xBF"})
    EXPECT_SAYS(load_message(write("empty.yaml", text)), "an experiment is a mapping of keys to values") << text;
  EXPECT_SAYS(load_message(write("empty.yaml", "# only a comment\n")), "empty.yaml:1:1: the file is empty");
}

TEST_F(ConfigurationBadInput, WhatIsNotYamlIsLocated) {
  EXPECT_SAYS(message("a: 1\nb: [1, 2\nc: 3\n"), "x.yaml:2:4: not YAML: ");
  EXPECT_SAYS(message("a: 1\nb: \"open\n"), "x.yaml:2:4: not YAML: the quote that starts here is never closed");
  EXPECT_SAYS(message("a: 'it''s\n"), "x.yaml:1:4: not YAML: the quote");
  EXPECT_SAYS(message("a: b: c\n"), "x.yaml:1:5: not YAML: ");
  EXPECT_SAYS(message("mesh: {file: ${HOLO_DATA_DIR}/x.msh, scale: 1}\n"), "text with ${...} must be in quotes");
}

TEST_F(ConfigurationBadInput, RootMustBeAMapping) {
  EXPECT_EQ(message("- a\n- b\n"),
            "x.yaml:1:1: a list of 2 entries was found; an experiment is a mapping of keys to values, as in 'name: drop'");
  EXPECT_SAYS(message("just text\n"), "x.yaml:1:1: the text 'just text' was found");
}

TEST_F(ConfigurationBadInput, DuplicateKeyNamesBothPlaces) {
  EXPECT_EQ(message("a: 1\nb: {c: 1, d: 2, c: 3}\na: 2\n"),
            "x.yaml:2:17: duplicate key 'c'; it was given first at line 2, column 5\n"
            "x.yaml:3:1: duplicate key 'a'; it was given first at line 1, column 1");
}

TEST_F(ConfigurationBadInput, HundredMegabytesAreRefusedUnread) {
  const auto path = write("large.yaml", "a: 1\n");
  std::filesystem::resize_file(path, 100'000'000);
  EXPECT_EQ(
      load_message(path),
      path.string() + ": the file has 100000000 bytes; an experiment has at most 16000000, and large data a file of its own");
  EXPECT_SAYS(message(std::string(16'000'001, '#')), "at most 16000000");
}

TEST_F(ConfigurationBadInput, NestingTwentyThousandDeepIsRefused) {
  const auto repeated = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  const std::string refusal = "nested over 64 deep, the maximum";
  EXPECT_SAYS(message("a: " + repeated("[", 20'000)), "x.yaml:1:68: ");
  EXPECT_SAYS(message("a: " + repeated("[", 20'000) + repeated("]", 20'000)), refusal);
  EXPECT_SAYS(message(repeated("{a: ", 20'000)), refusal);
  EXPECT_SAYS(message(repeated("[\n", 20'000)), refusal);
  EXPECT_SAYS(message("a:\n  " + repeated("- ", 20'000) + "1\n"), refusal);
  EXPECT_SAYS(message(repeated("? ", 20'000)), "a list or mapping as a key");
  std::string block;
  for (int i = 0; i < 2000; ++i) block += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_SAYS(message(block), "x.yaml:65:65: found lists and mappings " + refusal);
  EXPECT_SAYS(message("a: 1\n", read_all, {.overrides = {{"a", repeated("[", 20'000)}}}), refusal);
}

TEST_F(ConfigurationBadInput, NestingOf64IsAllowedAnd65IsNot) {
  const auto nested = [](std::size_t depth) { return "a: " + std::string(depth, '[') + std::string(depth, ']') + "\n"; };
  EXPECT_EQ(message(nested(63)), "");
  EXPECT_SAYS(message(nested(64)), "nested over 64 deep");
  EXPECT_SAYS(message(nested(40), read_all, {.overrides = {{"a.0.0", std::string(62, '[') + std::string(62, ']')}}}),
              "would be nested over 64 deep");
}

TEST_F(ConfigurationBadInput, EndlessListsAreRefused) {
  std::string list = "a: [";
  for (int i = 0; i < 1'500'000; ++i) list += "1,";
  EXPECT_SAYS(message(list + "1]\n"), "over 1000000 values");
  EXPECT_SAYS(message("a: [" + std::string(15'000'000, ',') + "\n"), "over 1000000 values");
}

TEST_F(ConfigurationBadInput, AnchorsAliasesAndMergeKeysAreRefused) {
  EXPECT_SAYS(message("a: &x 1\nb: *x\n"), "x.yaml:1:4: found an anchor or alias; write the value out");
  EXPECT_SAYS(message("a: *x\n"), "x.yaml:1:4: ");
  EXPECT_SAYS(message("a: {<<: {b: 1}}\n"), "x.yaml:1:5: found a merge key '<<'");
}

TEST_F(ConfigurationBadInput, TagsAreRefused) { EXPECT_SAYS(message("a: !!str 1\n"), "x.yaml:1:4: found the tag "); }

TEST_F(ConfigurationBadInput, KeysMustBeNames) {
  EXPECT_SAYS(message("[a]: 1\n"), "x.yaml:1:1: found a list or mapping as a key");
  EXPECT_SAYS(message("~: 1\n"), "x.yaml:1:1: found an empty key");
  EXPECT_SAYS(message("? " + std::string(300, 'a') + "\n: 1\n"), "x.yaml:1:3: found a key of 300 bytes");
}

TEST_F(ConfigurationBadInput, SecondDocumentIsRefused) {
  EXPECT_SAYS(message("a: 1\n---\nb: 2\n"),
              "x.yaml:2:1: found a second YAML document, or a line whose indentation matches none above; an experiment is one "
              "document");
}

TEST_F(ConfigurationBadInput, NanAndInfinityAreLocated) {
  for (const char* text : {".nan", ".NaN", ".inf", "-.inf", "+.INF", "1e999", "-1e999", "1e-999"}) {
    const std::string said = message(std::string("v: ") + text + "\n", number({}));
    EXPECT_EQ(said, std::string("x.yaml:1:4: found ") + text + "; a number must be finite, between -1.7e308 and 1.7e308");
  }
  EXPECT_SAYS(message("free: {form: [1, .nan]}\n"), "x.yaml:1:18: found .nan");
  EXPECT_SAYS(message("v: 1\n", number({}), {.overrides = {{"v", ".inf"}}}), "--set v=.inf: found .inf");
}

TEST_F(ConfigurationBadInput, TabsAreRefused) {
  EXPECT_EQ(message("a:\n\tb: 1\n"), "x.yaml:2:1: a tab; an experiment is laid out with spaces");
  EXPECT_SAYS(message("a: 1\t# comment\n"), "x.yaml:1:5: a tab");
  EXPECT_EQ(message("a: \"a\ttab in quotes\" # and\tin a comment\n"), "");
}

TEST_F(ConfigurationBadInput, BytesThatAreNoTextAreRefused) {
  EXPECT_SAYS(message("a: 1\nb: \xFF\n"), "x.yaml:2:4: byte 255 is not UTF-8");
  EXPECT_SAYS(message("a: \xC3"), "x.yaml:1:4: byte 195 is not UTF-8");
  EXPECT_SAYS(message("a: \xED\xA0\x80\n"), "is not UTF-8");
  EXPECT_SAYS(message(std::string("a: b\0c\n", 7)), "x.yaml:1:5: a NUL byte");
  EXPECT_SAYS(message("a: \"\\_\"\n"), "x.yaml:1:4: found an escape in the quotes that is no UTF-8 character");
  EXPECT_SAYS(message("a: \x1B[0m\n"), "x.yaml:1:4: a control character (byte 27)");
}

TEST_F(ConfigurationBadInput, ColumnsCountCharacters) {
  EXPECT_SAYS(message("gr\xC3\xB6\xC3\x9F"
                      "e: {x: 1, x: 2}\n"),
              "x.yaml:1:15: duplicate key");
}

}  // namespace
}  // namespace holo
