// holo completion SHELL: scripts that ask `holo complete` what may stand in the place of a word. What it knows comes from the
// command line's own tables, the registries and the schema of the experiment that stands before.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "commands.h"
#include "holo/core/error.h"
#include "holo/core/name_list.h"
#include "holo/core/plugins/body_energy_plugin.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mesh/shapes.h"
#include "holo/study/experiment.h"
#include "holo/study/export_run.h"
#include "holo/study/reproduce.h"

namespace holo {

namespace {

namespace fs = std::filesystem;

// Joins the words that bash splits at "=", and offers what follows its last "=".
constexpr const char* bash_script = R"(# holo completion for bash: source <(holo completion bash)
_holo() {
  local words=("${COMP_WORDS[1]}") index
  for ((index = 2; index <= COMP_CWORD; ++index)); do
    if [[ "${COMP_WORDS[index]}" == "=" || "${COMP_WORDS[index - 1]}" == "=" ]]; then
      words[${#words[@]} - 1]+="${COMP_WORDS[index]}"
    else
      words+=("${COMP_WORDS[index]}")
    fi
  done
  local current="${words[${#words[@]} - 1]}" prefix="" line
  [[ "$current" == *=* && "$COMP_WORDBREAKS" == *=* ]] && prefix="${current%=*}="
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o filenames 2>/dev/null; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;;
      :folders) compopt -o filenames 2>/dev/null; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current") ;;
      *) line="${line%%$'\t'*}"; COMPREPLY+=("${line#"$prefix"}") ;;
    esac
  done < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} == 1 && "${COMPREPLY[0]}" == *[=.] ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _holo holo
)";

constexpr const char* zsh_script = R"(#compdef holo
# holo completion for zsh: source <(holo completion zsh), or save it as _holo in a folder of $fpath
_holo() {
  local -a choices
  local line
  for line in "${(@f)$("${words[1]}" complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      :files) _files ;;
      :folders) _files -/ ;;
      ?*) line="${line//:/\\:}"; choices+=("${line/$'\t'/:}") ;;
    esac
  done
  (( ${#choices} )) && _describe -t choices holo choices -S ''
}
(( $+functions[compdef] )) && compdef _holo holo
)";

struct Choice {
  std::string text, summary;
};

class Completion {
 public:
  explicit Completion(std::vector<std::string> words) : words_(std::move(words)), current_(words_.back()) {
    words_.pop_back();
    if (!words_.empty()) command_ = words_.front();
  }

  std::string find() {
    add_choices();
    std::string text = shell_ + (shell_.empty() ? "" : "\n");
    for (const Choice& choice : choices_)
      if (choice.text.rfind(current_, 0) == 0)
        text += choice.text + (choice.summary.empty() ? "" : "\t" + choice.summary) + "\n";
    return text;
  }

 private:
  void add(const std::vector<std::string>& names) {
    for (const std::string& name : names) choices_.push_back({name, ""});
  }

  void add_choices() {
    if (words_.empty() || (command_ == "help" && words_.size() == 1)) {
      for (const std::string& name : command_names()) choices_.push_back({name, command_summary(name)});
      return;
    }
    if (!contains(command_names(), command_)) return;
    const std::string& before = words_.back();
    if (before == "--set") return add_settings();
    if (before == "--variant") return add(experiment_file().variants());
    if (before == "--out" || before == "-o" || before == "--plugin-path") return void(shell_ = ":folders");
    if (before == "--launcher") return add({"local", "slurm", "mpi"});
    if (before == "--format") {
      for (const ExportFormat& format : export_formats()) choices_.push_back({format.name, format.documentation});
      return;
    }
    if (before == "--threads" || before == "--tolerance") return;
    if (!current_.empty() && current_.front() == '-') {
      for (const std::string& option : command_options(command_)) choices_.push_back({"--" + option, ""});
      return;
    }
    add_arguments();
  }

  void add_arguments() {
    if (command_ == "run" || command_ == "check" || command_ == "sweep" || command_ == "report") {
      if (command_ != "report" || contains(words_, "--preview")) add(experiment_names());
      shell_ = ":files";
    } else if (command_ == "list") {
      add({"materials", "losses", "joints", "body_energies", "studies", "experiments", "shapes"});
    } else if (command_ == "describe") {
      add_described();
    } else if (command_ == "reproduce") {
      for (const fs::directory_entry& entry : fs::directory_iterator(experiments_folder()))
        if (entry.is_directory()) choices_.push_back({entry.path().filename().string(), ""});
      std::sort(choices_.begin(), choices_.end(), [](const Choice& a, const Choice& b) { return a.text < b.text; });
    } else if (command_ == "plugin") {
      add(words_.size() == 1 ? std::vector<std::string>{"new"}
                             : std::vector<std::string>{"material", "joint", "loss", "body_energy"});
    } else if (command_ == "completion") {
      add({"bash", "zsh"});
    } else {
      shell_ = ":folders";  // of runs
    }
  }

  void add_described() {
    const PluginHost host;
    for (const std::vector<std::string>& names :
         {host.names<MaterialPlugin>(), host.names<JointPlugin>(), host.names<LossPlugin>(), host.names<BodyEnergyPlugin>(),
          built_in_studies().names(), experiment_names()})
      add(names);
    for (const ShapeDescription& shape : shape_descriptions()) choices_.push_back({shape.name, ""});
    shell_ = ":files";
  }

  // That of the first word that names one.
  ConfigurationFile experiment_file() const {
    for (std::size_t i = 1; i < words_.size(); ++i)
      if (words_[i].rfind("--", 0) != 0 && (fs::is_regular_file(words_[i]) || contains(experiment_names(), words_[i])))
        return ConfigurationFile::load(find_experiment(words_[i]));
    throw Error(Failure::input, "no experiment stands before");
  }

  // PATH= for the keys of the experiment's study, PATH=VALUE where a key has a few values.
  void add_settings() {
    const StudyRegistry studies = built_in_studies();
    const std::string study = experiment_file().root().text("study", {});
    const std::size_t equals = current_.find('=');
    for (const ParameterDescription& parameter : study_parameters(studies.get(study), PluginHost())) {
      const std::string path = with_indices(parameter.path);
      if (equals == std::string::npos) {
        if (parameter.kind != "section" && parameter.kind != "list") choices_.push_back({path + "=", parameter.documentation});
      } else if (current_.compare(0, equals, path) == 0 && parameter.range.rfind("one of: ", 0) == 0) {
        add_values(path, parameter.range.substr(8));
      }
    }
  }

  // "a[].b" is entered as "a.0.b", the first of its list, or with the index that the user has begun to type.
  std::string with_indices(std::string path) const {
    for (std::size_t at = path.find("[]"); at != std::string::npos; at = path.find("[]", at)) {
      std::string index = "0";
      if (current_.compare(0, at, path, 0, at) == 0 && current_.size() > at + 1 && current_[at] == '.') {
        const std::size_t end = std::min(current_.find_first_not_of("0123456789", at + 1), current_.size());
        if (end > at + 1) index = current_.substr(at + 1, end - at - 1);
      }
      path.replace(at, 2, "." + index);
    }
    return path;
  }

  void add_values(const std::string& path, const std::string& values) {
    std::istringstream list(values);
    for (std::string value; std::getline(list >> std::ws, value, ',');) choices_.push_back({path + "=" + value, ""});
  }

  std::vector<std::string> words_;  // before the current one; the command is the first
  std::string current_, command_, shell_;
  std::vector<Choice> choices_;
};

}  // namespace

ExitCode completion_command(const CommandLine& line) {
  const std::string& shell = line.arguments.front();
  if (shell != "bash" && shell != "zsh")
    throw Error(Failure::input,
                fmt::format("holo completion {}: there are bash and zsh.{}", shell, suggestion(shell, {"bash", "zsh"})));
  fmt::print("{}", shell == "bash" ? bash_script : zsh_script);
  return ExitCode::done;
}

// A line of the shell that is not yet an experiment's has no choices, and no message.
ExitCode complete_command(const CommandLine& line) {
  try {
    fmt::print("{}", Completion(line.arguments.empty() ? std::vector<std::string>{""} : line.arguments).find());
  } catch (const Error&) {
  }
  return ExitCode::done;
}

}  // namespace holo
