#include "studies/body_energies.h"
#include "studies/modal_reduction/bending_study.h"
#include "studies/modal_reduction/falling_study.h"
#include "studies/studies.h"

namespace holo {

namespace {

// While a schema is recorded, those of both responses.
void add_metrics(const std::vector<Quantity>& metrics, StudyPlan& result) {
  result.metrics.insert(result.metrics.end(), metrics.begin(), metrics.end());
}

void read_falling_bodies(Configuration& experiment, const StudyContext& context, StudyPlan& result) {
  const FallingPlan plan = read_falling_plan(experiment, context);
  add_metrics(falling_metrics(plan), result);
  add_scene_plugins(plan.scene, result.plugins);
  result.build = [plan, frames = context.frames_per_second]() -> std::unique_ptr<Study> {
    return std::make_unique<FallingBodies>(plan, frames);
  };
}

void read_bent_bodies(Configuration& experiment, const StudyContext& context, StudyPlan& result) {
  const BendingPlan plan = read_bending_plan(experiment, context);
  add_metrics(bending_metrics(plan), result);
  add_static_plugins(plan.statics, result.plugins);
  result.build = [plan, frames = context.frames_per_second]() -> std::unique_ptr<Study> {
    return std::make_unique<BendingBases>(plan, frames);
  };
}

StudyPlan read_modal_reduction(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  const std::size_t problems = experiment.problem_count();
  experiment.branch(
      "response",
      {{"motion", "free bodies that fall onto planes", [&](Configuration& p) { read_falling_bodies(p, context, result); }},
       {"equilibrium", "a held body under growing loads", [&](Configuration& p) { read_bent_bodies(p, context, result); }}},
      "motion", "what is computed with reduced bases");
  result.metrics_are_known = experiment.problem_count() == problems;
  return result;
}

}  // namespace

StudyKind modal_reduction() {
  return {
      "elastic bodies reduced to vibration modes and their derivatives, falling or bent",
      "Linear modes, and modal derivatives of first and second order, are found with one factorization; principal components "
      "in the mass matrix are a basis of few columns. Falling bodies evaluate a cubature of their elements in each step; bent "
      "ones are compared with all unknowns.",
      {"compiled"},
      {"none"},
      read_modal_reduction};
}

}  // namespace holo
