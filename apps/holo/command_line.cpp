#include "command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <memory>
#include <sstream>

#include "holo/core/error.h"
#include "holo/core/name_list.h"

namespace holo {

namespace options = boost::program_options;

namespace {

struct CommandSpec {
  std::string name;
  std::string arguments;  // as shown
  std::size_t minimum_arguments, maximum_arguments;
  std::vector<std::string> options;
  std::string summary;
  bool is_hidden = false;  // of the shells alone

  bool has_option(const std::string& option) const { return contains(options, option); }
};

const std::vector<CommandSpec>& commands() {
  static const std::vector<CommandSpec> list{
      {"run",
       "FILE|NAME",
       1,
       1,
       {"variant", "set", "out", "threads", "plugin-path"},
       "run an experiment: a file, or one that `holo list experiments` names"},
      {"check",
       "FILE|NAME",
       1,
       1,
       {"variant", "set", "plugin-path"},
       "read and check an experiment and all its variants, compute and write nothing"},
      {"list",
       "[WHAT]",
       0,
       1,
       {"plugin-path"},
       "list the materials, losses, joints, studies, experiments or shapes; all of these without WHAT"},
      {"describe",
       "NAME",
       1,
       1,
       {"plugin-path"},
       "a material, joint, loss, study or shape: formula, parameters, units, ranges, defaults; an experiment; a mesh file"},
      {"schema", "", 0, 0, {"plugin-path"}, "the JSON schema of experiment files"},
      {"resume", "RUN", 1, 1, {"threads", "plugin-path"}, "continue a stopped run from its last checkpoint"},
      {"report",
       "RUN|--preview FILE",
       1,
       1,
       {"preview", "variant", "set", "out", "plugin-path"},
       "rebuild report.html of a run from its folder, or draw an experiment before it runs"},
      {"compare", "RUN_A RUN_B", 2, 2, {"tolerance"}, "compare the iterations and the motion of two runs"},
      {"export",
       "RUN",
       1,
       1,
       {"format", "frame", "out"},
       "write a run's results for other programs into a folder, RUN/export without --out"},
      {"reproduce",
       "SUITE",
       1,
       1,
       {"variant", "out", "threads", "plugin-path"},
       "run all experiments of experiments/SUITE, or of the folder SUITE; one table of the papers' values and ours"},
      {"runs", "[FOLDER]", 0, 1, {}, "list the runs below a folder, runs/ without FOLDER: state, steps, experiment, start"},
      {"completion", "SHELL", 1, 1, {}, "the completion of commands, names and keys for bash or zsh: a script to source"},
      {"complete", "[WORD]...", 0, 4096, {}, "what may stand in the place of the last word", true},
      {"sweep",
       "[FILE|NAME]",
       0,
       1,
       {"variant", "set", "out", "threads", "plugin-path", "launcher", "jobs", "memory", "retry-failed", "no-wait", "partition",
        "time", "launcher-option"},
       "run all runs of an experiment's `sweep` section; again: those that are left, --out SAME without FILE suffices"},
      {"sweep-worker",
       "SWEEP",
       1,
       1,
       {"run", "start", "list", "threads", "plugin-path"},
       "take runs of a sweep that nobody is at, one after another; launchers start it, mpirun -np 8 holo sweep-worker SWEEP"},
      {"plugin",
       "new KIND NAME",
       3,
       3,
       {"out"},
       "begin a material, joint or loss of your own: in the source tree its file, elsewhere a folder"},
  };
  return list;
}

// Of the shells' commands none prints for programs: their text is one already.
std::vector<std::string> options_of(const CommandSpec& spec) {
  std::vector<std::string> options = spec.options;
  if (spec.name == "completion" || spec.is_hidden) return options;
  if (spec.has_option("threads")) options.emplace_back("quiet");
  options.emplace_back("json");
  return options;
}

const CommandSpec& find_command(const std::string& name) {
  for (const CommandSpec& spec : commands())
    if (spec.name == name) return spec;
  const std::vector<std::string> names = command_names();
  throw Error(Failure::input,
              fmt::format("no command '{}'.{} The commands: {}", name, suggestion(name, names), fmt::join(names, ", ")));
}

// All options, of which a command takes those in `names`.
options::options_description all_options(const std::vector<std::string>& names) {
  options::options_description all("options");
  auto add = [&](const char* name, const options::value_semantic* value, const char* documentation) {
    std::unique_ptr<const options::value_semantic> owned(value);  // or the description's, once it is added
    if (std::find(names.begin(), names.end(), name) == names.end()) return;
    const bool has_letter = std::string_view(name) == "out";
    all.add_options()(has_letter ? "out,o" : name, owned.release(), documentation);
  };
  using Texts = std::vector<std::string>;
  add("preview", options::bool_switch(),
      "draw an experiment's start into DIR (previews) instead; the other options are those of the drawing");
  add("variant", options::value<std::string>()->value_name("NAME"), "the experiment's variant of this name");
  add("set", options::value<Texts>()->value_name("PATH=VALUE"),
      "replace a value: --set scene.time_step=0.005; may be repeated");
  add("out", options::value<std::string>()->value_name("DIR"),
      "the folder to write, new or empty; of a preview or an export any; of a sweep also one that it has begun");
  add("threads", options::value<int>()->value_name("N"), "the largest number of threads; results do not depend on it");
  add("plugin-path", options::value<Texts>()->value_name("DIR"),
      "a folder that is searched for plugins first; may be repeated");
  add("tolerance", options::value<double>()->value_name("X"),
      "allowed distance, relative to the bounding box's diagonal (1e-9)");
  add("quiet", options::bool_switch(), "print errors and warnings alone; the exit code tells how the run ended");
  add("json", options::bool_switch(), "print one JSON object a line instead of text");
  add("format", options::value<std::string>()->value_name("F,F"),
      "csv, npy, npz, vtu, gltf, obj, msh, png, mp4, mjcf, urdf; several with commas (csv,npy)");
  add("frame", options::value<std::string>()->value_name("N"),
      "N, first, last, all, or N:M; otherwise all frames, of obj, msh and png the last");
  add("launcher", options::value<std::string>()->value_name("NAME"), "local (default), slurm or mpi");
  add("jobs", options::value<int>()->value_name("N"),
      "runs at once: local, by default as many as processors; ranks of mpirun; tasks of Slurm");
  add("memory", options::value<std::string>()->value_name("SIZE"),
      "such as 8G: of all local runs together, which start as far as the largest run until now fits; of one run of Slurm");
  add("retry-failed", options::bool_switch(), "run failed runs again, from their beginning");
  add("no-wait", options::bool_switch(), "Slurm: return when the jobs are submitted");
  add("partition", options::value<std::string>()->value_name("NAME"), "Slurm: the partition");
  add("time", options::value<std::string>()->value_name("TIME"), "Slurm: the limit of a task, as sbatch takes it");
  add("launcher-option", options::value<Texts>()->value_name("WORD"), "a further word for sbatch or mpirun; may be repeated");
  add("run", options::value<std::int64_t>()->value_name("N"), "do the run of this number, in this process");
  add("start", options::value<std::int64_t>()->value_name("N"), "number of the launcher's start");
  add("list", options::value<std::string>()->value_name("FILE"), "the numbers of the runs to take");
  all.add_options()("help,h", "this text");
  return all;
}

std::pair<std::string, std::string> split_override(const std::string& text) {
  std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(Failure::input, fmt::format("--set {}: write PATH=VALUE, such as scene.time_step=0.005", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// "a,b" as two words.
std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char letter : text)
    if (letter == ',')
      words.emplace_back();
    else
      words.back() += letter;
  return words;
}

void check_values(const CommandLine& line, const options::variables_map& values) {
  if (values.count("threads") && (line.threads < 1 || line.threads > 4096))
    throw Error(Failure::input, fmt::format("--threads {}: must be from 1 to 4096", line.threads));
  if (!(line.tolerance >= 0)) throw Error(Failure::input, fmt::format("--tolerance {}: must be 0 or more", line.tolerance));
  if (values.count("out") && line.out.empty()) throw Error(Failure::input, "--out: must name a folder");
  if (line.command == "report" && !line.preview)
    for (const char* option : {"variant", "set", "out", "plugin-path"})
      if (values.count(option))
        throw Error(Failure::input, fmt::format("holo report: --{} is an option of a preview: holo report --preview FILE; the "
                                                "report of a run is made from its folder alone",
                                                option));
}

void take_values(CommandLine& line, const options::variables_map& values) {
  if (values.count("variant")) line.variant = values["variant"].as<std::string>();
  if (values.count("out")) line.out = values["out"].as<std::string>();
  if (values.count("threads")) line.threads = values["threads"].as<int>();
  if (values.count("tolerance")) line.tolerance = values["tolerance"].as<double>();
  if (values.count("set"))
    for (const std::string& text : values["set"].as<std::vector<std::string>>()) line.overrides.push_back(split_override(text));
  if (values.count("plugin-path"))
    for (const std::string& text : values["plugin-path"].as<std::vector<std::string>>()) line.plugin_path.emplace_back(text);
  if (values.count("json")) line.json = values["json"].as<bool>();
  if (values.count("quiet")) line.quiet = values["quiet"].as<bool>();
  if (values.count("format")) line.formats = split_list(values["format"].as<std::string>());
  if (values.count("frame")) line.frames = values["frame"].as<std::string>();
  if (values.count("preview")) line.preview = values["preview"].as<bool>();
  line.help = values.count("help") != 0;
}

void take_sweep_values(CommandLine::Sweep& sweep, const options::variables_map& values) {
  const auto take = [&](const char* name, auto& value) {
    if (values.count(name)) value = values[name].as<std::decay_t<decltype(value)>>();
  };
  take("launcher", sweep.launcher);
  take("memory", sweep.memory);
  take("partition", sweep.partition);
  take("time", sweep.time);
  take("list", sweep.list);
  take("launcher-option", sweep.launcher_options);
  take("jobs", sweep.jobs);
  take("run", sweep.run);
  take("start", sweep.start);
  take("retry-failed", sweep.retry_failed);
  take("no-wait", sweep.no_wait);
  if (values.count("jobs") && (sweep.jobs < 1 || sweep.jobs > 100000))
    throw Error(Failure::input, fmt::format("--jobs {}: must be from 1 to 100000", sweep.jobs));
  if (values.count("run") && sweep.run < 0) throw Error(Failure::input, fmt::format("--run {}: must be 0 or more", sweep.run));
}

// The option of this name with its dashes.
std::string as_typed(const std::string& name, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
    if (dashes > 0 && word.compare(dashes, name.size(), name) == 0) return word.substr(0, dashes) + name;
  }
  return "--" + name;
}

options::variables_map parse(const CommandSpec& spec, const std::vector<std::string>& words, CommandLine& line) {
  // Positional words are an option of their own to the parser; the help does not list it.
  options::options_description visible = all_options(options_of(spec)), all;
  all.add(visible).add_options()("argument", options::value<std::vector<std::string>>());
  options::positional_options_description positional;
  positional.add("argument", -1);
  // An abbreviation that is unique today may be ambiguous tomorrow.
  int style = options::command_line_style::default_style & ~options::command_line_style::allow_guessing;
  options::variables_map values;
  try {
    options::store(options::command_line_parser(words).options(all).positional(positional).style(style).run(), values);
  } catch (const options::unknown_option& error) {
    std::string name = error.get_option_name();
    name.erase(0, name.find_first_not_of('-'));
    std::vector<std::string> names = options_of(spec);
    names.emplace_back("help");
    std::string nearest = nearest_name(name, names);
    throw Error(Failure::input,
                fmt::format("holo {} has no option '{}'.{} Its options: --{}", spec.name, as_typed(name, words),
                            nearest.empty() ? "" : " Did you mean '--" + nearest + "'?", fmt::join(names, ", --")));
  } catch (const options::error& error) {
    throw Error(Failure::input, fmt::format("holo {}: {}", spec.name, error.what()));
  }
  if (values.count("argument")) line.arguments = values["argument"].as<std::vector<std::string>>();
  return values;
}

}  // namespace

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandSpec& spec : commands())
    if (!spec.is_hidden) names.push_back(spec.name);
  return names;
}

