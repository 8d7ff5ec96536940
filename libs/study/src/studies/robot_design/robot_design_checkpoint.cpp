// A robot's design between two steps as bytes, and back.
#include <cstring>

#include "holo/core/error.h"
#include "studies/robot_design/robot_design_study.h"

namespace holo {

namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw Error(Failure::input, "the checkpoint is of another experiment: " + reason);
}

// Both ways through the same code: writes what it is given, or reads into it. Sizes are what both sides know.
class Archive {
 public:
  Archive() = default;
  explicit Archive(std::string_view from) : from_(from), is_reading_(true) {}

  void visit(Eigen::Ref<Eigen::MatrixXd> values) {
    const std::size_t size = std::size_t(values.size()) * sizeof(double);
    if (is_reading_ && from_.size() < size) refuse("it is too short");
    if (!is_reading_) bytes_.append(reinterpret_cast<const char*>(values.data()), size);
    if (!is_reading_ || size == 0) return;
    std::memcpy(values.data(), from_.data(), size);
    from_.remove_prefix(size);
  }
  void visit(double& value) { visit(Eigen::Map<Eigen::VectorXd>(&value, 1)); }
  // Of a whole number from 0 to `most`.
  template <class Integer>
  void visit(Integer& value, double most) {
    double as_double = double(value);
    visit(as_double);
    if (!(as_double >= 0 && as_double <= most && as_double == double(std::int64_t(as_double)))) refuse("a count is none");
    value = Integer(as_double);
  }
  void visit(std::vector<int>& numbers, double most) {
    std::size_t count = numbers.size();
    visit(count, most);
    numbers.resize(count);
    for (int& number : numbers) visit(number, most);
  }
  void visit(std::string& text, double most) {
    std::size_t size = text.size();
    visit(size, most);
    if (is_reading_ && from_.size() < size) refuse("it is too short");
    if (!is_reading_) bytes_ += text;
    if (!is_reading_) return;
    text = from_.substr(0, size);
    from_.remove_prefix(size);
  }
  void visit(StagedPoint& point) {
    visit(point.parameters);
    visit(point.controls);
    visit(point.rates);
    visit(point.states);
  }
  void visit(StagedSqpState& state) {
    visit(state.multipliers.states);
    visit(state.multipliers.rates);
    visit(state.multipliers.parameters_equal);
    visit(state.multipliers.parameter_rows);
    visit(state.multipliers.control_quaternions);
    visit(state.iteration, 1e9);
    visit(state.shift);
    visit(state.penalty);
    visit(state.iterations_since_penalty_fell, 1e9);
    visit(state.small_gains, 1e9);
    visit(state.center);
    visit(state.center_change);
    visit(state.center_updates, 1e9);
    visit(state.next_center_update, 2e9);
  }

  std::string take_bytes() { return std::move(bytes_); }
  bool at_end() const { return from_.empty(); }

 private:
  std::string bytes_;
  std::string_view from_;
  bool is_reading_ = false;
};

// What a checkpoint begins with.
struct Head {
  std::size_t optimizations, solved, in_progress;
  int instants;
  std::int64_t steps;
  Elimination selection;

  void visit(Archive& archive) {
    archive.visit(optimizations, 1e6);
    archive.visit(instants, 1e6);
    archive.visit(solved, 1e6);
    archive.visit(in_progress, 1);
    archive.visit(steps, 1e9);
    archive.visit(selection.redundant, 1e6);
    archive.visit(selection.dependent_controls, 1e6);
  }
};

}  // namespace

std::string RobotDesign::serialize() const {
  Archive archive;
  Head head{optimization_count(), solved_.size(), designer_ ? 1u : 0u,
            plan_.instant_count,  steps_,         motion_.layout->elimination()};
  head.visit(archive);
  for (Solved solved : solved_) {
    archive.visit(solved.iterations, 1e9);
    archive.visit(solved.has_converged, 1);
    archive.visit(solved.diagnosis, 1e6);
    archive.visit(solved.point);
  }
  if (!designer_) return archive.take_bytes();
  DesignerState state = designer_->state();
  archive.visit(state.point);
  archive.visit(state.sqp);
  archive.visit(state.regularizer_center);
  return archive.take_bytes();
}

void RobotDesign::deserialize(std::string_view bytes) {
  Archive archive(bytes);
  Head head{};
  head.visit(archive);
  if (head.optimizations != optimization_count() || head.instants != plan_.instant_count || head.solved > head.optimizations ||
      head.solved + head.in_progress > head.optimizations)
    refuse("it has other optimizations");
  solved_.clear();
  designer_.reset();
  take_equations(head.selection);
  while (solved_.size() < head.solved) {
    Solved solved{.diagnosis = {}, .point = start_};
    archive.visit(solved.iterations, 1e9);
    archive.visit(solved.has_converged, 1);
    archive.visit(solved.diagnosis, 1e6);
    archive.visit(solved.point);
    solved_.push_back(std::move(solved));
  }
  if (head.in_progress == 1) {
    begin_optimization();
    DesignerState state = designer_->state();  // for the sizes
    archive.visit(state.point);
    archive.visit(state.sqp);
    archive.visit(state.regularizer_center);
    designer_->restore(state);
  }
  if (!archive.at_end()) refuse("it is too long");
  steps_ = head.steps;
}

}  // namespace holo
