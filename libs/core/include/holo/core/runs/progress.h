#pragma once
// Shows the progress of a long job: a progress bar on a terminal, lines of text from time to time in a file or pipe.

#include <cstdint>
#include <cstdio>
#include <string>

namespace holo {

class Progress {
 public:
  // `unit` is the counted unit in the singular: "step". `total` (>= 0) is the number of units; 0: unknown. Writes to `stream`;
  // null: nothing.
  Progress(std::string title, std::int64_t total, std::string unit, std::FILE* stream = stderr);
  ~Progress();  // ends the bar's line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Use this if the total is not known in advance.
  void set_total(std::int64_t total) { total_ = total; }
  // Reports that `done` units are done. Call it as often as convenient: on a terminal it draws at most ten times a second,
  // elsewhere it prints at each tenth of the total or every ten seconds.
  void update(std::int64_t done, const std::string& note = {});
  // Writes the last line with the elapsed time. `note` states the outcome ("done" by default).
  void finish(const std::string& note = {});

 private:
  double fraction(std::int64_t done) const;
  std::string count(std::int64_t done) const;
  std::string time_left(std::int64_t done) const;
  void draw(std::int64_t done, const std::string& note);
  void print_line(std::int64_t done, const std::string& note);

  std::string title_, unit_;
  std::int64_t total_, last_shown_ = -1, first_done_ = -1, last_done_ = -1;
  std::FILE* stream_;
  bool terminal_, open_ = false;
  double start_seconds_ = 0, last_seconds_ = 0;
};

}  // namespace holo
