#include "holo/core/runs/progress.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace holo {
namespace {

// What a program writes to a terminal of the given width. It is read all the time: a full terminal would stop the program.
class Terminal {
 public:
  explicit Terminal(unsigned short columns) {
    winsize size{24, columns, 0, 0};
    int program = -1;
    if (openpty(&screen_, &program, nullptr, nullptr, &size) != 0) throw std::runtime_error("no pseudo-terminal");
    stream_ = fdopen(program, "w");
    reader_ = std::thread([this] {
      char c;
      while (::read(screen_, &c, 1) == 1) {  // until the program's side is closed
        const std::lock_guard<std::mutex> lock(mutex_);
        text_ += c;
        grown_.notify_all();
      }
    });
  }
  ~Terminal() {
    std::fclose(stream_);
    reader_.join();
    close(screen_);
  }
  std::FILE* stream() const { return stream_; }
  void resize(unsigned short columns) {
    const winsize size{24, columns, 0, 0};
    ioctl(screen_, TIOCSWINSZ, &size);
  }
  // All that was written so far, once.
  std::string text() {
    constexpr char mark = '\x02';
    std::fputc(mark, stream_);
    std::fflush(stream_);
    std::unique_lock<std::mutex> lock(mutex_);
    grown_.wait(lock, [&] { return !text_.empty() && text_.back() == mark; });
    return text_.substr(0, text_.size() - 1);
  }

 private:
  int screen_ = -1;
  std::FILE* stream_ = nullptr;
  std::thread reader_;
  std::mutex mutex_;
  std::condition_variable grown_;
  std::string text_;
};

// What it writes to a file.
class PlainFile {
 public:
  ~PlainFile() { std::fclose(stream_); }
  std::FILE* stream() const { return stream_; }
  std::vector<std::string> lines() {
    std::rewind(stream_);
    std::vector<std::string> result;
    char line[512];
    while (std::fgets(line, sizeof line, stream_) != nullptr) result.emplace_back(line);
    return result;
  }

 private:
  std::FILE* stream_ = std::tmpfile();
};

// The drawings, each from its carriage return to its clearing of the rest of the line.
std::vector<std::string> drawings(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t begin = text.find('\r'); begin != std::string::npos; begin = text.find('\r', begin + 1)) {
    const std::size_t end = text.find("\x1b[K", begin);
    if (end != std::string::npos && text[begin + 1] != '\n') result.push_back(text.substr(begin + 1, end - begin - 1));
  }
  return result;
}

TEST(Progress, BarOnATerminalIsRedrawnInPlaceAndSeldom) {
  Terminal terminal(100);
  const auto begin = std::chrono::steady_clock::now();
  {
    Progress progress("falling", 100000, "step", terminal.stream());
    for (int i = 1; i <= 100000; ++i) progress.update(i);
    progress.finish();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::string text = terminal.text();
  const std::vector<std::string> drawn = drawings(text);
  ASSERT_GE(drawn.size(), 2u);
  EXPECT_LE(static_cast<double>(drawn.size()), 10 * seconds + 3);
  EXPECT_EQ(drawn.front().rfind("falling [", 0), 0u) << drawn.front();
  EXPECT_NE(drawn.back().find("[########################################] 100% 100000/100000 steps, done in 0:0"),
            std::string::npos)
      << drawn.back();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(text.back(), '\n');
}

TEST(Progress, BarFitsAnyWidthAndFollowsIt) {
  for (unsigned short columns : {200, 60, 30, 10, 2}) {
    Terminal terminal(200);
    Progress progress("a title with an umlaut: Körper", 1000, "step", terminal.stream());
    terminal.resize(columns);
    progress.update(500, "residual 1e-8");
    progress.finish("stopped");
    for (const std::string& line : drawings(terminal.text())) {
      const auto continued = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) == 0x80; });
      EXPECT_LT(line.size() - static_cast<std::size_t>(continued), columns) << line;
    }
  }
}

TEST(Progress, ShowsTheTimeLeft) {
  Terminal terminal(100);
  Progress progress("slow", 1001, "step", terminal.stream());
  progress.update(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  progress.update(2);
  const std::vector<std::string> drawn = drawings(terminal.text());
  ASSERT_EQ(drawn.size(), 2u);
  EXPECT_NE(drawn.back().find(" left"), std::string::npos) << drawn.back();
}

TEST(Progress, EndsItsLineWhenItIsLeftOpen) {
  Terminal terminal(80);
  { Progress("left", 10, "step", terminal.stream()).update(3); }
  EXPECT_EQ(terminal.text().back(), '\n');
  Terminal untouched(80);
  { Progress("never begun", 10, "step", untouched.stream()); }
  EXPECT_EQ(untouched.text(), "");
}

TEST(Progress, PlainLinesElsewhereOneForEachTenth) {
  PlainFile file;
  {
    Progress progress("falling", 5000, "step", file.stream());
    for (int i = 1; i <= 5000; ++i) progress.update(i);
    progress.finish();
  }
  const std::vector<std::string> lines = file.lines();
  ASSERT_EQ(lines.size(), 11u);
  EXPECT_EQ(lines[0].rfind("falling: 500/5000 steps (10%)", 0), 0u) << lines[0];
  EXPECT_EQ(lines[10].rfind("falling: 5000/5000 steps (100%), done in 0:0", 0), 0u) << lines[10];
  for (const std::string& line : lines) EXPECT_EQ(line.find_first_of("\r\x1b"), std::string::npos);
}

TEST(Progress, ResumedJobDoesNotCountWhatWasDoneBefore) {
  PlainFile file;
  Progress progress("resumed", 1000, "step", file.stream());
  for (int i = 901; i <= 1000; ++i) progress.update(i);
  const std::vector<std::string> lines = file.lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "resumed: 1000/1000 steps (100%)\n");
}

TEST(Progress, UnknownTotalShowsTheCountAlone) {
  PlainFile file;
  Progress progress("searching", 0, "candidate", file.stream());
  for (int i = 0; i < 100; ++i) progress.update(i);
  progress.finish("found");
  const std::vector<std::string> lines = file.lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].rfind("searching: 99 candidates, found in 0:0", 0), 0u) << lines[0];
}

TEST(Progress, TotalMayShowOnTheWay) {
  PlainFile file;
  Progress progress("designing", 1, "step", file.stream());
  for (int i = 1; i <= 3; ++i) {
    progress.set_total(std::min(i + 1, 3));
    progress.update(i);
  }
  progress.finish();
  const std::vector<std::string> lines = file.lines();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0].rfind("designing: 1/2 steps (50%)", 0), 0u) << lines[0];
  EXPECT_EQ(lines.back().rfind("designing: 3/3 steps (100%), done", 0), 0u) << lines.back();
}

TEST(ProgressBadInput, ControlCharactersOfATitleDoNotReachTheTerminal) {
  Terminal terminal(80);
  Progress progress("evil\x1b[2J\n", 10, "step", terminal.stream());
  progress.update(1, "note\x07\n");
  const std::string text = terminal.text();
  EXPECT_EQ(text.find("\x1b[2J"), std::string::npos);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
}

}  // namespace
}  // namespace holo
