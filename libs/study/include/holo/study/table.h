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

// A text that leads to another page.
struct PageLink {
  std::string text = {};
  std::string page = {};  // a file below the report's folder, by its path relative to that: "runs/0003/report.html"
  bool operator==(const PageLink&) const = default;
};

// Text, a number (shown with 6 digits, and as "NaN" or "infinity" where it is that), a verdict, or a link.
using Cell = std::variant<std::string, double, Verdict, PageLink>;

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
