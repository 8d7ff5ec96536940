#pragma once
// A model of parameters as the page holds it: fields as arrays of 32-bit numbers, packed.

#include <nlohmann/json_fwd.hpp>

#include "holo/study/parameter_model.h"

namespace holo::report {

nlohmann::json encode(const ParameterModel& model);

}  // namespace holo::report
