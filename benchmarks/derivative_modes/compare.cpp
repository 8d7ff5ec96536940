#include <algorithm>
#include <cmath>

#include "holo/comparison/elements.h"
#include "measuring.h"
#include "modes.h"

namespace holo::benchmark {
namespace {

constexpr double seconds_of_a_turn = 3e-3, seconds_of_long_work = 20e-3, seconds_for_one_turn_alone = 1.0;

// Short work is done a few times over, all but the longest twice: the first one finds the caches as another mode left them.
double seconds_of_mode(const Mode& mode, std::size_t items, double* output) {
  const auto& work = mode.timed ? mode.timed : mode.run;
  double best = HUGE_VAL, sum = 0;
  const auto goes_on = [&](int pass) {
    return pass == 0 || (pass == 1 && sum < seconds_of_long_work) || (pass < 5 && sum < seconds_of_a_turn / 3);
  };
  for (int pass = 0; goes_on(pass); ++pass) {
    const double seconds = seconds_of(thread_seconds, [&] { work(items, output); });
    best = std::min(best, seconds);
    sum += seconds;
  }
  return best;
}

}  // namespace

std::vector<Row> compare(const Problem& problem, const std::vector<Mode>& modes, int repeats, std::size_t items_at_least) {
  const comparison::AlignedDoubles output = comparison::aligned_doubles(problem.items * problem.entries);
  std::vector<double> differences;
  std::vector<std::vector<double>> turns(modes.size());
  std::vector<std::size_t> items;  // of a turn; 0 for none
  for (std::size_t k = 0; k < modes.size(); ++k) {
    std::fill_n(output.get(), problem.items * problem.entries, std::nan(""));
    const double seconds = seconds_of(thread_seconds, [&] { modes[k].run(problem.items, output.get()); });
    differences.push_back(
        modes[k].family == Family::frame ? 0 : largest_difference(output.get(), problem.reference, problem.entries));
    const auto affordable = std::size_t(double(problem.items) * std::min(1.0, seconds_of_a_turn / seconds));
    items.push_back(std::max(items_at_least, affordable / items_at_least * items_at_least));
    if (seconds * double(items_at_least) / double(problem.items) > seconds_for_one_turn_alone) {
      turns[k] = {seconds / double(problem.items)};
      items[k] = 0;
    }
  }
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (std::size_t k = 0; k < modes.size(); ++k)
      if (items[k] > 0) turns[k].push_back(seconds_of_mode(modes[k], items[k], output.get()) / double(items[k]));
  const std::vector<double> times = times_of_turns(turns);  // of an item

  double unit = 0;
  for (std::size_t k = 0; k < modes.size(); ++k)
    if (modes[k].is_yardstick && (unit == 0 || times[k] < unit)) unit = times[k];
  std::vector<Row> rows;
  for (std::size_t k = 0; k < modes.size(); ++k)
    rows.push_back({problem.part, problem.name, problem.quantity, modes[k].name, modes[k].note, modes[k].family, 1e9 * times[k],
                    unit > 0 ? times[k] / unit : 0, differences[k],
                    modes[k].tolerance > 0 ? modes[k].tolerance : problem.tolerance, modes[k].is_yardstick});
  return rows;
}

}  // namespace holo::benchmark
