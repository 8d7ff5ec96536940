#include "studies/elastic_sliding.h"

namespace holo {

namespace {

const char* const sliding_column = "sliding_speed";

void visit(Archive& archive, StickingTotals& totals) {
  archive.visit(totals.time);
  archive.visit(totals.drift);
}

}  // namespace

const QuantityTable<StickingTotals>& sticking_metrics() {
  using T = const StickingTotals&;
  static const QuantityTable<StickingTotals> table{
      {{"sticking_time", "s", "at the end, in which sliding_speed is at most the stick speed of friction"},
       [](T t) { return t.time; }},
      {{"sticking_drift", "m", "the way that sliding_speed adds up to in sticking_time"}, [](T t) { return t.drift; }}};
  return table;
}

std::vector<Quantity> ElasticSliding::columns() const {
  if (!has_contact()) return {};
  return {{sliding_column, "m/s",
           "at which two surfaces with friction slid on each other in the step: mean over their contacts, weighted by normal "
           "forces; the largest of all"}};
}

std::vector<ColumnPlot> ElasticSliding::plots() const {
  if (!has_contact()) return {};
  return {{"Sliding speed of surfaces with friction", "time", {sliding_column}}};
}

void ElasticSliding::observe(const ElasticState* before, const ElasticState& state, std::vector<double>& row) {
  if (!has_contact()) return;
  const double speed = before != nullptr ? speed_.of_step(*before, state) : 0;
  row.push_back(speed);
  if (before == nullptr) return;
  if (speed > scene_.contact.stick_speed) {
    totals_ = {};
    return;
  }
  const double time_step = state.time - before->time;
  totals_.time += time_step;
  totals_.drift += speed * time_step;
}

std::vector<Metric> ElasticSliding::metrics() const {
  return has_contact() ? metrics_of(sticking_metrics(), totals_) : std::vector<Metric>{};
}

void ElasticSliding::save(Archive& archive) const {
  StickingTotals totals = totals_;
  visit(archive, totals);
}

void ElasticSliding::load(Archive& archive) { visit(archive, totals_); }

}  // namespace holo
