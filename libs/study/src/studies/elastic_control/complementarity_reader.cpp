#include "studies/elastic_control/complementarity_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "runs/at_place.h"
#include "studies/elastic_control/control_study.h"

namespace holo {

ComplementarityOptions read_complementarity(Configuration& experiment) {
  ComplementarityOptions options;
  options.forces.max_sweeps = static_cast<int>(experiment.integer(
      "sweeps", {.minimum = 1, .maximum = 10'000'000, .default_value = 10'000, .documentation = "of Gauss-Seidel, at most"}));
  options.search.max_branches = static_cast<int>(experiment.integer(
      "branches",
      {.minimum = 1, .maximum = 1'000'000, .default_value = 1000, .documentation = "quadratic programs of a frame, at most"}));
  options.forces.tolerance = experiment.number(
      "tolerance",
      {.unit = "m", .minimum = 0, .minimum_excluded = true, .default_value = 1e-9, .documentation = "of the laws of contact"});
  return options;
}

std::vector<int> read_contact_numbers(Configuration& experiment) {
  std::vector<int> contacts;
  for (const double each : experiment.numbers(
           "contacts", 1, 100, {.minimum = 1, .maximum = 10'000, .documentation = "numbers of contacts, in ascending order"}))
    contacts.push_back(static_cast<int>(each));
  if (!std::is_sorted(contacts.begin(), contacts.end(), std::less_equal<>()))
    experiment.problem(experiment.location("contacts"), "numbers of contacts must ascend");
  return contacts;
}

bool is_solved(const ComplementarityFrame& frame, const ComplementarityOptions& options) {
  return frame.forces.converged && frame.search.status == comparison::BranchSearchStatus::stationary &&
         frame.residual <= options.forces.tolerance;
}

std::string objection_to_motion_kind(const std::string& study) {
  return study == "elastic_control" ? "" : fmt::format("is of the study '{}'; it must be of elastic_control", study);
}

void require_linear_contact(const InnerExperiment& motion, const Location& place) {
  const std::unique_ptr<Study> study = at_place(place, [&] { return motion.plan.build(); });
  if (const std::string text = dynamic_cast<ElasticControl&>(*study).objection_to_complementarity(); !text.empty())
    throw_input_error(
        place, fmt::format("{}: {}; complementarity is for planes that stand still and have friction", motion.label, text));
}

}  // namespace holo
