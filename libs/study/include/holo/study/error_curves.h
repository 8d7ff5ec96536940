#pragma once
// The study `error_curves`: how wrong derivatives of a function are, by several methods, while the step shrinks.

#include "holo/study/study.h"

namespace holo {

StudyKind error_curves();

}  // namespace holo
