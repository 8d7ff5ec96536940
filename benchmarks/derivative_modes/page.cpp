// docs/derivative-modes.md from the results.

#include <algorithm>
#include <cstdio>

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

// "31 (0.21)": nanoseconds, and in brackets the ratio to the fastest hand-written coding where there is one.
std::string cell(const Row* row) {
  if (row == nullptr) return "";
  std::string text = number(row->nanoseconds < 10 ? "%.1f" : "%.0f", row->nanoseconds);
  if (row->ratio > 0) text += " (" + ratio_text(row->ratio) + ")";
  return row->agrees() ? text : text + " **wrong**";
}

// Modes down, problems or quantities across; the last column is the largest difference to the reference.
void write_table(std::ostream& out, const std::vector<const Row*>& rows, std::string Row::*column_of) {
  const std::vector<std::string> columns = distinct(rows, column_of);
  out << "| |";
  for (const std::string& column : columns) out << ' ' << column << " |";
  out << " difference |\n|---|";
  for (std::size_t k = 0; k <= columns.size(); ++k) out << "---|";
  out << '\n';
  for (const std::string& mode : distinct(rows, &Row::mode)) {
    double difference = 0;
    out << "| " << mode << " |";
    for (const std::string& column : columns) {
      const Row* row = find(rows, column, column_of, mode);
      out << ' ' << cell(row) << " |";
      if (row != nullptr) difference = std::max(difference, row->difference);
    }
    out << ' ' << number("%.0e", difference) << " |\n";
  }
  out << '\n';
}

std::vector<const Row*> rows_of(const Results& results, const std::string& part, const std::string& quantity) {
  std::vector<const Row*> rows;
  for (const Row& row : results.rows)
    if (row.part == part && (quantity.empty() || row.quantity == quantity)) rows.push_back(&row);
  return rows;
}

// Six materials side by side.
void write_element_tables(std::ostream& out, const Results& results, const std::string& quantity) {
  const std::vector<const Row*> rows = rows_of(results, "element", quantity);
  const std::vector<std::string> materials = distinct(rows, &Row::problem);
  for (std::size_t first = 0; first < materials.size(); first += 5) {
    std::vector<const Row*> some;
    for (const Row* row : rows) {
      const auto place = std::size_t(std::find(materials.begin(), materials.end(), row->problem) - materials.begin());
      if (place >= first && place < first + 5) some.push_back(row);
    }
    write_table(out, some, &Row::problem);
  }
}

void write_gates(std::ostream& out, const Results& results) {
  out << "| | | measured | gate | goal | |\n|---|---|---|---|---|---|\n";
  for (const Gate& gate : results.gates)
    out << "| " << gate.problem << ", " << gate.quantity << " | " << gate.what << " | " << ratio_text(gate.measured) << " | "
        << (gate.at_least ? ">= " : "<= ") << ratio_text(gate.allowed) << " | " << ratio_text(gate.goal) << " | "
        << (gate.reached() ? "goal reached"
            : gate.holds() ? "holds"
                           : "**missed**")
        << " |\n";
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

}  // namespace

void write_page(std::ostream& out, const Results& results) {
  out << "# Ways to a derivative, measured\n\n"
         "<!-- Made by `benchmark_derivative_modes --markdown`; edit benchmarks/derivative_modes/page.cpp, not this file. "
         "-->\n\n"
         "All ways to the same derivatives of the same inputs, in one run on one thread. The modes take turns; the smallest "
         "thread "
         "CPU time of a turn counts,\nin ns for one point or element, in brackets its ratio to the fastest hand-written coding "
         "of the "
         "same run. \"difference\" is the largest one to the reference,\nrelative to the largest entry of the result. What "
         "each mode is, "
         "and when to use which: [differentiation.md](differentiation.md).\n\n"
         "    cmake --preset release && cmake --build build/release --target benchmark_derivative_modes\n"
         "    build/release/bin/benchmark_derivative_modes --markdown docs/derivative-modes.md\n\n"
         "(The benchmark compiles every material in every scalar, which takes minutes: it is not part of the default "
         "build.)\n\n"
      << "Machine: " << processor_name() << "; " << HOLO_BENCHMARK_COMPILER << ", " << HOLO_BENCHMARK_FLAGS
      << ", exact arithmetic flags.\n";
  out << "\n## A function of one number: exp(x)/(x^4+x^2+1), x from 3.95 to 4.25\n\nReference: the closed form in long "
         "double.\n\n";
  write_table(out, rows_of(results, "scalar function", ""), &Row::quantity);
  out << "## Elements\n\nA tetrahedron's energy: records gathered, derivative in F, chained to the vertices, stored. Except "
         "for the "
         "hand-written codings all modes share gather,\nchain and stores in lanes. Reference: the plugin, itself held against "
         "100-digit arithmetic at the first elements of the run. Differences\nand \"accelerated\" run eight elements in lanes "
         "(four with "
         "AVX2); complex numbers, other libraries and gradient(), hessian() one at a time.\nEnergies of principal stretches "
         "are written "
         "in F by the closed form of the eigenvalues for all modes but the plugin's, which costs digits.\n\n### Gradient "
         "(12)\n\n";
  write_element_tables(out, results, "gradient");
  out << "### Hessian (12x12)\n\n";
  write_element_tables(out, results, "Hessian");
  out << "### What the plugins run\n\n";
  write_plugin_paths(out, results);
  out << "## Gates\n\n";
  write_gates(out, results);
}

}  // namespace holo::benchmark
