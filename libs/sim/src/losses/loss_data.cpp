#include "holo/sim/losses/loss_data.h"

#include <algorithm>
#include <cmath>

namespace holo {

namespace {

// First knot of the task that the knot belongs to.
int beginning(const std::vector<int>& beginnings, int knot) {
  const auto next = std::upper_bound(beginnings.begin(), beginnings.end(), knot);
  return next == beginnings.begin() ? 0 : *(next - 1);
}

}  // namespace

void refuse_loss(const NamedLoss& loss, const std::string& reason) {
  const std::string text = "the loss " + loss.name + " " + reason;
  if (loss.location.file.empty()) throw Error(Failure::input, text);
  throw_input_error(loss.location, text);
}

double LossData::signal(std::uint32_t number, std::uint32_t component, int knot) const {
  const Eigen::MatrixXd& values = signals[number];
  return values(Eigen::Index(component), values.cols() == 1 ? 0 : knot);
}

double LossData::value(const holo_datum& wanted, int knot) const {
  switch (wanted.kind) {
    case HOLO_DATUM_SIGNAL:
      return signal(wanted.subject, wanted.index, knot);
    case HOLO_DATUM_INITIAL_VALUE:
      return wanted.index == HOLO_OBSERVABLE_CONTROL ? initial_controls(wanted.subject, knot)
                                                     : initial_parameters[wanted.subject];
    case HOLO_DATUM_TIME_STEP:
      return time_step;
    default:
      return time_step * (knot - beginning(task_beginnings, knot));
  }
}

bool LossData::has_signals(const holo_loss_description& loss, int knot) const {
  return std::none_of(loss.data, loss.data + loss.datum_count, [&](const holo_datum& datum) {
    return datum.kind == HOLO_DATUM_SIGNAL && std::isnan(signal(datum.subject, datum.index, knot));
  });
}

}  // namespace holo
