#pragma once
// Progress of a long job: a bar that redraws itself on a terminal, now and then a plain line elsewhere.

#include <cstdint>
#include <cstdio>
#include <string>

namespace holo {

class Progress {
 public:
  // `unit` is what is counted, in the singular: "step". `total` 0: unknown. Writes to `stream` (stderr by default).
  Progress(std::string title, std::int64_t total, std::string unit, std::FILE* stream = stderr);
  ~Progress();  // ends the bar's line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Where what is to be done shows on the way.
  void set_total(std::int64_t total) { total_ = total; }
  // Cheap: on a terminal it draws at most ten times a second, elsewhere it prints at each tenth of the total or every ten
  // seconds.
  void update(std::int64_t done, const std::string& note = {});
  // The last line, with the time it took. `note` says how it ended ("done" by default).
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
