// Writes the reports that the page's test looks at: report_samples TEMPLATE FOLDER
//   beam.html      two bodies, an oscillating beam with stress and a ball with missing values; plots, tables, marks
//   kinds.html     a body in two colors of three kinds, its path and another one's to compare with, and its name above it
//   arm.html       rigid bodies and glyphs in two groups
//   at_rest.html   a beam whose stress is rounding
//   hostile.html   every text is an attack
//   model.html     a body with sliders
//   muscle.html    a muscle within a body, forces of contact, a subset
//   start.html     the same, of one frame
//   tables.html    no scene
//   thinned.html   beam.html with fewer frames
//   damaged.html   an animation that cannot be unpacked
//   not_json.html  no data at all

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "holo/study/report.h"
#include "sample_model.h"
#include "sample_muscle.h"
#include "sample_surfaces.h"

namespace {

using namespace holo;
using namespace holo_test;

constexpr int frame_count = 81;
constexpr double frame_step = 0.025;  // s
constexpr double pi = 3.14159265358979323846;

// One body of a frame.
struct BodyFrame {
  std::vector<std::array<float, 3>> positions;
  std::vector<std::vector<float>> fields;  // empty: the body lacks the field
};

// Puts the body behind those that the frame has.
void append(const BodyFrame& body, std::size_t fields, SceneFrame& frame) {
  for (const std::array<float, 3>& position : body.positions)
    frame.positions.insert(frame.positions.end(), position.begin(), position.end());
  frame.fields.resize(fields);
  for (std::size_t f = 0; f < fields; ++f) {
    std::vector<float> values = f < body.fields.size() ? body.fields[f] : std::vector<float>();
    values.resize(body.positions.size(), std::numeric_limits<float>::quiet_NaN());
    frame.fields[f].insert(frame.fields[f].end(), values.begin(), values.end());
  }
}

SceneBody surface_body(const std::string& name, const Surface& surface) {
  return {.name = name, .vertex_count = static_cast<std::int64_t>(surface.points.size()), .triangles = surface.triangles};
}

// A cantilever of 1.2 x 0.2 x 0.2 m in its first bending mode (deflection ~ 1 - cos): amplitude 0.25 m, period 1 s, decaying.
void bend(const Surface& rest, double time, BodyFrame& frame) {
  const double deflection = 0.25 * std::exp(-0.4 * time) * std::cos(2 * pi * time), youngs_modulus = 1e5;
  frame.positions.resize(rest.points.size());
  frame.fields.assign(2, std::vector<float>(rest.points.size()));
  for (std::size_t i = 0; i < rest.points.size(); ++i) {
    const auto& p = rest.points[i];
    const double w = deflection * (1 - std::cos(pi / 2 * p[0])), slope = deflection * pi / 2 * std::sin(pi / 2 * p[0]) / 1.2;
    const double height = 0.2 * (p[2] - 0.5);
    frame.positions[i] = {static_cast<float>(1.2 * p[0] - slope * height), 0.2f * p[1], static_cast<float>(0.5 + height + w)};
    const double curvature = deflection * pi * pi / 4 * std::cos(pi / 2 * p[0]) / 1.44;
    const double stress = youngs_modulus * std::abs(curvature * height);
    frame.fields[0][i] = static_cast<float>(stress);
    frame.fields[1][i] = static_cast<float>(stress * stress / (2 * youngs_modulus));
  }
}

// A ball of 0.12 m that rolls by, without energy density, and with no stress on its lower half.
void roll(const Surface& rest, double time, BodyFrame& frame) {
  const double radius = 0.12, x = 0.15 + 0.4 * time, angle = 0.4 * time / radius;
  frame.positions.resize(rest.points.size());
  frame.fields.assign(2, {});
  frame.fields[0].resize(rest.points.size());
  for (std::size_t i = 0; i < rest.points.size(); ++i) {
    const auto& p = rest.points[i];
    frame.positions[i] = {static_cast<float>(x + radius * (std::cos(angle) * p[0] + std::sin(angle) * p[2])),
                          static_cast<float>(-0.3 + radius * p[1]),
                          static_cast<float>(radius + radius * (std::cos(angle) * p[2] - std::sin(angle) * p[0]))};
    frame.fields[0][i] = p[2] < 0 ? std::numeric_limits<float>::quiet_NaN() : 4000 * p[2];
  }
}

SceneClip beam_scene() {
  const Surface beam = box_surface({24, 4, 4}), ball = ball_surface(10);
  SceneClip clip;
  clip.scene.bodies = {surface_body("beam", beam), surface_body("ball", ball)};
  VertexSet& handle = clip.scene.bodies[0].sets.emplace_back(VertexSet{"beam handle 1", "fixed handle", {}, Hue::red});
  for (std::size_t i = 0; i < beam.points.size(); ++i)
    if (beam.points[i][0] == 0) handle.vertices.push_back(static_cast<int>(i));
  clip.scene.fields = {{"von_mises_stress", "Pa"}, {"energy_density", "J/m^3"}};
  clip.ground_height = 0;
  clip.frame_count = frame_count;
  clip.frame = [beam, ball](std::size_t index, SceneFrame& frame) {
    frame = {};
    frame.time = static_cast<double>(index) * frame_step;
    BodyFrame body;
    bend(beam, frame.time, body);
    append(body, 2, frame);
    roll(ball, frame.time, body);
    append(body, 2, frame);
  };
  return clip;
}

// The beam unbent: its stress is between 0 and 30 pPa, which is nothing.
SceneClip rest_scene() {
  const Surface beam = box_surface({24, 4, 4});
  SceneClip clip;
  clip.scene.bodies = {surface_body("beam", beam)};
  clip.scene.fields = {{.name = "von_mises_stress", .unit = "Pa", .floor = 1e-5}};
  clip.frame_count = frame_count;
  clip.frame = [beam](std::size_t index, SceneFrame& frame) {
    frame = {};
    frame.time = static_cast<double>(index) * frame_step;
    BodyFrame body;
    bend(beam, 1e3, body);
    for (std::size_t i = 0; i < beam.points.size(); ++i) body.fields[0][i] = i % 2 == 0 ? 0.0f : 3e-11f;
    append(body, 1, frame);
  };
  return clip;
}

// A ball that rolls along x, its front of one kind and its back of another.
SceneClip kinds_scene() {
  Surface ball = ball_surface(10);
  std::vector<float> kinds;
  for (const auto& p : ball.points) kinds.push_back(p[1] < 0 ? 0.0f : 2.0f);
  const int center = static_cast<int>(ball.points.size()), above = center + 1;
  ball.points.push_back({0, 0, 0});
  ball.points.push_back({0, 0, 3});
  kinds.insert(kinds.end(), 2, 1.0f);  // no triangle has them
  SceneClip clip;
  clip.scene.bodies = {surface_body("ball", ball)};
  clip.scene.bodies[0].traces = {{"wanted path", above, Hue::violet, true}, {"path taken", center, Hue::teal}};
  clip.scene.bodies[0].labeled = true;
  clip.scene.fields = {
      {.name = "kind", .categories = {{"front", Hue::green}, {"hidden kind", Hue::amber}, {"back", Hue::red}}}};
  clip.frame_count = frame_count;
  clip.frame = [ball, kinds](std::size_t index, SceneFrame& frame) {
    frame = {};
    frame.time = static_cast<double>(index) * frame_step;
    BodyFrame body;
    roll(ball, frame.time, body);
    body.fields = {kinds};
    append(body, 1, frame);
  };
  return clip;
}

// An arm that turns about y at the origin, as a rigid box of 1 m, in two groups; its hinge with its axis and a ring, the load
// at its tip as an arrow, and the tip's path.
SceneClip arm_scene() {
  const Surface box = box_surface({6, 1, 1});
  SceneClip clip;
  SceneBody arm = surface_body("upper_arm", box);
  for (const auto& p : box.points) arm.points.push_back({p[0], 0.12 * (p[1] - 0.5), 0.12 * (p[2] - 0.5)});
  arm.kind = "body";
  clip.scene.groups = {{"initial", {}}, {"optimized", {0, 1.5, 0}}};
  for (int group : {0, 1}) {
    arm.group = group;
    clip.scene.bodies.push_back(arm);
    const std::vector<SceneGlyph> glyphs = {
        {.name = "elbow", .kind = "actuator", .hue = Hue::red, .size = 0.12},
        {.name = "elbow", .shape = GlyphShape::segment, .kind = "actuator", .hue = Hue::red, .size = 0.02},
        {.name = "elbow", .shape = GlyphShape::ring, .kind = "dropped", .hue = Hue::amber, .size = 0.02},
        {.name = "load", .shape = GlyphShape::arrow, .kind = "force", .hue = Hue::teal, .size = 0.15},
        {.name = "tip", .hue = Hue::violet, .trace = "path of the tip"}};
    for (SceneGlyph glyph : glyphs) {
      glyph.group = group;
      clip.scene.glyphs.push_back(glyph);
    }
  }
  clip.frame_count = frame_count;
  clip.frame = [](std::size_t index, SceneFrame& frame) {
    frame = {};
    frame.time = static_cast<double>(index) * frame_step;
    for (double speed : {1.0, 1.5}) {
      const double angle = -speed * frame.time, x = std::cos(angle), z = -std::sin(angle);
      frame.poses.insert(frame.poses.end(), {0, 0, 0, std::cos(angle / 2), 0, std::sin(angle / 2), 0});
      frame.points.insert(frame.points.end(),
                          {0, 0, 0, 0, -0.4, 0, 0, 0.4, 0, 0, 0, 0, 0, 0.25, 0, x, 0, z, x, 0, z - 0.6, x, 0, z});
    }
  };
  return clip;
}

Plot deflection_plot() {
  Plot plot{"Deflection of the tip",
            "Dashed: the undamped beam.",
            {"time", "s"},
            {"deflection", "m"},
            {{"ours"}, {"undamped", {}, {}, SeriesStyle::line, true}},
            true};
  for (int i = 0; i <= 400; ++i) {
    const double time = 2.0 * i / 400;
    plot.series[0].x.push_back(time);
    plot.series[0].y.push_back(i > 250 && i < 270 ? std::nan("") : 0.25 * std::exp(-0.4 * time) * std::cos(2 * pi * time));
    if (i % 4 == 0) {
      plot.series[1].x.push_back(time);
      plot.series[1].y.push_back(0.25 * std::cos(2 * pi * time));
    }
  }
  return plot;
}

Plot convergence_plot() {
  Plot plot{"Error of the derivative",
            "",
            {"step size", "", true},
            {"relative error", "", true},
            {{"forward difference"}, {"complex step"}, {"paper, Fig 3", {}, {}, SeriesStyle::points, true}},
            false};
  for (int k = 0; k <= 32; ++k) {
    const double h = std::pow(10.0, -16 + k * 0.5);
    plot.series[0].x.push_back(h);
    plot.series[0].y.push_back(h + 1e-16 / h);
    plot.series[1].x.push_back(h);
    plot.series[1].y.push_back(std::max(h * h, 1e-16));
    if (k % 4 == 2) {
      plot.series[2].x.push_back(h);
      plot.series[2].y.push_back(1.4 * (h + 1e-16 / h));
    }
  }
  return plot;
}

Plot iterations_plot() {
  Plot plot;
  plot.title = "Newton iterations per step";
  plot.x = {.label = "time", .unit = "s"};
  plot.y = {.label = "iterations", .unit = ""};
  plot.series = {{.name = "iterations", .x = {}, .y = {}, .style = SeriesStyle::steps}};
  for (int i = 1; i < frame_count; ++i) {
    plot.series[0].x.push_back(i * frame_step);
    plot.series[0].y.push_back(3 + (i * 7919) % 4);
  }
  plot.x_is_time = true;
  return plot;
}

ReportData tables_report() {
  ReportData report;
  report.title = "error_curves";
  report.study = "error_curves";
  report.description = "How does the error of each derivative fall with its step?  [Luo2019] Fig 3";
  report.verdict = Verdict::missed;
  report.status = "finished; 1 of 2 conditions was missed";
  report.plots = {convergence_plot()};
  report.acceptance = {{"smallest_error", "at most 1e-15", 2.3e-16, Verdict::accepted},
                       {"digits", "at least 15", 14.2, Verdict::missed}};
  report.tables = {{"Errors",
                    "Best step of each method.",
                    {{"method"}, {"step"}, {"error"}, {"time", "ns"}},
                    {{"forward difference", 1e-8, 2.1e-8, 12.5},
                     {"complex step", 1e-200, 0.0, 31.0},
                     {"broken", 1.0, std::nan(""), HUGE_VAL}}},
                   {"Nothing to tell", "", {{"a"}, {"b"}}, {}}};
  report.provenance = {{"version", "0.1.0"}, {"seed", "1"}};
  return report;
}

ReportData beam_report() {
  ReportData report = tables_report();
  report.title = "oscillating_beam";
  report.study = "elastic_dynamics";
  report.description = "Does a cantilever oscillate as beam theory says?\nThe first bending mode decays; a ball rolls by.";
  report.verdict = Verdict::accepted;
  report.status = "finished after 80 steps";
  report.scenes = {beam_scene()};
  report.tables.push_back(
      {"Masses", "", {{"quantity"}, {"value"}, {"unit"}}, {{"mass_of_beam", 48.0, "kg"}, {"ball", 0.0072, "kg"}}});
  report.marks = {{0.5, "the load is released"}, {1.25, "the ball passes the middle"}};
  report.plots = {deflection_plot(), iterations_plot(), convergence_plot()};
  report.acceptance = {{"inverted_elements", "at most 0", 0.0, Verdict::accepted},
                       {"newton_iterations_mean", "at most 8", 4.49, Verdict::accepted}};
  report.paper = {{"Luo2019, Fig 8", "elements", 69074.0, 576.0, Verdict::differs, "a coarser mesh was asked for"},
                  {"Luo2019, Fig 8", "newton_iterations_mean", 4.5, 4.49, Verdict::reproduced, ""},
                  {"Luo2019, Fig 8", "seconds_per_step", 0.9, std::string("-"), Verdict::not_attempted, ""}};
  report.provenance = {{"version", "0.1.0"},
                       {"compiler", "GNU 12.2.0"},
                       {"flags", "-O3 -march=native"},
                       {"plugin neo_hookean", "9f86d081884c7d65"}};
  return report;
}

ReportData kinds_report() {
  ReportData report = tables_report();
  report.title = "kinds";
  report.scenes = {kinds_scene()};
  report.acceptance = {{"position_error_of_the_left_foot_maximum", "at most 1e-06", 1.44331e-10, Verdict::accepted,
                        "docs/acceptance.md#four-bar", "m"},
                       {"sqp_iterations", "exactly 15", 14.0, Verdict::missed, "docs/acceptance.md#four-bar"}};
  return report;
}

ReportData arm_report() {
  ReportData report = tables_report();
  report.title = "arm";
  report.scenes = {arm_scene()};
  report.tables.push_back({"Joints", "", {{"joint"}, {"margin"}, {"unit"}}, {{"elbow", 0.0021, "m"}, {"wrist", 0.5, "rad"}}});
  return report;
}

ReportData rest_report() {
  ReportData report = beam_report();
  report.title = "at_rest";
  report.scenes = {rest_scene()};
  return report;
}

ReportData model_report() {
  ReportData report = tables_report();
  report.title = "model";
  report.models = {bar_model()};
  return report;
}

// Each text also tells its place, so that a test that finds one fired knows which.
ReportData hostile_report() {
  int count = 0;
  auto attack = [&](const std::string& place) {
    const std::string fire = "fired(" + std::to_string(++count) + ")";
    return place + " <img src=x onerror=" + fire + "></script><script>" + fire + "</script><svg onload=" + fire +
           "> &lt;b&gt; -->\"'`${" + fire + "}<!--<script> \xE2\x80\xA8\xE2\x80\xA9 \xFF end";
  };
  ReportData report = beam_report();
  report.title = attack("title");
  report.description = attack("description") + "\n2\n3\n4\n5 " + attack("description line");
  report.study = attack("study");
  report.status = attack("status");
  report.notes = {attack("note")};
  report.provenance = {{attack("provenance key"), attack("provenance value")}};
  ParameterModel& model = report.models.emplace_back(bar_model());
  model.title = attack("model title");
  model.caption = attack("model caption");
  for (ModelParameter& parameter : model.parameters) parameter.name = parameter.unit = attack("slider");
  for (ModelQuantity& quantity : model.quantities) quantity.name = quantity.unit = attack("modeled quantity");
  report.scenes.push_back(kinds_scene());
  report.scenes.push_back(arm_scene());
  report.scenes.push_back(muscle_scene(2));
  for (SceneClip& clip : report.scenes) {
    clip.title = attack("scene title");
    Scene& scene = clip.scene;
    for (SceneBody& body : scene.bodies) body.name = attack("body");
    for (SceneBody& body : scene.bodies)
      for (VertexTrace& trace : body.traces) trace.name = attack("trace");
    for (SceneBody& body : scene.bodies)
      for (VertexSet& set : body.sets) set.name = set.kind = attack("set");
    for (VertexArrows& arrows : scene.arrows) arrows.name = arrows.unit = attack("arrows");
    for (SceneGlyph& glyph : scene.glyphs) glyph.name = glyph.kind = glyph.trace = attack("glyph");
    for (SceneGroup& group : scene.groups) group.name = attack("group");
    for (ScalarField& field : scene.fields) {
      field.name = attack("field");
      field.unit = attack("field unit");
      for (FieldCategory& category : field.categories) category.name = attack("category");
    }
  }
  report.marks = {{0.5, attack("mark")}};
  for (Plot& plot : report.plots) {
    plot.title = attack("plot title");
    plot.caption = attack("plot caption");
    plot.x.label = attack("x label");
    plot.x.unit = attack("x unit");
    plot.y.label = attack("y label");
    plot.y.unit = attack("y unit");
    for (Series& series : plot.series) series.name = attack("series");
  }
  report.acceptance = {{attack("metric"), attack("bound"), attack("value"), Verdict::accepted}};
  report.paper = {{attack("figure"), attack("quantity"), attack("paper"), attack("ours"), Verdict::differs, attack("cause")}};
  report.tables = {
      {attack("table title"), attack("table caption"), {{attack("column"), attack("column unit")}}, {{attack("cell")}}}};
  return report;
}

std::string read(const std::string& path) {
  std::ostringstream text;
  if (!(text << std::ifstream(path, std::ios::binary).rdbuf())) throw std::runtime_error("cannot read " + path);
  return text.str();
}

void write(const std::string& path, const std::string& page) {
  if (!(std::ofstream(path, std::ios::binary) << page).flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 3) {
    std::fprintf(stderr, "usage: report_samples TEMPLATE FOLDER\n");
    return 2;
  }
  const std::string page_template = read(arguments[1]), folder = arguments[2];
  const std::string beam = render_report(beam_report(), page_template);
  write(folder + "/beam.html", beam);
  write(folder + "/kinds.html", render_report(kinds_report(), page_template));
  write(folder + "/arm.html", render_report(arm_report(), page_template));
  write(folder + "/at_rest.html", render_report(rest_report(), page_template));
  write(folder + "/hostile.html", render_report(hostile_report(), page_template));
  write(folder + "/model.html", render_report(model_report(), page_template));
  write(folder + "/muscle.html", render_report(muscle_report("muscle", 2), page_template));
  write(folder + "/start.html", render_report(muscle_report("start", 1), page_template));
  write(folder + "/tables.html", render_report(tables_report(), page_template));
  std::string damaged = beam;
  damaged.replace(damaged.find("\"triangles\":\"") + 25, 8, "AAAAAAAA");
  write(folder + "/damaged.html", damaged);
  write(folder + "/thinned.html", render_report(beam_report(), page_template, {.page_bytes = page_template.size() + 60'000}));
  write(folder + "/not_json.html", page_template);
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "report_samples: %s\n", problem.what());
  return 1;
}
