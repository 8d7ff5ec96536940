#pragma once
// The project's one exception type. Libraries throw it for what a user or the machine did wrong; a numerical failure
// (inversion, no convergence) is a returned status, and a programming mistake an assertion.

#include <stdexcept>
#include <string>
#include <vector>

namespace holo {

// A place in a user's file; line and column count from 1, 0 where unknown.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

// "file:line:column", without the parts that are unknown.
std::string to_string(const Location& location);

// Whose failure it is; the application turns it into its exit code.
enum class Failure {
  input,        // a bad experiment, file or argument: exit 2
  environment,  // disk full, no permission, a library that cannot be loaded at run time: exit 1
  internal      // ours: exit 1
};

class Error : public std::runtime_error {
 public:
  Error(Failure failure, const std::string& text) : std::runtime_error(text), failure_(failure) {}
  Failure failure() const { return failure_; }

 private:
  Failure failure_;
};

[[noreturn]] void throw_input_error(const Location& location, const std::string& text);

// The name in `candidates` nearest to `name` by edit distance, or "" when none is close enough to be meant.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

// " Did you mean 'x'?" or "".
std::string suggestion(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace holo
