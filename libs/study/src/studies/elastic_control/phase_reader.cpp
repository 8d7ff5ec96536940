#include "studies/elastic_control/phase_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "holo/core/name_list.h"

namespace holo {

namespace {

constexpr std::int64_t most_frames = 10'000'000;

std::optional<std::int64_t> frame_number(const std::string& text) {
  if (text.empty() || text.size() > 8 ||
      !std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); }))
    return std::nullopt;
  return std::stoll(text);
}

void read_end(Configuration& entry, PhaseDefinition& phase) {
  if (entry.has("frames"))
    phase.length = entry.integer(
        "frames", {.minimum = 1, .maximum = most_frames, .documentation = "the most frames that the phase takes"});
  if (!entry.has("until")) return;
  const std::string until = entry.text(
      "until", {.documentation = "the frame of the scene with which the phase ends, or an event: airborne, contact, falling"});
  if (entry.recording()) return;
  phase.last_step = frame_number(until);
  phase.event = phase_event(until);
  if (!phase.last_step && phase.event == PhaseEvent::none && !until.empty())
    entry.problem(entry.location("until"),
                  fmt::format("'until' is '{}'; it must be the number of a frame, or one of the events: {}.{}", until,
                              joined_or_none(phase_event_names()), suggestion(until, phase_event_names())));
}

void read_name(Configuration& entry, PhaseDefinition& phase, const std::vector<PhaseDefinition>& others) {
  phase.name = entry.text("name", {.documentation = "letters, digits, _ and -; unique"});
  if (entry.recording()) return;
  const auto is_allowed = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  if (!std::all_of(phase.name.begin(), phase.name.end(), is_allowed))
    entry.problem(entry.location("name"),
                  fmt::format("the name '{}' has other characters than letters, digits, _ and -", phase.name));
  for (const PhaseDefinition& other : others)
    if (other.name == phase.name && !phase.name.empty())
      entry.problem(entry.location("name"), fmt::format("there are two phases '{}'", phase.name));
}

// Names of the phase's losses begin with its own.
std::vector<NamedLoss> read_phase_losses(Configuration& entry, const std::string& phase, const LossSources& sources,
                                         std::vector<UsedPlugin>& plugins) {
  std::vector<NamedLoss> losses;
  entry.each(
      "losses", [&](Configuration& loss) { read_loss(loss, sources, plugins, losses); },
      "losses that are minimized in the phase; t in their signals counts from its beginning");
  for (NamedLoss& loss : losses) loss.name = phase + "." + loss.name;
  return losses;
}

// All but the last phase need an end, which may not come before they can begin.
void require_ends(Configuration& experiment, const std::vector<PhaseDefinition>& phases,
                  const std::vector<Location>& locations) {
  const std::vector<std::int64_t> beginnings = earliest_beginnings(phases);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const PhaseDefinition& phase = phases[i];
    const bool has_end = phase.last_step || phase.length || phase.event != PhaseEvent::none;
    if (i + 1 < phases.size() && !has_end)
      experiment.problem(locations[i], fmt::format("the phase '{}' has no end: give `frames` or `until`; only the last phase "
                                                   "lasts until the scene ends",
                                                   phase.name));
    if (i + 1 == phases.size() && has_end)
      experiment.problem(locations[i], fmt::format("the last phase, '{}', lasts until the scene ends; `frames` and `until` are "
                                                   "allowed in the phases before it",
                                                   phase.name));
    if (phase.last_step && *phase.last_step <= beginnings[i])
      experiment.problem(locations[i],
                         fmt::format("the phase '{}' ends with frame {}, but begins after frame {} at the earliest", phase.name,
                                     *phase.last_step, beginnings[i]));
  }
}

}  // namespace

void read_phases(Configuration& experiment, const LossSources& sources, std::vector<UsedPlugin>& plugins, ControlPlan& plan) {
  std::vector<Location> locations;
  const std::size_t problems = experiment.problem_count();
  experiment.each(
      "phases",
      [&](Configuration& entry) {
        PhaseDefinition phase;
        read_name(entry, phase, plan.phases);
        read_end(entry, phase);
        plan.phase_losses.push_back(read_phase_losses(entry, phase.name, sources, plugins));
        plan.phases.push_back(phase);
        locations.push_back(entry.location());
      },
      "intervals of frames with losses of their own, one after the other; by default one");
  if (!experiment.recording() && experiment.problem_count() == problems) require_ends(experiment, plan.phases, locations);
  if (!plan.phases.empty()) return;
  plan.phases.emplace_back().name = "all";
  plan.phase_losses.push_back({});
}

}  // namespace holo
