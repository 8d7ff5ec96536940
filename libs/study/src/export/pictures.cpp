#include "export/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "export/browser.h"
#include "export/frame_selection.h"
#include "export/programs.h"
#include "holo/core/error.h"
#include "holo/core/runs/run_folder.h"
#include "holo/study/report.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

constexpr int width = 1280, height = 720;  // of a picture
constexpr std::size_t largest_page = 300'000'000;
constexpr std::size_t frames_for_scale = 100;
const std::vector<std::string> browser_names = {"chromium", "chromium-headless-shell", "chromium-browser", "google-chrome"};

// The frames of the page: those that are wanted, and some from the whole run, so that the view and the colors are the same
// for any choice of frames.
std::vector<std::size_t> page_frames(const RunFrames& frames) {
  std::set<std::size_t> numbers(frames.numbers.begin(), frames.numbers.end());
  const std::size_t last = frames.file.size() - 1, count = std::min(last, frames_for_scale);
  for (std::size_t i = 0; i <= count; ++i) numbers.insert(count == 0 ? 0 : i * last / count);
  return {numbers.begin(), numbers.end()};
}

fs::path write_page(const RunFrames& frames, const std::vector<std::size_t>& numbers, const std::string& format,
                    const fs::path& folder) {
  const std::string page_template = find_report_template();
  if (page_template.empty())
    throw Error(Failure::environment,
                fmt::format("--format {}: this build has no report page: npm was missing when it was made", format));
  SceneClip clip;
  clip.scene = frames.scene();
  clip.frame_count = numbers.size();
  clip.frame = [&](std::size_t i, SceneFrame& frame) { frame = frames.file.read(numbers[i]); };
  ReportData report;
  report.scenes.push_back(std::move(clip));
  const fs::path page = folder / "page.html";
  write_whole_file(page, render_report(report, read_whole_file(page_template), {.page_bytes = largest_page}));
  return page;
}

// A path as an address.
std::string address_of(const fs::path& file) {
  std::string address = "file://";
  for (const char letter : fs::absolute(file).string())
    address += std::isalnum(static_cast<unsigned char>(letter)) || std::strchr("/-_.", letter)
                   ? std::string(1, letter)
                   : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  return address;
}

void take_pictures(const RunFrames& frames, const std::string& format, const fs::path& scratch,
                   const std::function<void(std::size_t number, const std::string& png)>& take) {
  const fs::path program = find_program("CHROMIUM", browser_names, format);
  const std::vector<std::size_t> numbers = page_frames(frames);
  const fs::path page = write_page(frames, numbers, format, scratch);
  Browser browser(program, scratch / "profile");
  browser.open(address_of(page) + "?picture&frame=0", width, height);
  for (const std::size_t number : frames.numbers) {
    const auto index = std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin();
    const nlohmann::json shown = browser.evaluate(fmt::format("picture.show({})", index));
    if (shown != index)
      throw Error(Failure::input, fmt::format("--format {}: a page of {} frames would be over {} MB; name fewer by --frame",
                                              format, numbers.size(), largest_page / 1'000'000));
    take(number, browser.picture());
  }
}

// Frames of the movie each second: real time, but slower where it would last less than two seconds.
double rate_of(const RunFrames& frames) {
  constexpr double slowest = 5, fastest = 60, shortest = 2;  // [1/s], [s]
  const auto count = double(frames.numbers.size());
  const double duration = frames.file.head(frames.numbers.back()).time - frames.file.head(frames.numbers.front()).time;
  return std::clamp((count - 1) / std::max(duration, shortest), slowest, fastest);
}

}  // namespace

void write_png(const RunFrames& frames, ExportFolder& folder) {
  take_pictures(frames, "png", folder.scratch_folder(), [&](std::size_t number, const std::string& png) {
    folder.write(fmt::format("frame_{}.png", padded_number(number, frames.file.size())), png);
  });
}

void write_mp4(const RunFrames& frames, ExportFolder& folder) {
  const fs::path ffmpeg = find_program("FFMPEG", {"ffmpeg"}, "mp4"), scratch = folder.scratch_folder();
  std::size_t count = 0;
  take_pictures(frames, "mp4", scratch, [&](std::size_t, const std::string& png) {
    write_whole_file(scratch / fmt::format("{:07}.png", count++), png);
  });
  run_program({ffmpeg.string(), "-loglevel", "error", "-framerate", fmt::format("{}", rate_of(frames)), "-i",
               (scratch / "%07d.png").string(), "-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart",
               folder.begin_file("motion.mp4").string()},
              scratch / "ffmpeg.log");
}

}  // namespace holo
