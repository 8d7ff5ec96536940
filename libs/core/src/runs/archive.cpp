#include "holo/core/runs/archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "holo/core/error.h"

namespace holo {

namespace {

constexpr double largest_name = 64;

}  // namespace

Archive::Archive(std::string_view kind, int version) { require_header(kind, version); }

Archive::Archive(std::string_view kind, int version, std::string_view bytes) : from_(bytes), is_reading_(true) {
  require_header(kind, version);
}

void Archive::require_header(std::string_view kind, int version) {
  std::string found_kind(kind);
  int found_version = version;
  visit(found_kind, largest_name);
  if (found_kind != kind) refuse("it has another kind of state");
  visit(found_version, 1e6);
  if (found_version != version)
    refuse(fmt::format("its layout has version {}, this program reads version {}", found_version, version));
}

void Archive::visit(Eigen::Ref<Eigen::MatrixXd> values) {
  const std::size_t size = static_cast<std::size_t>(values.size()) * sizeof(double);
  if (!is_reading_) {
    bytes_.append(reinterpret_cast<const char*>(values.data()), size);
    return;
  }
  const std::string_view part = take(size);
  if (size > 0) std::memcpy(values.data(), part.data(), size);
}

void Archive::visit(std::vector<int>& numbers, double most) {
  std::size_t count = numbers.size();
  visit(count, most);
  numbers.resize(count);
  for (int& number : numbers) visit(number, most);
}

void Archive::visit_length(std::size_t& length, std::size_t numbers) {
  visit(length, 0x1p53);
  if (is_reading_ && length > from_.size() / (numbers * sizeof(double))) refuse("it is too short");
}

void Archive::visit_sized(Eigen::MatrixXd& values) {
  std::size_t rows = std::size_t(values.rows()), columns = std::size_t(values.cols());
  visit(rows, 0x1p53);
  visit_length(columns, std::max<std::size_t>(rows, 1));
  values.resize(Eigen::Index(rows), Eigen::Index(columns));
  visit(values);
}

void Archive::visit_sized(Eigen::VectorXd& values) {
  std::size_t size = std::size_t(values.size());
  visit_length(size);
  values.resize(Eigen::Index(size));
  visit(values);
}

void Archive::visit(std::vector<double>& numbers) {
  std::size_t count = numbers.size();
  visit_length(count);
  numbers.resize(count);
  visit(Eigen::Map<Eigen::VectorXd>(numbers.data(), static_cast<Eigen::Index>(count)));
}

void Archive::visit(std::string& text, double most) {
  std::size_t size = text.size();
  visit(size, most);
  if (is_reading_)
    text = take(size);
  else
    bytes_ += text;
}

void Archive::require_end() const {
  if (!from_.empty()) refuse("it is too long");
}

void Archive::refuse(const std::string& reason) {
  throw Error(Failure::input, "the checkpoint is of another experiment: " + reason);
}

void Archive::require_whole(double value, double least, double most) {
  // NaN fails the comparisons, and the conversion that follows is defined for what passes them.
  if (!(value >= least && value <= most && value == static_cast<double>(static_cast<std::int64_t>(value))))
    refuse("a count is none");
}

std::string_view Archive::take(std::size_t size) {
  if (from_.size() < size) refuse("it is too short");
  const std::string_view part = from_.substr(0, size);
  from_.remove_prefix(size);
  return part;
}

}  // namespace holo
