#include "trajectory/strong_wolfe_search.h"

#include <algorithm>
#include <cmath>

namespace holo {

namespace {

constexpr double extension = 4;         // of the length while the slope stays steep
constexpr double least_fraction = 0.1;  // of an interval, from its ends to the next trial
constexpr double narrowest = 1e-12;     // interval over the larger of its lengths

class WolfeSearch {
 public:
  WolfeSearch(LineFunction& line, double value, double slope, const WolfeConditions& conditions)
      : line_(line), conditions_(conditions), start_{0, value, slope} {}

  WolfeStep run(double length) {
    Trial before = start_;
    while (step_.evaluations < conditions_.max_evaluations) {
      Trial trial = evaluate(length);
      if (!decreases(trial) || (before.length > 0 && trial.value >= before.value)) return narrow(before, trial);
      if (!std::isfinite(trial.slope)) return step_;
      if (is_flat(trial)) return take(trial);
      if (trial.slope >= 0) return narrow(trial, before);
      before = trial;
      length *= extension;
    }
    return settle(before);
  }

 private:
  struct Trial {
    double length = 0, value = 0, slope = 0;
  };

  Trial evaluate(double length) {
    ++step_.evaluations;
    last_length_ = length;
    has_slope_ = false;
    return {length, line_.value(length), 0};
  }
  void find_slope(Trial& trial) {
    if (!has_slope_) {
      ++step_.slopes;
      last_slope_ = line_.slope();
      has_slope_ = true;
    }
    trial.slope = last_slope_;
  }

  // The first condition. The slope is known where it holds.
  bool decreases(Trial& trial) {
    if (!std::isfinite(trial.value)) return false;
    const bool is_lower = trial.value <= start_.value + conditions_.sufficient_decrease * trial.length * start_.slope;
    const bool is_unseen = std::abs(trial.value - start_.value) <= conditions_.resolution;
    if (!is_lower && !is_unseen) return false;
    find_slope(trial);
    return is_lower || trial.slope <= (2 * conditions_.sufficient_decrease - 1) * start_.slope;
  }
  bool is_flat(const Trial& trial) const { return std::abs(trial.slope) <= -conditions_.curvature * start_.slope; }

  // `low` is the lowest point so far that satisfies the first condition, or the start; a step that satisfies both lies between
  // it and `high`.
  WolfeStep narrow(Trial low, Trial high) {
    while (step_.evaluations < conditions_.max_evaluations) {
      const double width = high.length - low.length;
      if (std::abs(width) <= narrowest * std::max(low.length, high.length)) break;
      Trial trial = evaluate(low.length + width * minimum_fraction(low, high, width));
      if (!decreases(trial) || (trial.value >= low.value && low.length > 0)) {
        high = trial;
        continue;
      }
      if (!std::isfinite(trial.slope)) return step_;
      if (is_flat(trial)) return take(trial);
      if (trial.slope * width >= 0) high = low;
      low = trial;
    }
    return settle(low);
  }

  // Of the parabola with the value and slope at `low` and the value at `high`, not too close to either end.
  static double minimum_fraction(const Trial& low, const Trial& high, double width) {
    const double slope = low.slope * width, curvature = high.value - low.value - slope;
    const double fraction = curvature > 0 && std::isfinite(curvature) ? -slope / (2 * curvature) : 0.5;
    return std::clamp(fraction, least_fraction, 1 - least_fraction);
  }

  WolfeStep take(const Trial& trial) {
    step_.is_found = true;
    step_.length = trial.length;
    step_.value = trial.value;
    return step_;
  }
  // The lowest point is not one of both conditions.
  WolfeStep settle(const Trial& low) {
    if (low.length == 0) return step_;
    Trial trial = low;
    if (last_length_ != low.length) trial = evaluate(low.length);
    find_slope(trial);
    return take(trial);
  }

  LineFunction& line_;
  const WolfeConditions& conditions_;
  const Trial start_;
  WolfeStep step_;
  double last_length_ = 0, last_slope_ = 0;
  bool has_slope_ = false;
};

}  // namespace

WolfeStep find_wolfe_step(LineFunction& line, double value, double slope, double length, const WolfeConditions& conditions) {
  return WolfeSearch(line, value, slope, conditions).run(length);
}

}  // namespace holo
