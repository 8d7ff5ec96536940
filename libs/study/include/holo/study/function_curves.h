#pragma once
// The study `function_curves`: functions of one number and their derivatives, drawn over an interval.

#include "holo/study/study.h"

namespace holo {

StudyKind function_curves();

}  // namespace holo
