#include "answer.h"

#include <fmt/format.h>

#include <cstdio>
#include <sstream>
#include <utility>

#include "standard_streams.h"

namespace holo {

void answer(const CommandLine& line, const std::string& text, const AnswerObject& object) {
  if (line.json)
    fmt::print("{}\n", object.dump(-1, ' ', false, AnswerObject::error_handler_t::replace));
  else if (!line.quiet)
    fmt::print("{}", text);
}

std::string with_colored_verdicts(const std::string& text) {
  if (!has_colors(stdout)) return text;
  static constexpr const char *good = "\x1b[32m", *bad = "\x1b[1;31m", *plain = "\x1b[0m";
  static constexpr std::pair<const char*, const char*> colors[] = {
      {"  holds ", good}, {"  MISSED", bad}, {"  reproduced", good}, {"  differs", bad}, {"FAILED", bad}};
  std::istringstream lines(text);
  std::string colored;
  for (std::string line; std::getline(lines, line);) {
    for (const auto& [word, color] : colors)
      if (line.rfind(word, 0) == 0) line = color + line.insert(std::string(word).size(), plain);
    colored += line + "\n";
  }
  return colored;
}

}  // namespace holo