std::string command_summary(const std::string& command) { return find_command(command).summary; }

std::vector<std::string> command_options(const std::string& command) { return options_of(find_command(command)); }

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  line.words.assign(argv, argv + argc);
  std::string first = argc > 1 ? argv[1] : "--help";
  if (first == "help" || first == "--help" || first == "-h") {
    line.help = true;
    if (argc > 2) line.command = find_command(argv[2]).name;
    return line;
  }
  if (first == "--version") {
    line.version = true;
    return line;
  }
  if (first.size() > 1 && first.front() == '-')
    throw Error(Failure::input, fmt::format("holo has no option '{}'.{} Options follow the command: holo COMMAND [OPTION]...",
                                            first, suggestion(first, {"--help", "--version"})));
  const CommandSpec& spec = find_command(first);
  line.command = spec.name;
  if (spec.is_hidden) {  // its words are those of another command line, options among them
    line.arguments.assign(argv + 2, argv + argc);
    return line;
  }
  options::variables_map values = parse(spec, {argv + 2, argv + argc}, line);
  take_values(line, values);
  take_sweep_values(line.sweep, values);
  if (line.help) return line;
  check_values(line, values);
  if (line.arguments.size() < spec.minimum_arguments || line.arguments.size() > spec.maximum_arguments)
    throw Error(Failure::input, fmt::format("usage: holo {} {}; found {} argument{}", spec.name, spec.arguments,
                                            line.arguments.size(), line.arguments.size() == 1 ? "" : "s"));
  return line;
}

std::string help_text(const std::string& command) {
  if (command.empty()) {
    std::string text = "holo COMMAND [OPTION]...    differentiable simulation, driven by experiment files\n\n";
    for (const CommandSpec& spec : commands())
      if (!spec.is_hidden) text += fmt::format("  {:<28}{}\n", spec.name + " " + spec.arguments, spec.summary);
    return text +
           "  --version, --help, COMMAND --help\n\n"
           "exit codes: 0 done and accepted; 1 a failure of the program or the machine;\n"
           "2 a bad experiment, file or argument, nothing was written; 3 finished, but its acceptance was\n"
           "missed or no phase of its optimization converged, in compare also runs that differ; 4 the\n"
           "solver could not continue, or a signal stopped it, the last good state is on disk if a step\n"
           "was done; 5 a good experiment needs references that are not built, in reproduce also\n"
           "environment variables that are not set, nothing was computed\n";
  }
  const CommandSpec& spec = find_command(command);
  std::ostringstream text;
  text << "holo " << spec.name << " " << spec.arguments << "    " << spec.summary << "\n\n" << all_options(options_of(spec));
  return text.str();
}

}  // namespace holo
