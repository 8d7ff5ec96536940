#pragma once
// Parameters of a plugin as `holo describe` lists them.

#include <string>
#include <vector>

#include "holo/core/configuration.h"

namespace holo {

// One line for each key. The keys that a choice of one of `elsewhere` adds (plugins and shapes, which have pages of
// their own) are left out, and the choice says where they are.
std::string parameter_list(const std::vector<ParameterDescription>& parameters, const std::vector<std::string>& elsewhere = {});

}  // namespace holo
