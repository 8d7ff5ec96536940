#pragma once
// What a command says on the standard output: text for people, or with --json one JSON object a line for programs.

#include <nlohmann/json.hpp>
#include <string>

#include "command_line.h"

namespace holo {

using AnswerObject = nlohmann::ordered_json;

// Prints `object` in one line with --json, `text` without, and neither with --quiet alone. Bytes of the object that are not
// UTF-8 are replaced.
void answer(const CommandLine& line, const std::string& text, const AnswerObject& object);

// The words that tell how a run ended in color, where the standard output is a terminal and NO_COLOR is not set.
std::string with_colored_verdicts(const std::string& text);

}  // namespace holo
