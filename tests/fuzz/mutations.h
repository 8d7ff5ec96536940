#pragma once
// Damaged files made from good ones. Each is a function of its seed and its number alone, so that it can be made again.

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace holo::fuzz {

class Mutations {
 public:
  // At least one good file. No input is longer than `largest` bytes.
  Mutations(std::vector<std::string> good_files, std::size_t largest);

  // The first inputs are the good files themselves.
  std::string input(std::uint64_t seed, std::uint64_t number) const;
  const std::vector<std::string>& good_files() const { return good_files_; }

 private:
  struct Choice;  // of random numbers, for one input
  void change(std::string& text, Choice& choice) const;
  void change_bytes(std::string& text, Choice& choice) const;
  void change_span(std::string& text, Choice& choice) const;
  void change_number(std::string& text, Choice& choice) const;
  void change_words(std::string& text, Choice& choice) const;
  void change_lines(std::string& text, Choice& choice) const;

  std::vector<std::string> good_files_;
  std::vector<std::string> words_;  // of all good files, each once
  std::size_t largest_;
};

}  // namespace holo::fuzz
