#pragma once
// What a good experiment may need and not find: 100-digit references that are not built, environment variables. Private.

#include "holo/core/parameters.h"
#include "holo/study/study.h"

namespace holo {

// Both throw NotAvailable, with the experiment's name and what to do.
void require_variables(const ParameterFile& file);  // ${NAME} in a value
void require_references(const ParameterFile& file, const StudyPlan& plan);

}  // namespace holo
