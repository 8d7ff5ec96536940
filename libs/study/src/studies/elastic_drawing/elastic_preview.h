#pragma once
// The preview of an elastic scene, which all studies of elastic bodies share.

#include "holo/sim/dynamics/elastic_scene.h"
#include "holo/sim/losses/loss_data.h"
#include "holo/sim/losses/signal_store.h"
#include "holo/study/study.h"

namespace holo {

// Bodies in their start positions with subsets and handles, muscles at rest, obstacles and targets of losses at time 0; and
// tables of these. The definition has the values of its signals; `losses` are those of the first time step. Throws Error(input)
// as ElasticScene does, and for a loss whose observable the bodies lack.
StudyPreview elastic_preview(const ElasticSceneDefinition& definition, const SignalStore& signals,
                             const std::vector<NamedLoss>& losses);

}  // namespace holo
