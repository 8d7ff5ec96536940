#include "holo/core/log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "holo/core/runs/run_folder.h"

namespace holo {

namespace {

using json = nlohmann::ordered_json;

json to_json(const LogValue& value) {
  return std::visit(
      [](const auto& v) -> json {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, double>)
          if (!std::isfinite(v)) return fmt::format("{}", v);
        return v;
      },
      value);
}

std::string text_of(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace

Log::Log(GrowingFile* file, std::FILE* stream) : file_(file), stream_(stream) {}

void Log::write(const std::string& event, const LogFields& fields) {
  if (file_ == nullptr) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  json line{{"seconds", std::round(seconds * 1000) / 1000}, {"event", event}};
  for (const auto& [name, value] : fields) line[name] = to_json(value);
  file_->append_line(text_of(line));
}

void Log::warn(const std::string& message, const LogFields& fields) {
  LogFields all = {{"message", message}};
  all.insert(all.end(), fields.begin(), fields.end());
  write("warning", all);
  if (stream_ == nullptr) return;
  std::string line = message;
  for (const auto& [name, value] : fields)
    line += (&name == &fields.front().first ? " (" : ", ") + name + ": " + text_of(to_json(value));
  if (!fields.empty()) line += ")";
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  // On a terminal a progress bar may stand in this line; it is drawn again below.
  std::fprintf(stream_, "%swarning: %s\n", isatty(fileno(stream_)) == 1 ? "\r\x1b[K" : "", line.c_str());
  std::fflush(stream_);
}

}  // namespace holo
