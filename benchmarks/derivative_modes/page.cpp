// docs/derivative-modes.md from the results.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "holo/core/abi.h"
#include "page_text.h"
#include "report.h"

namespace holo::benchmark {
namespace {

std::string number(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}
std::string ratio_text(double ratio) { return number(ratio < 10 ? "%.2f" : "%.0f", ratio); }

// The distinct values of a member among the rows of a part and quantity, in order of appearance.
std::vector<std::string> distinct(const std::vector<const Row*>& rows, std::string Row::*member) {
  std::vector<std::string> values;
  for (const Row* row : rows)
    if (std::find(values.begin(), values.end(), row->*member) == values.end()) values.push_back(row->*member);
  return values;
}

const Row* find(const std::vector<const Row*>& rows, const std::string& column, std::string Row::*column_of,
                const std::string& mode) {
  for (const Row* row : rows)
    if (row->*column_of == column && row->mode == mode) return row;
  return nullptr;
}

// "31 (0.21)": the time in the given unit, and in brackets the ratio to the fastest hand-written coding where there is one.
std::string cell(const Row* row, double nanoseconds_of_unit) {
  if (row == nullptr) return "";
  const double time = row->nanoseconds / nanoseconds_of_unit;
  std::string text = number(time < 10 ? "%.1f" : "%.0f", time);
  if (row->ratio > 0) text += " (" + ratio_text(row->ratio) + ")";
  return row->agrees() ? text : text + " **wrong**";
}

// Modes down, problems or quantities across; the last column is the largest difference to the reference.
void write_table(std::ostream& out, const std::vector<const Row*>& rows, std::string Row::*column_of,
                 double nanoseconds_of_unit = 1) {
  const std::vector<std::string> columns = distinct(rows, column_of);
  out << "| |";
  for (const std::string& column : columns) out << ' ' << column << " |";
  out << " difference |\n|---|";
  for (std::size_t k = 0; k <= columns.size(); ++k) out << "---|";
  out << '\n';
  for (const std::string& mode : distinct(rows, &Row::mode)) {
    double difference = 0;
    bool is_compared = false;
    out << "| " << mode << " |";
    for (const std::string& column : columns) {
      const Row* row = find(rows, column, column_of, mode);
      out << ' ' << cell(row, nanoseconds_of_unit) << " |";
      if (row == nullptr || row->family == Family::frame) continue;
      is_compared = true;
      difference = std::max(difference, row->difference);
    }
    out << ' ' << (is_compared ? number("%.0e", difference) : "") << " |\n";
  }
  out << '\n';
}

std::vector<const Row*> rows_of(const Results& results, const std::string& part, const std::string& quantity) {
  std::vector<const Row*> rows;
  for (const Row& row : results.rows)
    if (row.part == part && (quantity.empty() || row.quantity == quantity)) rows.push_back(&row);
  return rows;
}

// A few materials side by side.
void write_element_tables(std::ostream& out, const Results& results, const std::string& quantity) {
  const std::vector<const Row*> rows = rows_of(results, "element", quantity);
  const std::vector<std::string> materials = distinct(rows, &Row::problem);
  constexpr std::size_t columns = 4;
  for (std::size_t first = 0; first < materials.size(); first += columns) {
    std::vector<const Row*> some;
    for (const Row* row : rows) {
      const auto place = std::size_t(std::find(materials.begin(), materials.end(), row->problem) - materials.begin());
      if (place >= first && place < first + columns) some.push_back(row);
    }
    write_table(out, some, &Row::problem);
  }
}

void write_gates(std::ostream& out, const Results& results) {
  const auto missed = std::count_if(results.gates.begin(), results.gates.end(), [](const Gate& gate) { return !gate.holds(); });
  out << paragraph(std::to_string(results.gates.size() - std::size_t(missed)) + " of " + std::to_string(results.gates.size()) +
                   " hold. The figures of the last column were measured in this run.")
      << "| | | measured | gate | goal | | cause of a miss |\n|---|---|---|---|---|---|---|\n";
  for (const Gate& gate : results.gates)
    out << "| " << gate.problem << ", " << gate.quantity << " | " << gate.what << " | "
        << number(gate.measured < 1    ? "%.3f"
                  : gate.measured < 10 ? "%.2f"
                                       : "%.0f",
                  gate.measured)
        << " | "
        << "<= " << ratio_text(gate.allowed) << " | " << ratio_text(gate.goal) << " | "
        << (gate.reached() ? "goal reached"
            : gate.holds() ? "holds"
                           : "**missed**")
        << " | " << (gate.holds() ? "" : gate.cause) << " |\n";
}

// The range over the materials of a mode's time over another row's, "1.9 to 2.2".
template <class IsMode, class IsUnit>
std::string range(const Results& results, const std::string& quantity, IsMode is_mode, IsUnit is_unit) {
  const std::vector<const Row*> rows = rows_of(results, "element", quantity);
  double least = HUGE_VAL, most = 0;
  for (const std::string& material : distinct(rows, &Row::problem)) {
    double mode = HUGE_VAL, unit = HUGE_VAL;
    for (const Row* row : rows) {
      if (row->problem != material) continue;
      if (is_mode(*row)) mode = std::min(mode, row->nanoseconds);
      if (is_unit(*row)) unit = std::min(unit, row->nanoseconds);
    }
    if (std::isinf(mode) || std::isinf(unit)) continue;
    least = std::min(least, mode / unit);
    most = std::max(most, mode / unit);
  }
  return most > 0 ? ratio_text(least) + " to " + ratio_text(most) : "";
}

// Explains the times of other libraries.
void write_peers(std::ostream& out, const Results& results) {
  const auto boost = [](const Row& row) { return row.family == Family::peer && row.mode.rfind("Boost", 0) == 0; };
  const auto frame = [](const Row& row) { return row.family == Family::frame; };
  const auto by_hand = [](const Row& row) { return row.is_yardstick; };
  const std::string over_frame = range(results, "gradient", boost, frame);
  if (over_frame.empty()) return;
  out << paragraph(
      "Other libraries: Boost's first-order number is two doubles, which the compiler inlines like plain arithmetic. Nine "
      "directions, one after the other, take " +
      range(results, "gradient", boost, by_hand) + " times as long as the fastest hand-written gradient of the material, and " +
      over_frame +
      " times as long as gather, chain and stores alone, which are a lower bound of any gradient's time. ADOL-C's numbers are "
      "vectors on the heap, or entries of a tape. Both libraries differentiate the closed form of the eigenvalues for energies "
      "of principal stretches. This form loses digits where stretches are close to each other, and has no derivative where "
      "they are equal, as at rest. The plugin's time includes a decomposition without these faults.");
}

void write_plugin_paths(std::ostream& out, const Results& results) {
  out << "| material | gradient | Hessian |\n|---|---|---|\n";
  for (const Row* row : rows_of(results, "element", "Hessian")) {
    if (row->family != Family::shipped) continue;
    for (const Row* gradient : rows_of(results, "element", "gradient"))
      if (gradient->problem == row->problem && gradient->family == Family::shipped)
        out << "| " << row->problem << " | " << gradient->note << " | " << row->note << " |\n";
  }
  out << '\n';
}

// The machine, its load during the run, and the libraries that were found.
void write_conditions(std::ostream& out, const Results& results) {
  const Conditions& c = results.conditions;
  std::string text = "Machine: " + processor_name() + ", " + std::to_string(c.processors) + " processors; " +
                     HOLO_BENCHMARK_COMPILER + ", " + HOLO_BENCHMARK_FLAGS + ", exact arithmetic flags. The run took " +
                     number("%.0f", c.thread_seconds) + " s of processor time, " + number("%.0f", c.wall_seconds) +
                     " s by the clock";
  if (c.other_seconds >= 0) text += "; other programs used " + number("%.1f", c.other_seconds) + " s meanwhile";
  if (c.other_seconds >= 0.05 * c.thread_seconds)
    text += ", which increases the ratios of kernels that write much (the fast Hessians)";
  text += ". Other libraries: ";
  for (const Library& library : results.libraries)
    text += (&library == results.libraries.data() ? "" : "; ") + library.name + ": " + library.status;
  out << paragraph(text + ".");
}

void write_introduction(std::ostream& out, const Results& results) {
  out << "# Methods for derivatives, measured\n\n"
         "<!-- Made by `benchmark_derivative_modes --markdown`.\n"
         "Edit benchmarks/derivative_modes/page.cpp, not this file. -->\n\n"
      << paragraph(
             "All methods compute the same derivatives of the same inputs, in one run on one thread. The modes take turns. A "
             "table has the median processor time of a turn, in ns for one point or element, and in brackets its ratio to the "
             "fastest hand-written coding of the same run. \"difference\" is the largest difference from the reference, "
             "relative to the largest entry of the result. [differentiation.md](differentiation.md) explains the modes and "
             "their uses.")
      << "    cmake --preset release && cmake --build build/release --target benchmark_derivative_modes\n"
         "    build/release/bin/benchmark_derivative_modes"
      << results.conditions.options << " --markdown docs/derivative-modes.md\n\n"
      << paragraph(
             "The benchmark is not part of the default build, because it compiles every material in every scalar, which takes "
             "minutes.");
  write_conditions(out, results);
}

void write_elements(std::ostream& out, const Results& results) {
  out << "## Elements\n\n"
      << paragraph(
             "The energy of a tetrahedron: its record is gathered, the derivative in F is computed, chained to the vertices, "
             "and stored. All modes but the hand-written codings share gather, chain and stores in lanes; a row of its own has "
             "the time of these. The reference is the plugin, which is compared with 100-digit arithmetic at the first "
             "elements "
             "of the run. Differences and \"accelerated\" run " +
             std::to_string(HOLO_LANE_WIDTH) +
             " elements in lanes; complex numbers, tapes, other libraries, gradient() and hessian() run one element at a time. "
             "In the modes other than the plugin's and the hand-written ones, energies of principal stretches are functions of "
             "F by the closed form of the eigenvalues, which costs digits. \"singular\" has no hand-written kernel.")
      << "### Gradient (12)\n\n";
  write_element_tables(out, results, "gradient");
  out << "### Hessian (12x12)\n\n";
  write_element_tables(out, results, "Hessian");
  out << "### Upper half of the Hessian (78)\n\n"
      << paragraph(
             "A simulation assembles this half, and the gates refer to it. The results stay in the cache until they are "
             "summed.");
  write_element_tables(out, results, "Hessian, upper half");
  out << "### Kernels of the plugins\n\n";
  write_plugin_paths(out, results);
}

void write_solve_graph(std::ostream& out, const Results& results) {
  const std::vector<const Row*> rows = rows_of(results, "solve graph", "");
  if (rows.empty()) return;
  out << "## The Hessian of a graph with a solve\n\n"
      << paragraph(
             "The graph has 64 inputs, a dense 200x200 system that depends on them, and nonlinear outputs. Times are in "
             "microseconds for the 64x64 Hessian. The reference is the hand-written second-order adjoint. Differences and the "
             "naive complex step differentiate the hand-written gradient (a factorization for each input); the pairs factor "
             "the "
             "real matrix in each call; ADOL-C has the elimination on its tape, and ran once. Compile-time and run-time graphs "
             "have no solve, and Boost's pairs would eliminate 2080 times in nested numbers: they have no entry.");
  write_table(out, rows, &Row::quantity, 1e3);
}

}  // namespace

void write_page(std::ostream& out, const Results& results) {
  write_introduction(out, results);
  out << "## A function of one number: exp(x)/(x^4+x^2+1), x from 3.95 to 4.25\n\n"
      << paragraph("The reference is the closed form in long double.");
  write_table(out, rows_of(results, "scalar function", ""), &Row::quantity);
  write_elements(out, results);
  write_solve_graph(out, results);
  write_peers(out, results);
  out << "## Gates\n\n";
  write_gates(out, results);
}

}  // namespace holo::benchmark
