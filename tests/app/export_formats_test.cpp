// The formats of `holo export`: independent readers find the run's numbers in them, and bad requests leave nothing behind.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "experiments.h"
#include "process.h"

namespace holo_test {
namespace {

// The small experiment is run once for all of these tests.
class ExportFormats : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    write_file(*folder_ / "small.yaml", small_experiment);
    ASSERT_EQ(call({"run", "small.yaml", "--out", "run"}).exit_code, 0);
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  static ProcessResult call(const std::vector<std::string>& words, std::map<std::string, std::string> environment = {}) {
    return holo(words, {.folder = folder_->path(), .environment = std::move(environment)});
  }
  static fs::path in_folder(const std::string& name) { return *folder_ / name; }
  // Names of all that is in a folder, hidden files too.
  static std::set<std::string> content(const std::string& name) {
    std::set<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(in_folder(name))) names.insert(entry.path().filename());
    return names;
  }
  static void expect_refused(const std::vector<std::string>& options, const std::string& message) {
    std::vector<std::string> words = {"export", "run", "--out", "refused"};
    words.insert(words.end(), options.begin(), options.end());
    const ProcessResult result = call(words);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
    EXPECT_FALSE(fs::exists(in_folder("refused"))) << message;
  }

  static TemporaryFolder* folder_;
};
TemporaryFolder* ExportFormats::folder_ = nullptr;

bool is_installed(const char* program) {
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    if (access((path.substr(at, end - at) + "/" + program).c_str(), X_OK) == 0) return true;
    at = end + 1;
  }
  return false;
}

TEST_F(ExportFormats, NumPyMeshioAndAReaderOfGltfFindThePositionsOfTheRun) {
#ifdef HOLO_PYTHON_MESHIO
  const ProcessResult written = call({"export", "run", "--out", "read", "--format", "npy,npz,vtu,gltf,obj,msh"});
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const ProcessResult checked =
      Process({HOLO_PYTHON_MESHIO, HOLO_SOURCE_DIR "/tests/app/check_export.py", in_folder("read").string()}).wait();
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
#else
  GTEST_SKIP() << "python3 or its module meshio is missing";
#endif
}

TEST_F(ExportFormats, QuadraticElementsHaveTenNodesInGmshsOrder) {
#ifdef HOLO_PYTHON_MESHIO
  write_file(in_folder("quadratic.yaml"), changed("elements: 100}", "elements: 100, order: 2}"));
  ASSERT_EQ(call({"run", "quadratic.yaml", "--out", "curved"}).exit_code, 0);
  const ProcessResult written = call({"export", "curved", "--out", "curved_out", "--format", "npz,msh", "--frame", "first"});
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const ProcessResult checked =
      Process({HOLO_PYTHON_MESHIO, HOLO_SOURCE_DIR "/tests/app/check_export.py", in_folder("curved_out").string(), "quadratic"})
          .wait();
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
#else
  GTEST_SKIP() << "python3 or its module meshio is missing";
#endif
}

TEST_F(ExportFormats, FramesAreOneOrARangeAndOtherwiseAllOrTheLast) {
  ASSERT_EQ(call({"export", "run", "--out", "frames", "--format", "vtu", "--frame", "2:4"}).exit_code, 0);
  EXPECT_EQ(content("frames"), (std::set<std::string>{"frame_02.vtu", "frame_03.vtu", "frame_04.vtu", "frames.pvd"}));
  ASSERT_EQ(call({"export", "run", "--out", "frames", "--format", "obj,msh"}).exit_code, 0);
  ASSERT_EQ(call({"export", "run", "--out", "frames", "--format", "obj", "--frame", "first"}).exit_code, 0);
  EXPECT_EQ(content("frames"), (std::set<std::string>{"frame_00.obj", "frame_02.vtu", "frame_03.vtu", "frame_04.vtu",
                                                      "frame_10.msh", "frame_10.obj", "frames.pvd"}));
  // Positions of frame 3 are those of the archive of all frames.
  ASSERT_EQ(call({"export", "run", "--out", "one", "--format", "npy", "--frame", "3"}).exit_code, 0);
  ASSERT_EQ(call({"export", "run", "--out", "all", "--format", "npy"}).exit_code, 0);
  const std::string one = read_file(in_folder("one/positions.npy")), all = read_file(in_folder("all/positions.npy"));
  const std::size_t size = (all.size() - 128) / 11;
  EXPECT_EQ(one.substr(128), all.substr(128 + 3 * size, size));
}

TEST_F(ExportFormats, BadInputIsNamedAndNothingIsWritten) {
  expect_refused({"--format", "parquet"},
                 "--format parquet: no such format. There are: csv, npy, npz, vtu, gltf, obj, msh, png, mp4, ");
  expect_refused({"--format", "csv,"}, "--format : no such format");
  expect_refused({"--format", "vtu", "--frame", "11"}, "--frame 11: the run has no frame 11; its 11 frames are 0 to 10");
  expect_refused({"--format", "vtu", "--frame", "5:3"}, "--frame 5:3: frame 5 is after frame 3; write N:M with N <= M");
  expect_refused({"--format", "vtu", "--frame", "-1"}, "--frame -1: '-1' is no frame; write N, first, last, all, or N:M");
  expect_refused({"--format", "csv", "--frame", "2"}, "--frame 2: none of the formats has frames");
  expect_refused({"--format", "npz,mjcf"}, "--format mjcf: the run run has no robot");
  expect_refused({"--format", "npz,npz"}, "two of the formats write the file 'run.npz'");
}

