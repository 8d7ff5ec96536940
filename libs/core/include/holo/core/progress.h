#pragma once
// Progress of a long job: a bar that redraws itself on a terminal, now and then a plain line elsewhere.

#include <cstdint>
#include <cstdio>
#include <string>

namespace holo {

class Progress {
 public:
  // `unit` is what is counted: "step". Writes to `stream` (stderr by default).
  Progress(std::string title, std::int64_t total, std::string unit, std::FILE* stream = stderr);
  ~Progress();  // ends the bar's line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::int64_t done, const std::string& note = {});
  void finish(const std::string& note = {});

 private:
  std::string title_, unit_;
  std::int64_t total_, last_shown_ = -1;
  std::FILE* stream_;
  bool terminal_, open_ = false;
  double start_seconds_ = 0, last_seconds_ = 0;
};

}  // namespace holo
