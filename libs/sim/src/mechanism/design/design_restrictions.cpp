#include "holo/sim/mechanism/design/design_restrictions.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "holo/core/error.h"

namespace holo {

namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(Failure::input, text); }

const std::string& name(const MechanismLayout& layout, int parameter) {
  return layout.parameter_names()[std::size_t(parameter)];
}

void require_number(const MechanismLayout& layout, int parameter, double first, double second) {
  for (const int place : layout.parameter_quaternions())
    if (parameter >= place && parameter < place + 4)
      refuse(fmt::format("'{}' is one of the four numbers of a rotation, which have no ties and no bounds",
                         name(layout, parameter)));
  if (!std::isfinite(first) || !std::isfinite(second))
    refuse(fmt::format("a number of '{}' is not finite: {}, {}", name(layout, parameter), first, second));
}

}  // namespace

DesignRestrictions::DesignRestrictions(const MechanismLayout& layout, const std::vector<DesignTie>& ties,
                                       const std::vector<DesignBounds>& bounds) {
  if (ties.empty() && bounds.empty()) return;
  take(layout, ties);
  take(layout, bounds);
  follow_ties(layout);
  intersect_bounds(layout);
  make_rows(layout);
}

void DesignRestrictions::take(const MechanismLayout& layout, const std::vector<DesignTie>& ties) {
  ties_.assign(std::size_t(layout.parameter_count()), {0, -1});
  for (const DesignTie& tie : ties) {
    require_number(layout, tie.parameter, tie.factor, tie.offset);
    require_number(layout, tie.equals, tie.factor, tie.offset);
    const std::string& of = name(layout, tie.parameter);
    if (tie.parameter == tie.equals) refuse(fmt::format("'{}' is tied to itself", of));
    if (tie.factor == 0)
      refuse(fmt::format("'{}' is tied to '{}' by the factor 0; equal bounds fix a parameter", of, name(layout, tie.equals)));
    DesignTie& to = ties_[std::size_t(tie.parameter)];
    if (to.equals >= 0)
      refuse(fmt::format("'{}' has two ties, to '{}' and to '{}'", of, name(layout, to.equals), name(layout, tie.equals)));
    to = tie;
  }
}

void DesignRestrictions::take(const MechanismLayout& layout, const std::vector<DesignBounds>& bounds) {
  bounds_.assign(std::size_t(layout.parameter_count()), {-1, -infinity, infinity});
  for (const DesignBounds& given : bounds) {
    require_number(layout, given.parameter, given.lower, given.upper);
    if (given.lower > given.upper)
      refuse(fmt::format("the lower bound of '{}' is {:.6g}, above the upper one, {:.6g}", name(layout, given.parameter),
                         given.lower, given.upper));
    DesignBounds& to = bounds_[std::size_t(given.parameter)];
    if (to.parameter >= 0) refuse(fmt::format("'{}' has two pairs of bounds", name(layout, given.parameter)));
    to = given;
  }
  if (bounds.empty()) return;
  lower_.resize(layout.parameter_count());
  upper_.resize(layout.parameter_count());
  for (int p = 0; p < layout.parameter_count(); ++p) {
    lower_[p] = lower(p) / layout.parameter_scale(p);
    upper_[p] = upper(p) / layout.parameter_scale(p);
  }
}

// Each chain of ties ends at a parameter that follows no other.
void DesignRestrictions::follow_ties(const MechanismLayout& layout) {
  for (int p = 0; p < layout.parameter_count(); ++p) {
    Root root{p};
    for (int steps = 0; ties_[std::size_t(root.number)].equals >= 0; ++steps) {
      const DesignTie& tie = ties_[std::size_t(root.number)];
      if (steps == layout.parameter_count())
        refuse(fmt::format("the ties of '{}' and '{}' lead in a circle", name(layout, p), name(layout, tie.equals)));
      root = {tie.equals, root.factor * tie.factor, root.offset + root.factor * tie.offset};
    }
    roots_.push_back(root);
  }
}

