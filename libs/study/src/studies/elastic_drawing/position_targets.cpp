#include "studies/elastic_drawing/position_targets.h"

#include <cmath>

namespace holo {

namespace {

constexpr double ring_radius = 0.02, line_width = 0.0015;  // over the scene's length; half the width
constexpr double least_decrease = 1e-12;                   // of the loss, that tells a target from another minimum

bool observes_one_position(const NamedLoss& loss) {
  const holo_loss_description& d = loss.instance->description();
  if (d.observable_count != 1 || d.plain_value_count != 0 || d.observables[0].step != 0) return false;
  const std::uint32_t kind = d.observables[0].kind;
  return kind == HOLO_OBSERVABLE_POINT || kind == HOLO_OBSERVABLE_CENTER_OF_MASS;
}

// The first lane of one of the loss's operations at a position.
std::vector<double> run_at(const LossInstance& loss, holo_loss_operation operation, const Eigen::Vector3d& x,
                           const LossData& data, int knot) {
  double* z = observable_lanes(loss.observable_size());
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t lane = 0; lane < HOLO_LANE_WIDTH; ++lane) z[k * HOLO_LANE_WIDTH + lane] = x[static_cast<Eigen::Index>(k)];
  const double* lanes = run_loss(loss, operation, z, data, knot, 1);
  std::vector<double> result(loss.output_size(operation));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = lanes[i * HOLO_LANE_WIDTH];
  return result;
}

}  // namespace

PositionTargets::PositionTargets(const std::shared_ptr<const ElasticModel>& model, const SignalStore& signals, double time_step)
    : losses_(ElasticObservables(model)), length_(model->length()) {
  data_.signals = signals.values();
  data_.time_step = time_step;
}

void PositionTargets::add(const std::vector<NamedLoss>& losses, std::int64_t phase) {
  for (const NamedLoss& loss : losses) {
    if (!observes_one_position(loss)) continue;
    losses_.add(loss);
    phases_.push_back(phase);
  }
}

// One step of Newton's method from the observed position, which ends at the target where the residuals are linear. Entries
// without weight have no curvature and stay.
std::optional<PositionTargets::Target> PositionTargets::target(std::size_t number, const ElasticState& counted) const {
  const ElasticSteps steps{{&counted, nullptr, nullptr}};
  const int knot = static_cast<int>(counted.step);
  const LossInstance& loss = *losses_.loss(number).instance;
  if (!losses_.has_term(number, steps, data_, knot)) return std::nullopt;
  double* z = observable_lanes(loss.observable_size());
  losses_.observables().values(losses_.binding(number), steps, knot, 1, z);
  const Eigen::Vector3d observed(z[0], z[HOLO_LANE_WIDTH], z[2 * HOLO_LANE_WIDTH]);
  const std::vector<double> gradient = run_at(loss, HOLO_LOSS_GRADIENT, observed, data_, knot);
  const std::vector<double> upper = run_at(loss, HOLO_LOSS_GAUSS_NEWTON, observed, data_, knot);
  Eigen::Vector3d wanted = observed;
  bool has_weight = false;
  for (std::size_t k = 0, entry = 0; k < 3; entry += 3 - k++)
    if (upper[entry] > 0) {
      wanted[static_cast<Eigen::Index>(k)] -= gradient[k] / upper[entry];
      has_weight = true;
    }
  const double before = run_at(loss, HOLO_LOSS_VALUE, observed, data_, knot)[0];
  const double after = run_at(loss, HOLO_LOSS_VALUE, wanted, data_, knot)[0];
  if (!has_weight || !wanted.allFinite() || !(after <= least_decrease * (1 + before))) return std::nullopt;
  return Target{losses_.loss(number).name, observed, wanted};
}

std::vector<std::optional<PositionTargets::Target>> PositionTargets::at(const ElasticState& state, std::int64_t phase,
                                                                        std::int64_t first_step) const {
  std::vector<std::optional<Target>> targets(phases_.size());
  ElasticState counted = state;
  counted.step -= first_step;
  for (std::size_t i = 0; i < phases_.size(); ++i)
    if (phases_[i] == every_phase || phases_[i] == phase) targets[i] = target(i, counted);
  return targets;
}

void PositionTargets::add_to(Scene& scene) const {
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    SceneGlyph glyph{.name = losses_.loss(i).name, .kind = "target of a loss", .hue = Hue::amber};
    glyph.shape = GlyphShape::ring;
    glyph.size = ring_radius * length_;
    scene.glyphs.push_back(glyph);
    glyph.shape = GlyphShape::segment;
    glyph.size = line_width * length_;
    scene.glyphs.push_back(glyph);
  }
}

void PositionTargets::draw(const std::vector<std::optional<Target>>& targets, SceneFrame& frame) const {
  const Eigen::Vector3d axis(0, 0, ring_radius * length_), none(frame.positions.data());
  for (const std::optional<Target>& each : targets) {
    const Eigen::Vector3d wanted = each ? each->wanted : none, observed = each ? each->observed : none;
    const Eigen::Vector3d end = each ? Eigen::Vector3d(wanted + axis) : none;
    for (const Eigen::Vector3d& point : {wanted, end, observed, wanted})
      frame.points.insert(frame.points.end(), point.begin(), point.end());
  }
}

}  // namespace holo
