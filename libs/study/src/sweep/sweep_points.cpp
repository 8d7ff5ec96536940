#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>

#include "holo/study/sweep.h"

namespace holo {

namespace {

// Random numbers whose bits are those of the C++ standard's engine: its distributions may differ between libraries.
class Uniform {
 public:
  // Different seeds for the parameters of one sweep: FNV-1a of the path, mixed with the sweep's seed.
  Uniform(std::uint64_t seed, const std::string& path) {
    std::uint64_t hash = 0xcbf29ce484222325u ^ (seed * 0x9e3779b97f4a7c15u);
    for (const unsigned char c : path) hash = (hash ^ c) * 0x100000001b3u;
    engine_.seed(hash);
  }
  // From [0, 1), with 53 bits.
  double number() { return double(engine_() >> 11) * 0x1p-53; }
  std::size_t below(std::size_t count) { return std::min(count - 1, static_cast<std::size_t>(number() * double(count))); }

 private:
  std::mt19937_64 engine_;
};

// The value at `position` in [0, 1] of the range. Rounding to 12 digits makes the value the same where the last bits of exp and
// log are not, and 0.3 of 0.1 + 2 * 0.1.
std::string value_in(const SweptRange& range, double position) {
  double value = position == 0 ? range.from : position == 1 ? range.to : range.from + position * (range.to - range.from);
  if (range.logarithmic && position > 0 && position < 1)
    value = std::exp(std::log(range.from) + position * (std::log(range.to) - std::log(range.from)));
  if (range.whole_numbers) return fmt::format("{:.0f}", std::round(value) + 0.0);
  return fmt::format("{}", std::strtod(fmt::format("{:.12g}", value).c_str(), nullptr) + 0.0);
}

// Of a parameter of a grid or list.
std::vector<std::string> listed_values(const SweptParameter& parameter) {
  std::vector<std::string> values;
  for (const Configuration::Entry& entry : parameter.values) values.push_back(entry.text);
  if (!parameter.range) return values;
  const std::int64_t count = parameter.range->count;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(value_in(*parameter.range, double(i) / double(count - 1)));
  return values;
}

std::vector<std::string> random_values(const SweptParameter& parameter, std::size_t count, std::uint64_t seed) {
  Uniform uniform(seed, parameter.path);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(value_in(*parameter.range, uniform.number()));
  return values;
}

// One value in each of `count` equal parts of the range, in random order.
std::vector<std::string> stratified_values(const SweptParameter& parameter, std::size_t count, std::uint64_t seed) {
  Uniform uniform(seed, parameter.path);
  std::vector<std::size_t> parts(count);
  std::iota(parts.begin(), parts.end(), 0u);
  for (std::size_t i = count; i > 1; --i) std::swap(parts[i - 1], parts[uniform.below(i)]);
  std::vector<std::string> values;
  for (const std::size_t part : parts)
    values.push_back(value_in(*parameter.range, (double(part) + uniform.number()) / double(count)));
  return values;
}

using Points = std::vector<SweepPoint>;

// Each point of the one with each of the other, whose values follow.
Points combined(const Points& slow, const Points& fast) {
  Points all;
  all.reserve(slow.size() * fast.size());
  for (const SweepPoint& first : slow)
    for (const SweepPoint& second : fast) {
      all.push_back(first);
      all.back().insert(all.back().end(), second.begin(), second.end());
    }
  return all;
}

Points as_points(const std::vector<std::string>& values) {
  Points points;
  for (const std::string& value : values) points.push_back({value});
  return points;
}

Points block_points(const SweepBlock& block, std::uint64_t seed) {
  const auto count = static_cast<std::size_t>(block.count);
  Points points;
  for (const SweptParameter& parameter : block.parameters) {
    const std::vector<std::string> values = block.kind == SweepBlockKind::random ? random_values(parameter, count, seed)
                                            : block.kind == SweepBlockKind::latin_hypercube
                                                ? stratified_values(parameter, count, seed)
                                                : listed_values(parameter);
    if (points.empty())
      points = as_points(values);
    else if (block.kind == SweepBlockKind::grid)
      points = combined(points, as_points(values));
    else
      for (std::size_t i = 0; i < points.size(); ++i) points[i].push_back(values[i]);
  }
  return points;
}

}  // namespace

std::vector<SweptParameter> sweep_parameters(const SweepDefinition& sweep) {
  std::vector<SweptParameter> parameters;
  for (const SweepBlock& block : sweep.blocks)
    parameters.insert(parameters.end(), block.parameters.begin(), block.parameters.end());
  if (sweep.repeat > 1) parameters.push_back({"seed", "seed", "", sweep.place, {}, {}});
  return parameters;
}

std::vector<SweepPoint> sweep_points(const SweepDefinition& sweep, std::uint64_t experiment_seed) {
  Points points{{}};
  for (const SweepBlock& block : sweep.blocks) points = combined(points, block_points(block, sweep.seed));
  if (sweep.repeat == 1) return points;
  std::vector<std::string> seeds;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(sweep.repeat); ++i)
    seeds.push_back(fmt::format("{}", experiment_seed + i));
  return combined(points, as_points(seeds));
}

}  // namespace holo
