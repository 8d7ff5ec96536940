#include <fmt/format.h>

#include <cmath>

#include "holo/comparison/singular_case.h"
#include "holo/comparison/singular_packages.h"
#include "holo/study/quantity_table.h"
#include "runs/csv_table.h"
#include "studies/metric_kinds.h"
#include "studies/studies.h"

namespace holo {

namespace {

using comparison::SingularCase;
using comparison::SingularOutcome;

// One row of metrics.csv: a case, and what each arithmetic gives for it.
struct SingularRow {
  std::int64_t number;
  const SingularCase& at;
  const SingularOutcome& found;
  std::vector<std::optional<double>> packages;
};

const QuantityTable<SingularRow>& columns_of_cases() {
  using R = const SingularRow&;
  static const QuantityTable<SingularRow> table = [] {
    QuantityTable<SingularRow> columns{
        {{"case", "1", "number of the case, from 0"}, [](R r) { return static_cast<double>(r.number); }},
        {{"point", "1", "where"}, [](R r) { return r.at.point; }},
        {{"order", "1", "of the derivative"}, [](R r) { return static_cast<double>(r.at.order); }},
        {{"true_left", "1", "from the left; nan: no real value there"}, [](R r) { return r.at.left; }},
        {{"true_right", "1", "from the right"}, [](R r) { return r.at.right; }},
        {{"nilpotent", "1", "by nilpotent numbers"}, [](R r) { return r.found.nilpotent; }},
        {{"accelerated_paper", "1", "by the paper's accelerated rule; nan: of first order alone"},
         [](R r) { return r.found.accelerated_paper.value_or(std::nan("")); }},
        {{"mcsfd_full", "1", "by full multicomplex numbers"}, [](R r) { return r.found.mcsfd_full; }},
        {{"one_sided_left", "1", "by one-sided series"}, [](R r) { return r.found.left; }},
        {{"one_sided_right", "1", "by one-sided series"}, [](R r) { return r.found.right; }}};
    const std::vector<std::string> packages = comparison::derivative_packages();
    for (std::size_t p = 0; p < packages.size(); ++p)
      columns.push_back({{packages[p], "1", "by this package; nan: also where the build lacks it"},
                         [p](R r) { return r.packages[p].value_or(std::nan("")); }});
    return columns;
  }();
  return table;
}

// Numbers of cases, and of those in which each arithmetic is right or wrong.
struct SingularCounts {
  double cases = 0, nilpotent_finite = 0, one_sided_wrong = 0, existing = 0;
  double full_right = 0, full_wrong = 0, accelerated_right = 0, accelerated_wrong = 0;
  // By package: finite numbers that are right and wrong, and those of the paper's function as printed.
  struct Package {
    bool is_there = true;
    double right = 0, wrong = 0, printed_finite = 0;
  };
  std::vector<Package> packages = std::vector<Package>(comparison::derivative_packages().size());

  void add(const SingularCase& c);
};

// NaN and infinity are honest answers at a singular point. Only finite numbers can be right or silently wrong.
void SingularCounts::add(const SingularCase& c) {
  const SingularOutcome found = comparison::evaluate(c);
  ++cases;
  nilpotent_finite += std::isfinite(found.nilpotent);
  one_sided_wrong += !comparison::sides_are_right(c, found);
  existing += c.derivative().has_value();
  if (std::isfinite(found.mcsfd_full)) ++(comparison::is_right(c, found.mcsfd_full) ? full_right : full_wrong);
  if (found.accelerated_paper && std::isfinite(*found.accelerated_paper))
    ++(comparison::is_right(c, *found.accelerated_paper) ? accelerated_right : accelerated_wrong);
  const std::vector<std::optional<double>> derivatives = comparison::package_derivatives(c);
  for (std::size_t p = 0; p < packages.size(); ++p) {
    packages[p].is_there = derivatives[p].has_value();
    if (!derivatives[p] || !std::isfinite(*derivatives[p])) continue;
    ++(comparison::is_right(c, *derivatives[p]) ? packages[p].right : packages[p].wrong);
    packages[p].printed_finite += c.name == "printed_logarithm";
  }
}

// Metrics of a package that the build lacks are NaN.
QuantityTable<SingularCounts> metrics_of_packages() {
  using C = const SingularCounts&;
  QuantityTable<SingularCounts> table;
  for (std::size_t p = 0; p < comparison::derivative_packages().size(); ++p) {
    const std::string name = comparison::derivative_packages()[p];
    const auto add = [&](const char* what, const char* documentation, double SingularCounts::Package::*count) {
      table.push_back({{name + what, "1", documentation},
                       [p, count](C c) { return c.packages[p].is_there ? c.packages[p].*count : std::nan(""); }});
    };
    add("_right", "existing derivatives that this package returns", &SingularCounts::Package::right);
    add("_wrong", "cases in which it returns a finite number that is not the derivative", &SingularCounts::Package::wrong);
    add("_printed_finite", "finite derivatives that it returns of the paper's function as printed",
        &SingularCounts::Package::printed_finite);
  }
  return table;
}

const QuantityTable<SingularCounts>& metrics_of_cases() {
  using C = const SingularCounts&;
  static const QuantityTable<SingularCounts> table{
      {{"cases", "1", "number of cases: functions, points and orders"}, [](C c) { return c.cases; }},
      {{"nilpotent_finite", "1", "cases in which nilpotent numbers return a finite number: all of them would be silent errors"},
       [](C c) { return c.nilpotent_finite; }},
      {{"one_sided_wrong", "1", "cases in which a one-sided series misses a true one-sided derivative"},
       [](C c) { return c.one_sided_wrong; }},
      {{"existing_derivatives", "1", "cases in which there is a derivative"}, [](C c) { return c.existing; }},
      {{"mcsfd_full_right", "1", "existing derivatives that the full multicomplex step returns"},
       [](C c) { return c.full_right; }},
      {{"mcsfd_full_wrong", "1",
        "cases in which the full multicomplex step returns a finite number that is not the derivative"},
       [](C c) { return c.full_wrong; }},
      {{"accelerated_paper_right", "1", "derivatives of first order that the paper's accelerated rule returns"},
       [](C c) { return c.accelerated_right; }},
      {{"accelerated_paper_wrong", "1",
        "cases of first order in which that rule returns a finite number that is not the derivative"},
       [](C c) { return c.accelerated_wrong; }}};
  return table;
}

class SingularPoints final : public Study {
 public:
  explicit SingularPoints(std::int64_t highest_order) {
    for (const SingularCase& c : comparison::singular_cases())
      if (c.order <= highest_order) cases_.push_back(c);
  }

