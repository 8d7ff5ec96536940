#pragma once
// Errors of signals, splines and motion capture files, which are errors of the input.

#include <string>

#include "holo/core/error.h"

namespace holo {

// Every refusal of a signal, a spline or a motion capture file is an error of the input.
[[noreturn]] inline void refuse(const std::string& text) { throw Error(Failure::input, text); }

}  // namespace holo
