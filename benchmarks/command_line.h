#pragma once
// The command line that all benchmarks have in common. For their main files alone: Boost.Program_options is slow to compile.

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>

#include "holo/core/error.h"

namespace holo::benchmark {

// The value of an option --name that is a whole number, at least `least` and a multiple of `multiple`. Errors name all of it.
template <class Integer>
auto* whole_number(const std::string& name, Integer& target, std::int64_t least, std::int64_t multiple = 1) {
  constexpr std::int64_t most = 1'000'000'000;
  const auto take = [=, &target](std::int64_t value) {
    if (value < least || value > most || value % multiple != 0)
      throw Error(Failure::input, "--" + name + " is " + std::to_string(value) + ": allowed are " +
                                      (multiple > 1 ? "multiples of " + std::to_string(multiple) + " " : "whole numbers ") +
                                      "from " + std::to_string(least) + " to " + std::to_string(most));
    target = static_cast<Integer>(value);
  };
  return boost::program_options::value<std::int64_t>()->default_value(static_cast<std::int64_t>(target))->notifier(take);
}

// Reads what the description names, and --help, which prints it. False: help was asked for, there is nothing to run. Throws
// Error(input) for options that do not exist or are abbreviated, bad values, and arguments that belong to no option.
inline bool read_options(int argc, const char* const* argv, boost::program_options::options_description& description) {
  namespace po = boost::program_options;
  description.add_options()("help", "print this");
  po::variables_map values;
  try {
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    const po::parsed_options parsed = po::command_line_parser(argc, argv).options(description).style(style).run();
    for (const po::option& option : parsed.options)
      if (option.string_key.empty())
        throw Error(Failure::input, "'" + option.value.front() + "' belongs to no option; --help lists them");
    po::store(parsed, values);
    if (values.count("help") != 0) {
      std::cout << description;
      return false;
    }
    po::notify(values);
  } catch (const po::error& error) {
    throw Error(Failure::input, std::string(error.what()) + "; --help lists the options");
  }
  return true;
}

// The exit code of main: that of run(argc, argv), or 2 with the error in one line.
template <class Run>
int run_program(const char* name, int argc, char** argv, const Run& run) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::string text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::cerr << name << ": " << text << '\n';
    return 2;
  }
}

}  // namespace holo::benchmark