  std::vector<Quantity> columns() const override { return quantities_of(columns_of_cases()); }
  std::int64_t total_steps() const override { return static_cast<std::int64_t>(cases_.size()); }
  std::int64_t steps_done() const override { return done_; }

  StepResult step(StudyOutput& output) override {
    const SingularCase& c = cases_[static_cast<std::size_t>(done_)];
    const SingularOutcome found = comparison::evaluate(c);
    output.row(row_of(columns_of_cases(), {done_, c, found, comparison::package_derivatives(c)}));
    ++done_;
    return {};
  }

  std::string serialize() const override { return serialize_columns({{static_cast<double>(done_)}}); }
  void deserialize(std::string_view state) override {
    std::vector<std::vector<double>> columns(1);
    deserialize_columns(state, columns);
    if (columns[0].size() != 1 || !(columns[0][0] >= 0 && columns[0][0] <= static_cast<double>(total_steps())))
      throw Error(Failure::input, "the checkpoint is not one of this experiment");
    done_ = static_cast<std::int64_t>(columns[0][0]);
  }

  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  std::vector<SingularCase> cases_;
  std::int64_t done_ = 0;
};

std::vector<Metric> SingularPoints::finish() {
  SingularCounts counts;
  for (const SingularCase& c : cases_) counts.add(c);
  std::vector<Metric> metrics = metrics_of(metrics_of_cases(), counts);
  for (const Metric& metric : metrics_of(metrics_of_packages(), counts)) metrics.push_back(metric);
  return metrics;
}

std::string sides(double left, double right) {
  auto text = [](double value) { return std::isnan(value) ? std::string("-") : fmt::format("{:.6g}", value + 0.0); };
  return text(left) + " / " + text(right);
}

std::string marked(const SingularCase& c, double value) {
  if (!std::isfinite(value)) return number_text(value);
  return fmt::format("{:.4g}{}", value + 0.0, comparison::is_right(c, value) ? "" : " (wrong)");
}

std::vector<Table> SingularPoints::tables() {
  Table table{"Derivatives at singular points",
              "Left / right; - where the function has no real value. A finite number is wrong if it is not the derivative, or "
              "if there is none. A NaN of the nilpotent numbers starts the one-sided series.",
              {{"function", ""},
               {"at", ""},
               {"order", ""},
               {"true", ""},
               {"nilpotent", ""},
               {"accelerated, as printed", ""},
               {"full multicomplex", ""},
               {"one-sided series", ""},
               {"status", ""}},
              {}};
  for (const SingularCase& c : cases_) {
    const SingularOutcome found = comparison::evaluate(c);
    table.rows.push_back({c.formula, c.point, static_cast<double>(c.order), sides(c.left, c.right), marked(c, found.nilpotent),
                          found.accelerated_paper ? marked(c, *found.accelerated_paper) : std::string(),
                          marked(c, found.mcsfd_full), sides(found.left, found.right), found.status});
  }
  Table packages{
      "Packages at singular points",
      "What packages of automatic differentiation return. NaN and infinities tell that there is a singular point; a finite "
      "number is wrong if it is not the derivative.",
      {{"function"}, {"at"}, {"order"}, {"true"}},
      {}};
  for (const std::string& name : comparison::derivative_packages()) packages.columns.push_back({name});
  for (const SingularCase& c : cases_) {
    packages.rows.push_back({c.formula, c.point, static_cast<double>(c.order), sides(c.left, c.right)});
    for (const std::optional<double>& value : comparison::package_derivatives(c))
      packages.rows.back().push_back(value ? Cell(marked(c, *value)) : Cell(std::string("not built")));
  }
  return {table, packages};
}

StudyPlan read_singular_points(Configuration& experiment, const StudyContext&) {
  StudyPlan plan;
  const std::int64_t highest_order = experiment.integer(
      "highest_order", {.minimum = 1, .maximum = 3, .default_value = 3, .documentation = "highest order of the derivatives"});
  plan.metrics = quantities_of(metrics_of_cases());
  for (const Quantity& metric : quantities_of(metrics_of_packages())) plan.metrics.push_back(metric);
  plan.build = [=]() -> std::unique_ptr<Study> { return std::make_unique<SingularPoints>(highest_order); };
  return plan;
}

}  // namespace

StudyKind singular_points() {
  return {"derivatives at points where the rules divide 0 by 0, by several arithmetics",
          "A table of functions with known one-sided derivatives; one row for each function and order.",
          {},
          {},
          read_singular_points};
}

}  // namespace holo