TEST_F(ExportFormats, BadInputIsARunWithoutFrames) {
  fs::copy(in_folder("run"), in_folder("bare"), fs::copy_options::recursive);
  // As of a study without a scene.
  for (const char* file : {"frames.bin", "checkpoint", "checkpoint.previous", "files.txt"})
    fs::remove(in_folder("bare") / file);
  const ProcessResult result = call({"export", "bare", "--format", "csv,vtu"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "--format vtu: the run bare has no frames")) << result.err;
  EXPECT_FALSE(fs::exists(in_folder("bare/export")));
  EXPECT_EQ(call({"export", "bare"}).exit_code, 0);
  EXPECT_EQ(content("bare/export"), std::set<std::string>{"columns.csv"});
}

TEST_F(ExportFormats, BadInputIsARunOfAnotherVersionOrOneThatWasChanged) {
  fs::copy(in_folder("run"), in_folder("old"), fs::copy_options::recursive);
  std::string frames = read_file(in_folder("run/frames.bin"));
  frames[7] = '1';
  write_file(in_folder("old/frames.bin"), frames);
  const ProcessResult changed_since = call({"export", "old", "--format", "npz"});
  EXPECT_EQ(changed_since.exit_code, 2);
  EXPECT_TRUE(contains(changed_since.err, "frames.bin")) << changed_since.err;
  for (const char* file : {"checkpoint", "checkpoint.previous", "files.txt"}) fs::remove(in_folder("old") / file);
  const ProcessResult version = call({"export", "old", "--format", "npz"});
  EXPECT_EQ(version.exit_code, 2);
  EXPECT_TRUE(contains(version.err, "version 1")) << version.err;
  EXPECT_FALSE(fs::exists(in_folder("old/export")));
}

TEST_F(ExportFormats, AFileThatIsThereStopsAllOthersAndStays) {
  write_file(in_folder("there/frame_10.msh"), "mine");
  const ProcessResult result = call({"export", "run", "--out", "there", "--format", "csv,npz,obj,msh"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "there/frame_10.msh: there is a file already, and none is replaced")) << result.err;
  EXPECT_EQ(content("there"), std::set<std::string>{"frame_10.msh"});
  EXPECT_EQ(read_file(in_folder("there/frame_10.msh")), "mine");
}

TEST_F(ExportFormats, AMissingProgramIsNamedAndNothingIsWritten) {
  const std::map<std::string, std::string> none = {{"PATH", "/nowhere"}, {"CHROMIUM", ""}, {"FFMPEG", ""}};
  const ProcessResult picture = call({"export", "run", "--out", "missing", "--format", "csv,png"}, none);
  EXPECT_EQ(picture.exit_code, 1);
  EXPECT_TRUE(contains(picture.err, "--format png: chromium is not installed")) << picture.err;
  const ProcessResult movie = call({"export", "run", "--out", "missing", "--format", "mp4"}, none);
  EXPECT_EQ(movie.exit_code, 1);
  EXPECT_TRUE(contains(movie.err, "--format mp4: ffmpeg is not installed")) << movie.err;
  EXPECT_FALSE(fs::exists(in_folder("missing")));
}

TEST_F(ExportFormats, PicturesHaveTheirSizeAndAMovieAllItsFrames) {
  if (!is_installed("chromium")) GTEST_SKIP() << "chromium is not installed";
  if (read_file(in_folder("run/report.html")).empty()) GTEST_SKIP() << "this build has no report page";
  const bool has_movies = is_installed("ffmpeg") && is_installed("ffprobe");
  const ProcessResult result =
      call({"export", "run", "--out", "seen", "--frame", "8:10", "--format", has_movies ? "mp4" : "png"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  if (has_movies) {
    const ProcessResult frames =
        Process({"ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames,width,height", "-of",
                 "csv=p=0", in_folder("seen/motion.mp4").string()})
            .wait();
    EXPECT_EQ(frames.out, "1280,720,3\n") << frames.err;
    EXPECT_EQ(content("seen"), std::set<std::string>{"motion.mp4"});
  } else {
    EXPECT_EQ(content("seen"), (std::set<std::string>{"frame_08.png", "frame_09.png", "frame_10.png"}));
    const std::string last = read_file(in_folder("seen/frame_10.png"));
    EXPECT_EQ(last.substr(0, 24), std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\5\0\0\0\2\xd0", 24));
    EXPECT_NE(last, read_file(in_folder("seen/frame_08.png")));
  }
}

}  // namespace
}  // namespace holo_test
