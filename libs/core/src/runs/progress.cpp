#include "holo/core/runs/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

namespace holo {

namespace {

constexpr double redraw_seconds = 0.1;
constexpr double line_seconds = 10;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

bool is_terminal(std::FILE* stream) {
  const char* kind = std::getenv("TERM");
  return isatty(fileno(stream)) == 1 && (kind == nullptr || std::string(kind) != "dumb");
}

std::size_t terminal_width(std::FILE* stream) {
  winsize size{};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Titles and notes come from files: no control character of theirs may reach the terminal.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text;
}

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// At most `width` characters of UTF-8.
std::string cut(const std::string& text, std::size_t width) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (begins_character(text[i]) && characters++ == width) return text.substr(0, i);
  return text;
}

std::size_t characters_in(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

// "0:07", "12:34", "1:02:03"
std::string clock(double seconds) {
  const long long whole = std::llround(std::min(seconds, 3.6e8));
  char text[40];
  if (whole >= 3600)
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "%lld:%02lld", whole / 60, whole % 60);
  return text;
}

}  // namespace

Progress::Progress(std::string title, std::int64_t total, std::string unit, std::FILE* stream)
    : title_(printable(std::move(title))),
      unit_(printable(std::move(unit))),
      total_(total),
      stream_(stream),
      terminal_(stream != nullptr && is_terminal(stream)),
      start_seconds_(now()),
      last_seconds_(start_seconds_) {}

Progress::~Progress() {
  if (!open_) return;
  std::fputc('\n', stream_);
  std::fflush(stream_);
}

double Progress::fraction(std::int64_t done) const {
  return total_ > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total_), 0.0, 1.0) : 0.0;
}

// "450/1000 steps"
std::string Progress::count(std::int64_t done) const {
  return std::to_string(done) + (total_ > 0 ? "/" + std::to_string(total_) : "") + " " + unit_ + "s";
}

// The time left at the pace since the first update: what was done before that (a resumed run) took no time here.
std::string Progress::time_left(std::int64_t done) const {
  const double elapsed = now() - start_seconds_;
  if (total_ <= 0 || done <= first_done_ || done >= total_) return "";
  return ", " + clock(elapsed * static_cast<double>(total_ - done) / static_cast<double>(done - first_done_)) + " left";
}

void Progress::draw(std::int64_t done, const std::string& note) {
  const std::size_t width = terminal_width(stream_) - 1;  // the last column would wrap on some terminals
  char percent[16] = "";
  if (total_ > 0) std::snprintf(percent, sizeof percent, "%3d%% ", static_cast<int>(100 * fraction(done)));
  const std::string tail = percent + count(done) + time_left(done) + (note.empty() ? "" : ", " + printable(note));
  const std::size_t used = characters_in(title_) + characters_in(tail) + 4;
  std::string bar;
  if (total_ > 0 && used + 5 <= width) {
    const std::size_t length = std::min<std::size_t>(width - used, 40);
    const std::size_t filled = static_cast<std::size_t>(fraction(done) * static_cast<double>(length));
    bar = "[" + std::string(filled, '#') + std::string(length - filled, '.') + "] ";
  }
  std::fprintf(stream_, "\r%s\x1b[K", cut(title_ + " " + bar + tail, width).c_str());
  std::fflush(stream_);
  open_ = true;
}

void Progress::print_line(std::int64_t done, const std::string& note) {
  std::string text = title_ + ": " + count(done);
  if (total_ > 0) text += " (" + std::to_string(static_cast<int>(100 * fraction(done))) + "%)";
  text += time_left(done) + (note.empty() ? "" : ", " + printable(note));
  std::fprintf(stream_, "%s\n", text.c_str());
  std::fflush(stream_);
}

void Progress::update(std::int64_t done, const std::string& note) {
  if (stream_ == nullptr) return;
  if (first_done_ < 0) first_done_ = std::max<std::int64_t>(0, done - 1);
  last_done_ = done;
  const double time = now();
  if (terminal_) {
    if (last_shown_ >= 0 && time - last_seconds_ < redraw_seconds) return;
    draw(done, note);
  } else {
    // A fast job speaks at each tenth, a slow one every few seconds.
    const bool tenth =
        total_ > 0 && std::floor(10 * fraction(done)) > std::floor(10 * fraction(std::max(last_shown_, first_done_)));
    if (!tenth && time - last_seconds_ < line_seconds) return;
    print_line(done, note);
  }
  last_shown_ = done;
  last_seconds_ = time;
}

void Progress::finish(const std::string& note) {
  if (stream_ == nullptr) return;
  const std::string text = (note.empty() ? "done" : note) + (" in " + clock(now() - start_seconds_));
  if (terminal_) {
    draw(std::max<std::int64_t>(last_done_, 0), text);
    std::fputc('\n', stream_);
    std::fflush(stream_);
    open_ = false;
  } else {
    print_line(std::max<std::int64_t>(last_done_, 0), text);
  }
}

}  // namespace holo
