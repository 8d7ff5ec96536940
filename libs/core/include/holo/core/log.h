#pragma once
// A structured log: each event is one line of JSON in a file, and a warning also a readable line for the user. Passed on
// explicitly; there is no global one.
//
//   Log log(&run.growing("log.jsonl"));
//   log.write("step", {{"number", step}, {"energy", energy}});   {"seconds":0.125,"event":"step","number":7,"energy":3.5}
//   log.warn("the last checkpoint was damaged", {{"step", step}});

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace holo {

class GrowingFile;

// One value of a line of the log. A number that is not finite is written as text ("nan", "inf").
using LogValue = std::variant<std::int64_t, double, std::string, bool>;
using LogFields = std::vector<std::pair<std::string, LogValue>>;

class Log {
 public:
  // Either may be null. Both must outlive the log.
  explicit Log(GrowingFile* file, std::FILE* stream = stderr);

  // One line for the file: seconds since the log began, the event, the fields in their order. Bytes that are not UTF-8 are
  // replaced. Throws Error(environment) when the file cannot grow.
  void write(const std::string& event, const LogFields& fields = {});
  // The same with "warning" as its event, and the message, with its fields, as a line on the stream.
  void warn(const std::string& message, const LogFields& fields = {});

 private:
  GrowingFile* file_;
  std::FILE* stream_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace holo
