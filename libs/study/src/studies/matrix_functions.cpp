// The study `matrix_functions`: adjoints of matrix functions in complex numbers, as [Shen2024] Table 1 lists them, and those of
// our tape.

#include "holo/comparison/matrix_functions.h"

#include <algorithm>

#include "holo/study/quantity_table.h"
#include "studies/metric_kinds.h"
#include "studies/studies.h"

namespace holo {

namespace {

using comparison::MatrixFunctionErrors;

const QuantityTable<MatrixFunctionErrors>& matrix_function_errors() {
  using E = const MatrixFunctionErrors&;
  static const QuantityTable<MatrixFunctionErrors> table{
      {{"printed_gradient_error", "1", "of the paper's adjoint in complex numbers"}, [](E e) { return e.printed_gradient; }},
      {{"printed_hessian_error", "1", "of its imaginary part over the step"}, [](E e) { return e.printed_hessian; }},
      {{"taped_gradient_error", "1", "of our tape"}, [](E e) { return e.taped_gradient; }},
      {{"taped_hessian_error", "1", "of our tape"}, [](E e) { return e.taped_hessian; }}};
  return table;
}

// One step is one function.
class MatrixFunctions final : public Study {
 public:
  MatrixFunctions(std::int64_t matrices, std::uint64_t seed) : matrices_(matrices), seed_(seed) {}

  std::vector<Quantity> columns() const override {
    std::vector<Quantity> result{{"function", "1", "its number in the table, from 0"}};
    for (const Quantity& each : quantities_of(matrix_function_errors())) result.push_back(each);
    return result;
  }
  std::int64_t total_steps() const override { return static_cast<std::int64_t>(functions_.size()); }
  std::int64_t steps_done() const override { return static_cast<std::int64_t>(errors_.size()); }

  StepResult step(StudyOutput& output) override {
    const comparison::MatrixFunction& function = functions_[errors_.size()];
    std::vector<double> largest(matrix_function_errors().size(), 0);
    for (std::int64_t i = 0; i < matrices_; ++i) {
      const std::vector<double> row = row_of(matrix_function_errors(), function.errors(seed_ + static_cast<std::uint64_t>(i)));
      for (std::size_t j = 0; j < row.size(); ++j) largest[j] = std::max(largest[j], row[j]);
    }
    std::vector<double> row{static_cast<double>(errors_.size())};
    row.insert(row.end(), largest.begin(), largest.end());
    output.row(row);
    errors_.push_back(largest);
    return {};
  }

  // As many columns as functions; those that are still to come are empty.
  std::string serialize() const override {
    std::vector<std::vector<double>> all = errors_;
    all.resize(functions_.size());
    return serialize_columns(all);
  }
  void deserialize(std::string_view state) override {
    errors_.assign(functions_.size(), {});
    deserialize_columns(state, errors_);
    while (!errors_.empty() && errors_.back().empty()) errors_.pop_back();
    for (const std::vector<double>& errors : errors_)
      if (errors.size() != matrix_function_errors().size())
        throw Error(Failure::input, "the checkpoint is not one of this experiment");
  }

  std::vector<Metric> finish() override {
    std::vector<Metric> metrics;
    for (std::size_t j = 0; j < matrix_function_errors().size(); ++j) {
      double largest = 0;
      for (std::size_t i = 0; i < errors_.size(); ++i) {
        metrics.push_back({functions_[i].name + "_" + matrix_function_errors()[j].quantity.name, errors_[i][j]});
        largest = std::max(largest, errors_[i][j]);
      }
      metrics.push_back({matrix_function_errors()[j].quantity.name, largest});
    }
    return metrics;
  }

  std::vector<Table> tables() override {
    Table table{"Adjoints of matrix functions",
                "Largest differences from forward derivatives, relative.",
                {{"function", ""}, {"value and adjoint", ""}},
                {}};
    for (const Quantity& each : quantities_of(matrix_function_errors())) table.columns.push_back({each.name, ""});
    for (std::size_t i = 0; i < errors_.size(); ++i) {
      table.rows.push_back({functions_[i].name, functions_[i].formula});
      table.rows.back().insert(table.rows.back().end(), errors_[i].begin(), errors_[i].end());
    }
    return {table};
  }

 private:
  std::int64_t matrices_;
  std::uint64_t seed_;
  std::vector<comparison::MatrixFunction> functions_ = comparison::matrix_functions();
  std::vector<std::vector<double>> errors_;  // [function]
};

StudyPlan read_matrix_functions(Configuration& experiment, const StudyContext& context) {
  StudyPlan plan;
  const std::int64_t matrices = experiment.integer(
      "matrices", {.minimum = 1, .maximum = 1'000'000, .default_value = 100, .documentation = "random ones of each function"});
  for (const Quantity& each : quantities_of(matrix_function_errors())) {
    for (const comparison::MatrixFunction& function : comparison::matrix_functions())
      plan.metrics.push_back({function.name + "_" + each.name, each.unit, each.documentation});
    plan.metrics.push_back({each.name, each.unit, "the largest of all functions: " + each.documentation});
  }
  plan.build = [matrices, seed = context.seed]() -> std::unique_ptr<Study> {
    return std::make_unique<MatrixFunctions>(matrices, seed);
  };
  return plan;
}

}  // namespace

StudyKind matrix_functions() {
  return {"adjoints of matrix functions in complex numbers, and those of the tape",
          "Each function is taken at random 3 x 3 matrices. Its adjoint at entries that are moved by a complex step has a "
          "gradient and a column of the Hessian; both, and those of the tape's node, are compared with forward derivatives "
          "through scalar loops.",
          {},
          {},
          read_matrix_functions};
}

}  // namespace holo
