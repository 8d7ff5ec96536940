#pragma once
// Requirements of a valid experiment that may be missing: built 100-digit references, environment variables. Private.

#include "holo/core/configuration.h"
#include "holo/study/study.h"

namespace holo {

// Both throw NotAvailable, with the experiment's name and what to do.
void require_variables(const ConfigurationFile& file);  // ${NAME} in a value
void require_references(const ConfigurationFile& file, const StudyPlan& plan);

}  // namespace holo
