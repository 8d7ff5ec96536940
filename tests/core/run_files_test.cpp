// The files of a run folder: whole ones, and those that grow.
#include <sys/stat.h>

#include <cstdio>

#include "run_folder_fixture.h"

namespace holo {
namespace {

using namespace run_folder_fixture;

// --- whole files

TEST(WholeFile, ReadsBackWhatWasWrittenAndReplacesIt) {
  TemporaryFolder folder;
  for (const std::string& bytes : {std::string(), std::string("text\n"), std::string(300000, '\0') + "end"}) {
    write_whole_file(folder / "file", bytes);
    EXPECT_EQ(read_whole_file(folder / "file"), bytes);
  }
  EXPECT_EQ(files_in(folder.path()), std::vector<std::string>{"file"});
}

TEST(WholeFile, FailedWriteKeepsTheOldFileAndLeavesNoPart) {
  TemporaryFolder folder;
  write_whole_file(folder / "file", "old");
  const std::string text = message_of(Failure::environment, [&] {
    const FileSizeLimit full(4096);
    write_whole_file(folder / "file", std::string(10000, 'x'));
  });
  expect_line_with(text, {"cannot write " + (folder / "file").string(), "File too large"});
  EXPECT_EQ(content(folder / "file"), "old");
  EXPECT_EQ(files_in(folder.path()), std::vector<std::string>{"file"});
}

TEST(RunFolderBadInput, WholeFilesNameThePathAndTheReason) {
  TemporaryFolder folder;
  put(folder / "file", "text");
  fs::create_directory(folder / "folder");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto reading = [&](const std::string& name) {
    return message_of(Failure::input, [&] { read_whole_file(folder / name); });
  };
  expect_line_with(reading("missing"), {(folder / "missing").string(), "No such file"});
  expect_line_with(reading("folder"), {(folder / "folder").string(), "it is a folder"});
  expect_line_with(reading("file/below"), {"Not a directory"});
  expect_line_with(reading("pipe"), {"not a regular file"});
  const auto writing = [&](const std::string& name) {
    return message_of(Failure::environment, [&] { write_whole_file(folder / name, "x"); });
  };
  expect_line_with(writing("missing/file"), {(folder / "missing/file").string(), "No such file"});
  expect_line_with(writing("folder"), {(folder / "folder").string(), "Is a directory"});
  expect_line_with(writing("file/below"), {"Not a directory"});
}

TEST(RunFolderBadInput, FolderWithoutPermissionToWrite) {
  TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::group_read | fs::perms::others_read | fs::perms::group_exec |
                                     fs::perms::others_exec);
  fs::create_directory(folder / "run");
  fs::permissions(folder / "run", fs::perms(0555));
  const test::WithoutRoot without_root;
  expect_line_with(message_of(Failure::environment, [&] { write_whole_file(folder / "run/file", "x"); }),
                   {(folder / "run/file").string(), "Permission denied", "Choose a folder that you may write to"});
  expect_line_with(message_of(Failure::environment, [&] { RunFolder::create(folder / "run"); }), {"run", "Permission denied"});
  expect_line_with(message_of(Failure::environment, [&] { RunFolder::create(folder / "run/below"); }),
                   {"below", "Permission denied"});
}

TEST(ContentHash, IsFnv1a) {
  EXPECT_EQ(content_hash(""), "cbf29ce484222325");
  EXPECT_EQ(content_hash("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(content_hash("foobar"), "85944171f73967e8");
}

// --- growing files

TEST(GrowingFile, AppendsLinesAndBytesAndIsCutOnOpening) {
  TemporaryFolder folder;
  {
    GrowingFile file(folder / "file", 0);
    file.append_line("one");
    file.append(std::string("\0\n\0", 3));
    file.append_line("");
    EXPECT_EQ(file.size(), 8u);
    file.flush_to_disk();
  }
  EXPECT_EQ(content(folder / "file"), std::string("one\n\0\n\0\n", 8));
  GrowingFile file(folder / "file", 4);
  EXPECT_EQ(content(folder / "file"), "one\n");
  file.append_line("two");
  EXPECT_EQ(content(folder / "file"), "one\ntwo\n");
}

TEST(GrowingFile, APartialLineOnAFullDiskIsCutOff) {
  TemporaryFolder folder;
  GrowingFile file(folder / "file", 0);
  file.append(std::string(4000, 'a'));
  const std::string text = message_of(Failure::environment, [&] {
    const FileSizeLimit full(4096);
    file.append_line(std::string(200, 'b'));
  });
  expect_line_with(text, {(folder / "file").string(), "File too large"});
  EXPECT_EQ(file.size(), 4000u);
  EXPECT_EQ(content(folder / "file"), std::string(4000, 'a'));
  file.append_line("c");
  EXPECT_EQ(content(folder / "file"), std::string(4000, 'a') + "c\n");
}

TEST(RunFolderBadInput, FullDiskIsToldInOneLine) {
  GrowingFile file("/dev/full", 0);
  expect_line_with(message_of(Failure::environment, [&] { file.append_line("text"); }),
                   {"cannot write /dev/full", "No space left on device", "Free some space"});
  EXPECT_EQ(file.size(), 0u);
}

TEST(RunFolderBadInput, GrowingFileThatCannotBeOpenedOrIsTooShort) {
  TemporaryFolder folder;
  put(folder / "file", "12345");
  expect_line_with(message_of(Failure::environment, [&] { GrowingFile(folder / "no/file", 0); }), {"no/file", "No such file"});
  expect_line_with(message_of(Failure::environment, [&] { GrowingFile(folder.path(), 0); }), {"Is a directory"});
  expect_line_with(message_of(Failure::input, [&] { GrowingFile(folder / "file", 6); }), {"has 5 bytes", "the 6"});
  EXPECT_EQ(content(folder / "file"), "12345");
  GrowingFile file(folder / "file", 5);
  EXPECT_THROW(file.append_line("two\nlines"), Error);
}

}  // namespace
}  // namespace holo
