#pragma once
// A run's metrics.csv or timings.csv.

#include <filesystem>
#include <string>
#include <vector>

namespace holo {

struct CsvTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // [column][row]

  const std::vector<double>* column(const std::string& name) const;  // none: null
  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
};

// The shortest decimals that read back as the same number: "nan" and "0" without a sign, which tells nothing.
std::string number_text(double value);

// Empty where there is no such file. A last line that is not whole (after a kill) is left out.
CsvTable read_table(const std::filesystem::path& path);

}  // namespace holo
