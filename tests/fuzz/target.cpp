#include "target.h"

#include <cxxabi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <typeinfo>

#include "memory.h"

namespace holo::fuzz {

namespace fs = std::filesystem;

namespace {

std::vector<Target>& registered() {
  static std::vector<Target> all;
  return all;
}

const Target* current = nullptr;  // whose input is read now

std::string type_name(const std::exception& error) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? name.get() : typeid(error).name();
}

void require_refusal(const Error& error) {
  const std::string text = error.what();
  if (error.failure() != Failure::input) report_finding("an error that is not of the kind input: " + text);
  const bool has_place = std::any_of(current->places.begin(), current->places.end(),
                                     [&](const std::string& place) { return text.rfind(place, 0) == 0; });
  if (!has_place) report_finding("an error without a place: " + text);
  if (text.size() > longest_message)
    report_finding("an error of " + std::to_string(text.size()) + " bytes: " + text.substr(0, 2000));
}

// Whether it was not refused.
bool is_done(const std::function<void()>& reading) {
  try {
    reading();
    return true;
  } catch (const Error& error) {
    require_refusal(error);
  } catch (const std::exception& error) {
    report_finding("an exception of the type " + type_name(error) + ": " + error.what());
  } catch (...) {
    report_finding("an exception that is no std::exception");
  }
  return false;
}

class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code none;
    const fs::path memory = "/dev/shm";
    std::string name =
        ((fs::is_directory(memory, none) && access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path()) /
         "holo-fuzz-XXXXXX")
            .string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code none;
    fs::remove_all(path_, none);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

constexpr std::string_view part_begin = "==> ", part_end = " <==";

// The name in a line that begins a part, else "".
std::string_view part_name(std::string_view line) {
  if (line.size() <= part_begin.size() + part_end.size() || !line.starts_with(part_begin) || !line.ends_with(part_end))
    return {};
  return line.substr(part_begin.size(), line.size() - part_begin.size() - part_end.size());
}

}  // namespace

Registration::Registration(Target target) {
  std::vector<Target>& all = registered();
  const auto after = [](const Target& a, const Target& b) { return a.name < b.name; };
  all.insert(std::upper_bound(all.begin(), all.end(), target, after), target);
}

const std::vector<Target>& targets() { return registered(); }

bool is_read(const Target& target, std::string_view bytes) {
  current = &target;
  const MemoryMeasurement memory;
  const bool done = is_done([&] { target.read(bytes); });
  if (memory.peak() > memory_limit)
    report_finding("the input of " + std::to_string(bytes.size()) + " bytes took " + std::to_string(memory.peak() >> 20) +
                   " MB of memory at once; " + std::to_string(memory_limit >> 20) + " MB are allowed");
  return done;
}

void attempt(const std::function<void()>& reading) { is_done(reading); }

void report_finding(const std::string& text) {
  std::fprintf(stderr, "finding: %s\n", text.c_str());
  std::fflush(stderr);
  std::abort();
}

const fs::path& scratch() {
  static const ScratchFolder folder;
  return folder.path();
}

fs::path put(const std::string& name, std::string_view bytes) {
  const fs::path path = scratch() / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

std::string joined(const std::map<std::string, std::string>& files) {
  std::string text;
  for (const auto& [name, content] : files)
    text += std::string(part_begin) + name + std::string(part_end) + "\n" + content + "\n";
  return text;
}

std::map<std::string, std::string> parts_of(std::string_view bytes) {
  std::map<std::string, std::string> parts;
  std::string name, content;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string_view line = bytes.substr(begin, end - begin);
    if (const std::string_view next = part_name(line); !next.empty()) {
      if (!content.empty()) content.pop_back();  // the line break that joined() has put there
      parts[name] = content;
      name = next;
      content.clear();
    } else {
      content += std::string(line) + "\n";
    }
    begin = end + 1;
  }
  if (!content.empty()) content.pop_back();
  parts[name] = content;
  return parts;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> source_files(const std::string& folder, const std::vector<std::string>& extensions) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(HOLO_SOURCE_DIR) / folder))
    if (std::find(extensions.begin(), extensions.end(), entry.path().extension().string()) != extensions.end())
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const fs::path& path : paths) files.push_back(content_of(path));
  return files;
}

}  // namespace holo::fuzz
