#include "holo/sim/losses/signal_store.h"

#include <algorithm>
#include <limits>

#include "holo/core/error.h"

namespace holo {

void SignalStore::add_task(int knot_count) {
  tasks_.push_back({tasks_.back().end(), knot_count});
  for (const Signal& signal : signals_) {
    Eigen::MatrixXd& values = values_[std::size_t(signal.number)];
    values.conservativeResize(Eigen::NoChange, tasks_.back().end());
    values.rightCols(knot_count).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

int SignalStore::add_signal(const std::string& name, std::size_t component_count) {
  for (const Signal& signal : signals_)
    if (signal.name == name) throw Error(Failure::input, "there are two signals named '" + name + "'");
  signals_.push_back({name, component_count, int(values_.size())});
  values_.push_back(
      Eigen::MatrixXd::Constant(Eigen::Index(component_count), tasks_.back().end(), std::numeric_limits<double>::quiet_NaN()));
  return signals_.back().number;
}

void SignalStore::set_signal(int number, const Eigen::MatrixXd& values, std::size_t task) {
  const MotionTask& at = tasks_[task];
  const auto of = std::find_if(signals_.begin(), signals_.end(), [&](const Signal& signal) { return signal.number == number; });
  if (values.cols() != at.count || values.rows() != Eigen::Index(of->component_count))
    throw Error(Failure::input, "the signal '" + of->name + "' has " + std::to_string(values.rows()) + " x " +
                                    std::to_string(values.cols()) + " numbers; " + std::to_string(of->component_count) +
                                    " at " + std::to_string(at.count) + " samples are needed");
  for (Eigen::Index k = 0; k < values.cols(); ++k)
    if (!values.col(k).allFinite())
      throw Error(Failure::input, "the signal '" + of->name + "' is not finite at sample " + std::to_string(k));
  values_[std::size_t(number)].middleCols(at.first, at.count) = values;
}

void SignalStore::require_bounds() const {
  for (const SignalBound& bound : bounds_) {
    const Eigen::MatrixXd& all = values_[std::size_t(bound.signal)];
    const double least = all.array().isNaN().select(std::numeric_limits<double>::infinity(), all).minCoeff();
    for (const Signal& signal : signals_)
      if (signal.number == bound.signal) bound.require(signal.name, least);
  }
}

void SignalStore::add_signal(const std::string& name, const Eigen::MatrixXd& values) {
  set_signal(add_signal(name, std::size_t(values.rows())), values);
}

int SignalStore::add_constant(const std::vector<double>& values) {
  values_.push_back(Eigen::Map<const Eigen::VectorXd>(values.data(), Eigen::Index(values.size())));
  return int(values_.size()) - 1;
}

}  // namespace holo
