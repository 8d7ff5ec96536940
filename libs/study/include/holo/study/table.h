#pragma once
// Tables of results: what a study shows beside its metrics.

#include <string>
#include <variant>
#include <vector>

namespace holo {

// The color of a row or of a whole report.
enum class Verdict {
  none,
  accepted,       // an acceptance bound holds
  missed,         // ... does not
  reproduced,     // our value agrees with the paper's
  differs,        // ... does not; the cause stands beside it
  not_attempted,  // nothing of ours to compare
  interrupted,    // the run was ended before its time
  failed          // the solver could not go on
};
std::string to_string(Verdict verdict);  // "not_attempted"

// Text, a number (shown with 6 digits, and as "NaN" or "infinity" where it is that), or a verdict.
using Cell = std::variant<std::string, double, Verdict>;

struct Column {
  std::string title = {};
  std::string unit = {};  // "": none is shown
};

struct Table {
  std::string title = {};
  std::string caption = {};
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};  // [row][column]
};

}  // namespace holo
