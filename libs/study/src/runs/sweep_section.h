#pragma once
// Reads the `sweep` section of an experiment.

#include <optional>

#include "holo/study/sweep_definition.h"

namespace holo {

// Empty if the file has no such section. Problems are reported through the file. `metrics`: the study's; empty if unknown.
std::optional<SweepDefinition> read_sweep(Configuration& root, const std::vector<std::string>& metrics);

}  // namespace holo
