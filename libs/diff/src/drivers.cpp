#include "holo/diff/drivers.h"

#include "holo/core/error.h"

namespace holo {

namespace detail {

namespace {

void check_finite(std::span<const double> entries, const std::string& name, const char* remedy) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!std::isfinite(entries[i]))
      throw Error(Failure::input, name + "[" + std::to_string(i) + "] is " + std::to_string(entries[i]) + ": " + remedy);
}

}  // namespace

void check_point(std::span<const double> x) {
  if (x.empty()) throw Error(Failure::input, "the point is empty: a derivative needs a point x of at least one number");
  check_finite(x, "x", "derivatives are taken at finite points only");
}

void check_direction(std::span<const double> x, std::span<const double> v, int number) {
  const std::string name = "v" + std::to_string(number);
  if (v.size() != x.size())
    throw Error(Failure::input, "direction " + name + " has " + std::to_string(v.size()) + " entries, the point x has " +
                                    std::to_string(x.size()) + ": a direction has one entry for each of the point's");
  check_finite(v, name, "a direction has finite entries only");
}

void check_size(const char* what, std::size_t found, std::size_t wanted) {
  if (found != wanted)
    throw Error(Failure::input, std::string("the array for the ") + what + " has " + std::to_string(found) +
                                    " entries, the result has " + std::to_string(wanted));
}

namespace {

DerivativeStatus classify(double value, std::span<const double> first, std::span<const double> second,
                          const KinkCounters& before) {
  using Kind = DerivativeStatus::Kind;
  if (std::isinf(value)) return {Kind::infeasible};
  if (std::isnan(value)) return {Kind::not_finite};
  // An infinite entry names its variable; its zero perturbations in other directions are inf * 0 there, and so not a number.
  for (std::size_t i = 0; i < first.size(); ++i)
    if (std::isinf(first[i])) return {Kind::not_finite, std::ptrdiff_t(i)};
  for (std::size_t i = 0; i < first.size(); ++i)
    if (std::isnan(first[i])) return {Kind::not_finite, std::ptrdiff_t(i)};
  for (std::size_t i = 0; i < second.size(); ++i)
    if (!std::isfinite(second[i])) return {Kind::not_finite, std::ptrdiff_t(first.size() + i)};
  const KinkCounters& now = kink_counters();
  if (now.kinks != before.kinks || now.jumps != before.jumps) return {Kind::kink};
  return {};
}

}  // namespace

DerivativeStatus judge(double value, std::span<const double> first, std::span<const double> second,
                       const KinkCounters& before) {
  const DerivativeStatus status = classify(value, first, second, before);
  if (status.kind == DerivativeStatus::Kind::infeasible) ++kink_counters().infeasible;
  if (status.kind == DerivativeStatus::Kind::not_finite) ++kink_counters().singular;
  return status;
}

}  // namespace detail
}  // namespace holo
