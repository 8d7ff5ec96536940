#include "holo/study/singular_points.h"

#include <fmt/format.h>

#include <cmath>

#include "holo/comparison/singular_case.h"
#include "runs/csv_table.h"
#include "runs/measures.h"

namespace holo {

namespace {

using comparison::SingularCase;
using comparison::SingularOutcome;

class SingularPoints final : public Study {
 public:
  explicit SingularPoints(std::int64_t highest_order) {
    for (const SingularCase& c : comparison::singular_cases())
      if (c.order <= highest_order) cases_.push_back(c);
  }

  std::vector<Quantity> columns() const override {
    return {{"case", "1", "number of the case, from 0"},
            {"point", "1", "where"},
            {"order", "1", "of the derivative"},
            {"true_left", "1", "from the left; nan: no real value there"},
            {"true_right", "1", "from the right"},
            {"nilpotent", "1", "by nilpotent numbers"},
            {"accelerated_paper", "1", "by the paper's accelerated rule; nan: of first order alone"},
            {"mcsfd_full", "1", "by full multicomplex numbers"},
            {"one_sided_left", "1", "by one-sided series"},
            {"one_sided_right", "1", "by one-sided series"}};
  }
  std::int64_t total_steps() const override { return static_cast<std::int64_t>(cases_.size()); }
  std::int64_t steps_done() const override { return done_; }

  StepResult step(StudyOutput& output) override {
    const SingularCase& c = cases_[static_cast<std::size_t>(done_)];
    const SingularOutcome found = comparison::evaluate(c);
    output.row({static_cast<double>(done_), c.point, static_cast<double>(c.order), c.left, c.right, found.nilpotent,
                found.accelerated_paper.value_or(std::nan("")), found.mcsfd_full, found.left, found.right});
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

std::vector<Quantity> metrics() {
  return {
      {"cases", "1", "functions, points and orders"},
      {"nilpotent_finite", "1", "cases in which nilpotent numbers return a finite number: all of them would be silent errors"},
      {"one_sided_wrong", "1", "cases in which a one-sided series misses a true one-sided derivative"},
      {"existing_derivatives", "1", "cases in which there is a derivative"},
      {"mcsfd_full_right", "1", "of these, how many the full multicomplex step returns"},
      {"mcsfd_full_wrong", "1", "cases in which it returns a finite number that is not the derivative"},
      {"accelerated_paper_right", "1", "derivatives of first order that the paper's accelerated rule returns"},
      {"accelerated_paper_wrong", "1", "cases of first order in which it returns a finite number that is not the derivative"}};
}

std::vector<Metric> SingularPoints::finish() {
  double finite = 0, sides_wrong = 0, existing = 0, full[2] = {0, 0}, accelerated[2] = {0, 0};  // wrong, right
  for (const SingularCase& c : cases_) {
    const SingularOutcome found = comparison::evaluate(c);
    finite += std::isfinite(found.nilpotent);
    sides_wrong += !comparison::sides_are_right(c, found);
    existing += c.derivative().has_value();
    if (std::isfinite(found.mcsfd_full)) ++full[comparison::is_right(c, found.mcsfd_full)];
    if (found.accelerated_paper && std::isfinite(*found.accelerated_paper))
      ++accelerated[comparison::is_right(c, *found.accelerated_paper)];
  }
  return {{"cases", static_cast<double>(total_steps())},
          {"nilpotent_finite", finite},
          {"one_sided_wrong", sides_wrong},
          {"existing_derivatives", existing},
          {"mcsfd_full_right", full[1]},
          {"mcsfd_full_wrong", full[0]},
          {"accelerated_paper_right", accelerated[1]},
          {"accelerated_paper_wrong", accelerated[0]}};
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
  Table table{
      "Derivatives at singular points",
      "Left / right; - where the function has no real value. A finite number is wrong where it is not the derivative, or where "
      "there is none. The nilpotent numbers' NaN is what starts the one-sided series.",
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
  return {table};
}

StudyPlan read(Parameters& experiment, const StudyContext&) {
  StudyPlan plan;
  const std::int64_t highest_order = experiment.integer(
      "highest_order", {.minimum = 1, .maximum = 3, .default_value = 3, .documentation = "of the derivatives"});
  plan.metrics = metrics();
  plan.build = [=]() -> std::unique_ptr<Study> { return std::make_unique<SingularPoints>(highest_order); };
  return plan;
}

}  // namespace

StudyKind singular_points() {
  return {"derivatives at points where the rules divide 0 by 0, by several arithmetics",
          "A table of functions with known one-sided derivatives; one row for each function and order.",
          {},
          {},
          read};
}

}  // namespace holo