// The bounds of all that follow a parameter are bounds of it. Values that differ by rounding only count as one.
void DesignRestrictions::intersect_bounds(const MechanismLayout& layout) {
  ranges_.assign(roots_.size(), {-1, -infinity, infinity});
  std::vector<int> from_lower(roots_.size(), -1), from_upper(roots_.size(), -1);
  for (int p = 0; p < int(roots_.size()); ++p) {
    const Root& of = root(p);
    double least = (lower(p) - of.offset) / of.factor, most = (upper(p) - of.offset) / of.factor;
    if (least > most) std::swap(least, most);
    DesignBounds& range = ranges_[std::size_t(of.number)];
    range.parameter = of.number;
    if (least > range.lower) {
      range.lower = least;
      from_lower[std::size_t(of.number)] = p;
    }
    if (most < range.upper) {
      range.upper = most;
      from_upper[std::size_t(of.number)] = p;
    }
  }
  for (DesignBounds& range : ranges_) {
    if (range.parameter < 0 || range.lower <= range.upper) continue;
    constexpr double rounding = 1e-12;
    if (range.lower - range.upper > rounding * std::max({1.0, std::abs(range.lower), std::abs(range.upper)}))
      refuse(fmt::format("the bounds of '{}' and '{}' leave no value: '{}' would have to be at least {:.6g} and at most {:.6g}",
                         name(layout, from_lower[std::size_t(range.parameter)]),
                         name(layout, from_upper[std::size_t(range.parameter)]), name(layout, range.parameter), range.lower,
                         range.upper));
    range.lower = range.upper;
  }
}

// One row for each tie, p - factor q = offset, and for each parameter whose range is one value.
void DesignRestrictions::make_rows(const MechanismLayout& layout) {
  const int count = layout.parameter_count();
  slope_.setZero(count, count);
  value_.setZero(count);
  int rows = 0;
  for (int p = 0; p < count; ++p) {
    const double scale = layout.parameter_scale(p);
    if (const DesignTie& tie = ties_[std::size_t(p)]; tie.equals >= 0) {
      slope_(rows, p) = 1;
      slope_(rows, tie.equals) = -tie.factor * layout.parameter_scale(tie.equals) / scale;
      value_[rows++] = tie.offset / scale;
    } else if (const DesignBounds& range = ranges_[std::size_t(p)]; range.lower == range.upper) {
      slope_(rows, p) = 1;
      value_[rows++] = range.lower / scale;
    }
  }
  slope_.conservativeResize(rows, count);
  value_.conservativeResize(rows);
  if (rows == 0) return;
  const Eigen::MatrixXd q = slope_.transpose().householderQr().householderQ();
  free_directions_ = q.rightCols(count - rows);
}

DesignBounds DesignRestrictions::range(int parameter) const {
  if (roots_.empty()) return {parameter, -infinity, infinity};
  const Root& of = root(parameter);
  const DesignBounds& range = ranges_[std::size_t(of.number)];
  const double a = of.factor * range.lower + of.offset, b = of.factor * range.upper + of.offset;
  return {parameter, std::min(a, b), std::max(a, b)};
}

Eigen::VectorXd DesignRestrictions::admissible(const Eigen::VectorXd& design) const {
  Eigen::VectorXd result = design;
  for (int p = 0; p < int(roots_.size()); ++p) {
    const Root& of = root(p);
    const DesignBounds& range = ranges_[std::size_t(of.number)];
    if (of.number != p || std::isfinite(range.lower) || std::isfinite(range.upper))
      result[p] = of.factor * std::clamp(design[of.number], range.lower, range.upper) + of.offset;
    result[p] = std::clamp(result[p], lower(p), upper(p));  // what the product's rounding may have left
  }
  return result;
}

}  // namespace holo
