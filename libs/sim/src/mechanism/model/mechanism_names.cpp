#include "holo/sim/mechanism/model/mechanism_names.h"

#include <algorithm>
#include <limits>

#include "holo/core/error.h"

namespace holo {

MechanismNames::MechanismNames(std::shared_ptr<const MechanismLayout> layout, int instant_count)
    : layout_(std::move(layout)), tasks_{{0, instant_count}} {}

void MechanismNames::add_task(int instant_count) {
  const int first = tasks_.back().end();
  tasks_.push_back({first, instant_count});
  for (Eigen::MatrixXd& values : values_) {
    values.conservativeResize(Eigen::NoChange, tasks_.back().end());
    values.rightCols(instant_count).colwise() = values.col(0);  // of a constant
  }
  for (const Signal& signal : signals_)
    values_[std::size_t(signal.number)].rightCols(instant_count).setConstant(std::numeric_limits<double>::quiet_NaN());
}

int MechanismNames::add_signal(const std::string& name, std::size_t component_count) {
  for (const Signal& signal : signals_)
    if (signal.name == name) throw Error(Failure::input, "there are two signals named '" + name + "'");
  signals_.push_back({name, component_count, int(values_.size()), -std::numeric_limits<double>::infinity()});
  values_.push_back(
      Eigen::MatrixXd::Constant(Eigen::Index(component_count), tasks_.back().end(), std::numeric_limits<double>::quiet_NaN()));
  return signals_.back().number;
}

void MechanismNames::set_signal(int number, const Eigen::MatrixXd& values, std::size_t task) {
  const MotionTask& at = tasks_[task];
  const auto of = std::find_if(signals_.begin(), signals_.end(), [&](const Signal& signal) { return signal.number == number; });
  if (values.cols() != at.count || values.rows() != Eigen::Index(of->component_count))
    throw Error(Failure::input, "the signal '" + of->name + "' has " + std::to_string(values.rows()) + " x " +
                                    std::to_string(values.cols()) + " numbers; " + std::to_string(of->component_count) +
                                    " at " + std::to_string(at.count) + " instants are needed");
  for (Eigen::Index k = 0; k < values.cols(); ++k)
    if (!values.col(k).allFinite())
      throw Error(Failure::input, "the signal '" + of->name + "' is not finite at instant " + std::to_string(k));
  Eigen::MatrixXd& all = values_[std::size_t(number)];
  all.middleCols(at.first, at.count) = values;
  of->minimum = all.array().isNaN().select(std::numeric_limits<double>::infinity(), all).minCoeff();
}

void MechanismNames::add_signal(const std::string& name, const Eigen::MatrixXd& values) {
  set_signal(add_signal(name, std::size_t(values.rows())), values);
}

bool MechanismNames::has(holo_observable_kind kind, int step) const {
  if (step != 0) return false;
  switch (kind) {
    case HOLO_OBSERVABLE_POINT:
    case HOLO_OBSERVABLE_POSE:
    case HOLO_OBSERVABLE_CONTROL:
    case HOLO_OBSERVABLE_CONTROL_RATE:
    case HOLO_OBSERVABLE_DESIGN_PARAMETER:
      return true;
    default:
      return false;
  }
}

std::vector<std::string> MechanismNames::names(holo_subject subject) const {
  std::vector<std::string> result;
  switch (subject) {
    case HOLO_SUBJECT_BODY:
      return layout_->model().observable_names();
    case HOLO_SUBJECT_CONTROL:
      return layout_->all_control_names();
    case HOLO_SUBJECT_DESIGN_PARAMETER:
      return layout_->parameter_names();
    default:
      return result;
  }
}

int MechanismNames::add_constant(const std::vector<double>& values) {
  values_.push_back(
      Eigen::Map<const Eigen::VectorXd>(values.data(), Eigen::Index(values.size())).replicate(1, tasks_.back().end()));
  return int(values_.size()) - 1;
}

}  // namespace holo
