#pragma once
// The project's exception type. Libraries throw it for errors of the user's input and of the machine. A numerical failure
// (inversion, no convergence) is a returned status, and a programming mistake an assertion.

#include <stdexcept>
#include <string>
#include <vector>

namespace holo {

// A place in a user's file. Line and column count from 1; 0 means that they are unknown.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

// "file:line:column", without the parts that are unknown.
std::string to_string(const Location& location);

// The cause of a failure, from which the application derives its exit code.
enum class Failure {
  input,        // a bad experiment, file or argument: exit code 2
  environment,  // the machine: disk full, no permission, a library that cannot be loaded at run time: exit code 1
  internal      // a defect of the program: exit code 1
};

class Error : public std::runtime_error {
 public:
  // `text` states the place, what was found, what is allowed, and a remedy; it is the message that the user sees.
  Error(Failure failure, const std::string& text) : std::runtime_error(text), failure_(failure) {}
  Failure failure() const { return failure_; }

 private:
  Failure failure_;
};

// Throws Error(input) with the message "file:line:column: text".
[[noreturn]] void throw_input_error(const Location& location, const std::string& text);

// The candidate with the smallest edit distance to `name`, or "" if that distance is too large for a misspelling.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

// " Did you mean 'x'?" with the nearest candidate x, or "" without one; to follow a message's first sentence.
std::string suggestion(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace holo
