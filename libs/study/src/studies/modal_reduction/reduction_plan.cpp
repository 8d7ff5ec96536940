#include "studies/modal_reduction/reduction_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/name_list.h"
#include "holo/sim/reduction/linear_modes.h"
#include "holo/sim/reduction/modal_derivatives.h"
#include "studies/body_energies.h"

namespace holo {

namespace {

constexpr const char* modes_without_energies = "takes modes of the elements' energies alone";
constexpr int most_modes = 60;  // whose triples fill 2 GB for each 7000 vertices

IntegerSpec whole_number(std::int64_t least, std::int64_t most, std::int64_t standard, const char* documentation) {
  return {.minimum = least, .maximum = most, .default_value = standard, .documentation = documentation};
}

NumberSpec positive_share(double standard, const char* documentation) {
  return {.minimum = 0, .maximum = 1, .minimum_excluded = true, .default_value = standard, .documentation = documentation};
}

ReductionOptions read_reduction_options(Configuration& section) {
  ReductionOptions options;
  options.location = section.location();
  options.modes = int(
      section.integer("modes", whole_number(1, most_modes, 10, "linear vibration modes, from which derivatives are taken")));
  options.columns = int(section.integer("columns", whole_number(1, 1000, 30, "of each reduced basis")));
  options.displacement = section.number(
      "displacement", positive_share(0.2,
                                     "of the first mode, over the body's length, for which modes and derivatives are "
                                     "weighed against each other"));
  options.residual_displacement = section.number(
      "residual_displacement", positive_share(0.01, "over the body's length, at which the derivatives are checked"));
  options.modes_location = section.location("modes");
  options.columns_location = section.location("columns");
  return options;
}

void check_columns(Configuration& experiment, const ReductionOptions& options, int order) {
  if (experiment.recording() || options.columns <= options.candidates(order)) return;
  experiment.problem(options.columns_location,
                     fmt::format("{} columns are more than the {} modes and derivatives up to order {}; ask for fewer columns, "
                                 "or for more modes",
                                 options.columns, options.candidates(order), order));
}

void read_cubature(Configuration& section, FallingPlan& plan) {
  Configuration cubature = section.section("cubature", "elements that stand for all", false);
  plan.all_elements = cubature.boolean("all_elements", false, "no cubature: every element in each step");
  plan.cubature.max_elements = int(cubature.integer("elements", whole_number(1, 100'000, 400, "at most")));
  plan.cubature.tolerance =
      cubature.number("tolerance", {.minimum = 0,
                                    .maximum = 1,
                                    .default_value = 0.05,
                                    .documentation = "of the training error: below it no more elements are added"});
  plan.cubature.candidates =
      int(cubature.integer("candidates", whole_number(1, 1'000'000, 200, "from which each element is chosen, about")));
  plan.samples = int(cubature.integer("samples", whole_number(2, 10'000, 100, "of deformations")));
}

// What a floating body cannot have.
std::string objection_to_falling(const ElasticBodyDefinition& body) {
  if (!body.handles.empty()) return "has handles; falling bodies are free, so leave them out";
  if (!body.loads.empty()) return "has loads; falling bodies feel gravity alone, so leave them out";
  if (body.muscles) return "has muscles; leave them out";
  if (body.deformation == Deformation::affine) return "deforms by one affine map, which has no vibration modes";
  if (body.bristles) return "has bristles; leave them out";
  if (body.self_contact) return "collides with itself; leave out `self_contact`";
  return "";
}

void check_falling_scene(Configuration& experiment, const FallingPlan& plan) {
  if (experiment.recording() || experiment.has_problems()) return;
  for (const ElasticBodyDefinition& body : plan.scene.bodies)
    if (const std::string objection = objection_to_falling(body); !objection.empty())
      experiment.problem(body.location, fmt::format("the body '{}' {}.", body.name, objection));
  const ContactDefinition& contact = plan.scene.contact;
  if (plan.scene.scheme != IntegrationScheme::implicit_euler)
    experiment.problem(experiment.location("scene"), "reduced bodies move by implicit Euler; leave out `integrator`");
  if (contact.between_bodies || !contact.meshes.empty())
    experiment.problem(contact.location.file.empty() ? experiment.location("scene") : contact.location,
                       "reduced bodies collide with planes alone: give `between_bodies: false`, and no other obstacles");
  for (const PlaneDefinition& plane : contact.planes)
    if (plane.motion.moves())
      experiment.problem(plane.location,
                         fmt::format("the plane '{}' moves; reduced bodies collide with planes that stay.", plane.name));
}

}  // namespace

std::int64_t ReductionOptions::candidates(int order) const {
  std::int64_t count = modes;
  if (order >= 1) count += ModalDerivatives::pair_count(modes);
  if (order >= 2) count += ModalDerivatives::triple_count(modes);
  return count;
}

FallingPlan read_falling_plan(Configuration& experiment, const StudyContext& context) {
  FallingPlan plan;
  Configuration scene = experiment.section("scene", "free bodies, planes, gravity and time");
  plan.scene = read_elastic_scene(scene, *context.plugins, ElementDifferentiation::compiled);
  Configuration section = experiment.section("reduction", "bases of modes and derivatives", false);
  plan.reduction = read_reduction_options(section);
  plan.order = int(section.integer("order", whole_number(0, 2, 1, "the highest order of derivatives in the basis")));
  plan.shown_modes = int(section.integer("shown_modes", whole_number(0, 10, 3, "of the first body, in the picture")));
  read_cubature(section, plan);
  plan.cubature.seed = context.seed;
  Configuration solver = experiment.section("solver", "Newton's method of each time step", false);
  plan.tolerance = solver.number("tolerance", positive_share(1e-9, "of what is left of the forces"));
  plan.max_iterations = int(solver.integer("max_iterations", whole_number(1, 10'000, 100, "of a time step")));
  check_columns(experiment, plan.reduction, plan.order);
  refuse_body_energies(experiment, plan.scene, modes_without_energies);
  check_falling_scene(experiment, plan);
  if (!experiment.recording() && plan.shown_modes > plan.reduction.modes)
    experiment.problem(section.location("shown_modes"),
                       fmt::format("{} modes are to be shown, and there are {}", plan.shown_modes, plan.reduction.modes));
  return plan;
}

BendingPlan read_bending_plan(Configuration& experiment, const StudyContext& context) {
  BendingPlan plan;
  plan.statics = read_static_plan(experiment, context);
  Configuration section = experiment.section("reduction", "bases of modes and derivatives", false);
  plan.reduction = read_reduction_options(section);
  plan.tip = experiment.text("tip", {.documentation = "named subset of the body, whose mean displacement is compared"});
  plan.tip_location = experiment.location("tip");
  check_columns(experiment, plan.reduction, 1);
  refuse_body_energies(experiment, plan.statics.scene, modes_without_energies);
  if (!plan.statics.patterns.empty())
    experiment.problem(plan.statics.patterns.front().location,
                       "`modal_reduction` compares displacements of its bases, and no patterns; leave out `patterns`, or take "
                       "the study quasi_statics.");
  if (experiment.recording() || experiment.has_problems()) return plan;
  const std::vector<ElasticBodyDefinition>& bodies = plan.statics.scene.bodies;
  if (bodies.size() != 1) {
    experiment.problem(experiment.location("scene"),
                       fmt::format("`response: equilibrium` bends one body; the scene has {}.", bodies.size()));
    return plan;
  }
  std::vector<std::string> names;
  for (const NamedSubset& subset : bodies.front().subsets) names.push_back(subset.name);
  if (!contains(names, plan.tip))
    experiment.problem(plan.tip_location, fmt::format("the body '{}' has no subset '{}'.{} It has: {}.", bodies.front().name,
                                                      plan.tip, suggestion(plan.tip, names), fmt::join(names, ", ")));
  const auto check_handles = [&](const std::vector<HandleDefinition>& handles) {
    for (const HandleDefinition& handle : handles)
      if (handle.motion.moves() || handle.along != std::array<bool, 3>{true, true, true} ||
          handle.release_time < plan.statics.scene.duration)
        experiment.problem(handle.location,
                           "handles of a reduced body hold it in place, along all axes and to the end: bases "
                           "have no displacement there");
  };
  check_handles(bodies.front().handles);
  for (const StaticTest& test : plan.statics.tests) check_handles(test.handles);
  const auto is_held = [](const StaticTest& test) { return !test.handles.empty(); };
  const std::vector<StaticTest>& tests = plan.statics.tests;
  if (bodies.front().handles.empty() && (tests.empty() || !std::all_of(tests.begin(), tests.end(), is_held)))
    experiment.problem(bodies.front().location,
                       fmt::format("nothing holds the body '{}'; bases of held bodies need a handle", bodies.front().name));
  return plan;
}

void require_smooth_material(const ElasticBodyDefinition& body) {
  if (body.element_coefficients) return;
  ElasticModelDefinition definition;
  ElasticBodyDefinition& small = definition.bodies.emplace_back();
  small.name = body.name;
  small.mesh = [] { return box_mesh({1, 1, 1}, 6); };
  small.material = body.material;
  small.reference = body.reference;
  small.coefficients = body.coefficients;
  small.density = body.density;
  try {
    const auto model = std::make_shared<const ElasticModel>(definition);
    const ModalSystem system(model, model->start_positions(), {{0, 1, 2, 3}, false});
    modal_derivatives(system, linear_modes(system, 1).shapes, 2);
  } catch (const Error& error) {
    throw_input_error(body.material_location.file.empty() ? body.location : body.material_location,
                      fmt::format("the body '{}' cannot be reduced: {}", body.name, error.what()));
  }
}

}  // namespace holo
