#pragma once
// The compared modes: methods that compute the same derivatives of the same inputs.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace holo::benchmark {

enum class Family {
  analytic,     // written by hand: the yardstick
  shipped,      // what a simulation runs: the plugin's operation, the library's own fast path
  differences,  // approximate
  complex_step,
  graph,
  tape,
  peer,  // another library
  frame  // only the operations that all modes share: no derivative, not compared
};

struct Mode {
  std::string name;
  Family family;
  // Computes the first `items` results; each item has the problem's number of entries.
  std::function<void(std::size_t items, double* output)> run;
  std::string note;           // a short description of the kernel; may be empty
  double tolerance = 0;       // of an approximate mode, relative to the item's largest entry; 0: the problem's
  bool is_yardstick = false;  // one of the hand-written codings, the fastest of which is the unit
  // The same work for the clock, where results are to stay in the cache; may be empty.
  std::function<void(std::size_t items, double* output)> timed = {};
};

// The work of one row of a table: all modes compute the same `entries` numbers for each of the same items.
struct Problem {
  std::string part;      // "scalar function", "element", "solve graph"
  std::string name;      // "stvk"
  std::string quantity;  // "gradient", "2nd derivative"
  std::size_t items = 0, entries = 0;
  double tolerance = 0;           // of the exact modes, relative to the item's largest entry
  std::vector<double> reference;  // [item][entry]; of the first items at least
};

struct Row {
  std::string part, problem, quantity, mode, note;
  Family family;
  double nanoseconds;  // for one item, the smallest of the turns
  double ratio;        // to the fastest hand-written coding; 0 where there is none
  double difference;   // to the reference, largest over the items, relative to the item's largest entry
  double tolerance;
  bool is_yardstick;

  bool agrees() const { return family == Family::frame || difference <= tolerance; }
};

// The modes take turns, `repeats` times; a slow mode gets fewer items in a turn (never fewer than `items_at_least`), and one
// that takes over a second for these only the first turn, in which it is compared with the reference. Thread CPU time.
std::vector<Row> compare(const Problem& problem, const std::vector<Mode>& modes, int repeats, std::size_t items_at_least = 1);

struct Gate {
  std::string part, problem, quantity;
  std::string what;  // "accelerated (Taylor) over hand-written"
  double measured, allowed, goal;
  std::string cause;  // the cause of a miss, by measured figures

  bool holds() const { return measured <= allowed; }
  bool reached() const { return measured <= goal; }
};

// Another library: compared, or why not.
struct Library {
  std::string name, status;
};

// How the run went, and what else ran on the machine meanwhile.
struct Conditions {
  double thread_seconds = 0, wall_seconds = 0;
  double other_seconds = -1;  // processor time of all other programs; -1: not known
  unsigned processors = 0;
  std::string options;  // of the command line, other than the defaults
};

struct Results {
  std::vector<Row> rows;
  std::vector<Gate> gates;
  std::vector<Library> libraries;
  Conditions conditions;

  void append(const Results& more) {
    rows.insert(rows.end(), more.rows.begin(), more.rows.end());
    gates.insert(gates.end(), more.gates.begin(), more.gates.end());
  }
};

// The smallest time among the rows that `is_wanted`, 0 where there is none.
template <class Predicate>
double fastest(const std::vector<Row>& rows, Predicate is_wanted) {
  double best = 0;
  for (const Row& row : rows)
    if (is_wanted(row) && (best == 0 || row.nanoseconds < best)) best = row.nanoseconds;
  return best;
}

}  // namespace holo::benchmark
