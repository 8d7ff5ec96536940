#pragma once
// A small run: its scene, its frames, and all files of its folder, as the program writes them.

#include <cmath>
#include <map>
#include <string>

#include "fuzz/target.h"
#include "holo/core/runs/run_folder.h"
#include "holo/study/frames_file.h"
#include "holo/study/provenance.h"
#include "holo/study/result.h"
#include "runs/run_description.h"

namespace holo::fuzz {

// Two deformable bodies, a rigid one, an arrow and a marker, a field of amounts and one of categories.
inline Scene small_scene() {
  Scene scene;
  scene.length = 2.5;
  scene.bodies = {{.name = "left", .vertex_count = 4, .tetrahedra = {{0, 1, 2, 3}}, .triangles = {{0, 2, 1}, {0, 1, 3}}},
                  {.name = "rod",
                   .vertex_count = 3,
                   .triangles = {{0, 1, 2}},
                   .points = {{0, 0, 0}, {1, 0, 0}, {0, 0.5, 0}},
                   .kind = "body",
                   .hue = Hue::blue,
                   .group = 1},
                  {.name = "right", .vertex_count = 4, .triangles = {{1, 2, 3}}, .traces = {{"path", 2, Hue::violet, true}}}};
  scene.bodies.back().sets = {{"handle", "fixed handle", {0, 3}, Hue::violet}};
  scene.fields = {{.name = "von_mises_stress", .unit = "Pa"},
                  {.name = "role", .categories = {{"passive", Hue::green}, {"driven", Hue::red}}}};
  scene.glyphs = {{.name = "force", .shape = GlyphShape::arrow, .kind = "load", .hue = Hue::red, .size = 0.1, .group = 0},
                  {.name = "tip", .size = 0.2, .trace = "path", .reference = true}};
  scene.groups = {{"initial", {}}, {"optimized", {1, 2, 3}}};
  return scene;
}

inline SceneFrame small_frame(std::int64_t step) {
  SceneFrame frame{.step = step, .time = 0.1 * static_cast<double>(step)};
  for (int i = 0; i < 24; ++i) frame.positions.push_back(1.0 / 3 + i + static_cast<double>(step));
  for (int i = 0; i < 9; ++i) frame.points.push_back(i);
  frame.poses = {0, 0, 1, 1, 0, 0, 0};
  frame.fields = {{1, 2, 3, 4, 5, 6, 7, 8}, {0, 1, 0, 1, 0, 0, 0, 0}};
  return frame;
}

inline RunDescription small_description() {
  RunDescription run;
  run.name = "small";
  run.study = "elastic_dynamics";
  run.comment = "A question.\n";
  run.total_steps = 3;
  run.columns = {{"step", "1", "number"}, {"time", "s", "at its end"}, {"newton_iterations", "1", "of the step"}};
  run.timing_columns = {{"step", "1", "number"}, {"wall_time", "s", "spent on it"}};
  run.metrics = {{"steps", "1", "done"}, {"largest", "m", "of all"}};
  run.plots = {{.title = "iterations", .x = "time", .y = {"newton_iterations"}, .counts = true},
               {.title = "time", .x = "step", .y = {"wall_time"}, .logarithmic = true, .timings = true}};
  run.marks = {{"time", 0.2, "the paper's"}};
  run.kernels = {"compiled"};
  return run;
}

inline Provenance small_provenance() {
  Provenance p;
  p.version = "0.1.0";
  p.compiler = "GNU 12";
  p.processor = "a processor";
  p.processors = 2;
  p.libraries = {{"libc.so.6", "/lib/libc.so.6", "0123"}};
  p.command = {"holo", "run", "small.yaml"};
  p.experiment = "/nowhere/small.yaml";
  p.program = {"holo", "/nowhere/holo", "89ab"};
  p.plugins = {{"neo_hookean", "/nowhere/neo_hookean.so", "cdef"}};
  p.data_files = {{"mesh.msh", "/nowhere/mesh.msh", "4567"}};
  return p;
}

inline RunResult small_result() {
  RunResult result;
  result.name = "small";
  result.study = "elastic_dynamics";
  result.message = "finished after 3 steps";
  result.attempt = "a first try";
  result.steps = 3;
  result.metrics = {{"steps", 3}, {"largest", std::nan("")}};
  result.acceptance = {{"steps", "at most 8", 3, true, "docs/acceptance.md#elastic-motions"}};
  result.paper_source = "Luo2019, Fig 8";
  result.paper = {{"steps", 4, 3.0, PaperVerdict::differs, "fewer", ""},
                  {"a claim", std::nan(""), {}, PaperVerdict::not_attempted, "", "at least 2"}};
  result.tables = {{"bodies", "of the scene", {{"name", ""}, {"mass", "kg"}}, {{"left", 1.5}, {"right", Verdict::missed}}}};
  result.diagnoses = {{"a note", false}};
  return result;
}

// By their names. The last row and the last frame were written after the checkpoint.
inline const std::map<std::string, std::string>& small_run() {
  static const std::map<std::string, std::string> files = [] {
    const std::filesystem::path folder = scratch() / "made";
    {
      const Scene scene = small_scene();
      RunFolder run = RunFolder::create(folder);
      run.write("experiment.yaml", "name: small\n");
      run.write("study.json", description_to_json(small_description()));
      run.write("provenance.json", provenance_to_json(small_provenance()));
      run.growing("metrics.csv").append_line("step,time,newton_iterations");
      run.growing("timings.csv").append_line("step,wall_time");
      run.growing("frames.bin").append(frames_file_header(scene));
      for (int step = 0; step <= 3; ++step) {
        const std::string number = std::to_string(step);
        run.growing("metrics.csv").append_line(number + ",0." + number + ",2");
        run.growing("timings.csv").append_line(number + ",1e-3");
        run.growing("frames.bin").append(frame_record(scene, small_frame(step)));
        if (step == 1 || step == 2) run.save_checkpoint({step, std::string(40, 'x')});
      }
      run.write("frames/step_3.vtu", "a frame");
      write_whole_file(folder / "result.json", result_to_json(small_result()));
    }
    std::map<std::string, std::string> result;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && entry.path().filename() != "lock")
        result[entry.path().lexically_relative(folder).string()] = content_of(entry.path());
    std::filesystem::remove_all(folder);
    return result;
  }();
  return files;
}

// The run in a folder of its own, anew, with the parts of an input in the place of its files of their names.
inline std::filesystem::path put_run(const std::string& folder, const std::map<std::string, std::string>& parts) {
  std::filesystem::remove_all(scratch() / folder);
  for (const auto& [name, content] : small_run()) {
    const auto part = parts.find(name);
    put(folder + "/" + name, part == parts.end() ? content : part->second);
  }
  return scratch() / folder;
}

}  // namespace holo::fuzz
