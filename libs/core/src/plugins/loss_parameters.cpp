#include "plugins/loss_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "configuration/number.h"
#include "holo/core/name_list.h"

namespace holo {

namespace {

constexpr const char* everything = "all";

}  // namespace

void SignalBound::require(const std::string& name, double least) const {
  if (least < minimum)
    throw_input_error(
        where, "'" + key + "': the signal '" + name + "' gets down to " + format_number(least) + "; allowed: " + allowed);
}

void LossBridge::answer(const holo_parameter& request, double* values, double* tangents) {
  switch (request.kind) {
    case HOLO_PARAMETER_SUBJECT:
      values[0] = subject(request);
      break;
    case HOLO_PARAMETER_SIGNAL:
      values[0] = signal(request);
      break;
    default:
      ParametersBridge::answer(request, values, tangents);
  }
}

void LossBridge::problem(const char* key, const std::string& text) {
  parameters_.problem(parameters_.location(key), "'" + parameters_.path(key) + "': " + text);
}

// 0 stands in where there is none, so that reading goes on.
int LossBridge::subject(const holo_parameter& request) {
  if (parameters_.recording() || names_ == nullptr) {
    TextSpec spec;
    spec.documentation = std::string(request.documentation) + (*request.documentation == 0 ? "" : ". ") + "The name of a " +
                         to_string(holo_subject(request.subject)) + ", a list of names, or `all`: one loss for each";
    parameters_.text_or_texts(request.name, spec);
    return 0;
  }
  const auto known = reading_.subjects.find(request.name);
  const std::vector<int>& numbers =
      known != reading_.subjects.end() ? known->second : reading_.subjects[request.name] = read_subjects(request);
  if (numbers.empty()) return 0;
  return numbers[request.name == reading_.list_key ? index_ : 0];
}

// The names of a text, where a group stands for its members, and `all` for everything.
Configuration::TextOrTexts LossBridge::expanded(const holo_parameter& request, const Configuration::TextOrTexts& text,
                                                const std::vector<std::string>& there,
                                                const std::vector<SimulationNames::Group>& groups) {
  if (!text.is_list && text.entries == std::vector<std::string>{everything}) {
    if (there.empty())
      problem(request.name,
              fmt::format("'all' means none here: {} without a {}", names_->kind(), to_string(holo_subject(request.subject))));
    return {there, true};
  }
  Configuration::TextOrTexts result{{}, text.is_list};
  for (const std::string& name : text.entries) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& each) { return each.name == name; });
    if (group == groups.end()) {
      result.entries.push_back(name);
      continue;
    }
    result.is_list = true;
    for (const int member : group->members) result.entries.push_back(there.at(std::size_t(member)));
  }
  return result;
}

std::vector<int> LossBridge::read_subjects(const holo_parameter& request) {
  const std::string what = to_string(holo_subject(request.subject));
  const std::vector<std::string> there = names_->names(holo_subject(request.subject));
  const std::vector<SimulationNames::Group> groups = names_->groups(holo_subject(request.subject));
  const Configuration::TextOrTexts text = expanded(request, parameters_.text_or_texts(request.name), there, groups);
  std::vector<int> numbers;
  for (std::size_t i = 0; i < text.entries.size(); ++i) {
    const std::string& name = text.entries[i];
    const auto found = std::find(there.begin(), there.end(), name);
    if (found == there.end()) {
      std::vector<std::string> known;
      known.reserve(groups.size() + there.size());
      for (const SimulationNames::Group& group : groups) known.push_back(group.name);
      known.insert(known.end(), there.begin(), there.end());
      problem(request.name,
              fmt::format("no {} '{}'.{} There are: {}", what, name, suggestion(name, known), joined_or_none(known)));
    } else if (std::count(text.entries.begin(), text.entries.begin() + std::ptrdiff_t(i), name) > 0) {
      problem(request.name, "'" + name + "' stands twice in the list");
    } else {
      numbers.push_back(int(found - there.begin()));
    }
  }
  if (!text.is_list) return numbers;
  if (!reading_.list_key.empty())
    problem(request.name, "'" + reading_.list_key +
                              "' is a list already; a loss is made for each name of one list only. Write " +
                              "this loss once for each of these, or give one name here");
  else if (!numbers.empty())
    reading_.list_key = request.name, reading_.listed = text.entries;
  return numbers;
}

int LossBridge::signal(const holo_parameter& request) {
  const auto known = reading_.signals.find(request.name);
  return known != reading_.signals.end() ? known->second : reading_.signals[request.name] = read_signal(request);
}

int LossBridge::read_signal(const holo_parameter& request) {
  const std::size_t size = request.component_count;
  Configuration::NumbersOrName found = parameters_.numbers_or_name(request.name, size, "a signal", number_spec(request));
  if (parameters_.recording() || names_ == nullptr) return 0;
  if (!found.name.empty()) return named_signal(request, found.name);
  if (found.numbers.empty()) return 0;
  if (found.numbers.size() < size) found.numbers.assign(size, found.numbers.front());
  if (size == 4) normalize_orientation(request, found.numbers);
  return signals_->add_constant(found.numbers);
}

// A signal of four numbers is an orientation: a quaternion. Rounded digits leave its length a little off 1.
void LossBridge::normalize_orientation(const holo_parameter& request, std::vector<double>& quaternion) {
  double squares = 0;
  for (const double part : quaternion) squares += part * part;
  const double length = std::sqrt(squares);
  if (!(std::abs(length - 1) <= 1e-3)) {
    std::string text = "the quaternion (w, x, y, z) has the length " + format_number(length) + "; it must be 1 to 1e-3";
    if (length > 0 && std::isfinite(length)) {
      text += ". Of length 1 in the same direction: [";
      for (std::size_t i = 0; i < 4; ++i) text += (i == 0 ? "" : ", ") + format_number(quaternion[i] / length);
      text += "]";
    }
    problem(request.name, text);
    quaternion = {1, 0, 0, 0};
    return;
  }
  for (double& part : quaternion) part /= length;
}

int LossBridge::named_signal(const holo_parameter& request, const std::string& name) {
  const std::vector<SignalNames::Signal> signals = signals_->signals();
  std::vector<std::string> there;
  for (const SignalNames::Signal& signal : signals) {
    there.push_back(signal.name);
    if (signal.name != name) continue;
    if (signal.component_count != request.component_count)
      problem(request.name, "the signal '" + name + "' has " + std::to_string(signal.component_count) + " numbers; " +
                                std::to_string(request.component_count) + " are needed");
    else if (std::isfinite(request.minimum))
      signals_->add_bound(
          {signal.number, request.minimum,
           range_text(request.minimum, request.maximum, request.minimum_excluded != 0, request.maximum_excluded != 0),
           parameters_.path(request.name), parameters_.location(request.name)});
    return signal.number;
  }
  problem(request.name, "no signal '" + name + "'." + suggestion(name, there) + " There are: " + joined_or_none(there));
  return 0;
}

void LossValuesBridge::answer(const holo_parameter& request, double* values, double* tangents) {
  if (request.kind != HOLO_PARAMETER_SUBJECT && request.kind != HOLO_PARAMETER_SIGNAL)
    return ValuesBridge::answer(request, values, tangents);
  const std::optional<std::size_t> found = find(request.name);
  if (!found)
    throw Error(Failure::input, "its parameter '" + std::string(request.name) +
                                    "' is a number of something in the "
                                    "simulation, and none was given");
  values[0] = value(*found);
}

}  // namespace holo
