#pragma once
// What a failed test of a material tells its author: plugin, operation, entry, where, with which parameters, expected and
// found.

#include <cstdio>
#include <string>

#include "material_batch.h"

namespace holo {

inline std::string in_digits(double value, int digits = 17) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.*g", digits, value);
  return text;
}

inline const char* words_of(holo_material_operation operation) {
  static const char* const words[] = {"the energy",
                                      "the stress",
                                      "the Hessian",
                                      "the projected Hessian",
                                      "the directional Hessian",
                                      "the third-order contraction",
                                      "the fourth-order contraction",
                                      "the derivative of the energy by the coefficients",
                                      "the derivative of the stress by the coefficients",
                                      "the hand-written stress",
                                      "the hand-written stress differential"};
  return words[operation];
}

// "F = [1 0 0; 0 1 0; 0 0 1]"
inline std::string words_of(const Matrix3<double>& F) {
  std::string text = "F = [";
  for (int k = 0; k < 9; ++k) text += in_digits(F[k]) + (k == 8 ? "]" : k % 3 == 2 ? "; " : " ");
  return text;
}

// "shear_modulus = 2, fiber = (2, -1, 2)": what `read` was answered.
inline std::string words_of(const SampleReader& reader) {
  std::string text;
  for (const SampleReader::Request& request : reader.requests())
    text += (text.empty() ? "" : ", ") + request.name + " = " + in_digits(request.value, 9);
  return text.empty() ? "no parameters" : text;
}

// The entry's name: "P_01", "H_01,22", "dpsi/dc_3".
inline std::string entry_words(holo_material_operation operation, std::size_t entry) {
  const auto of_F = [](std::size_t k) { return std::to_string(k / 3) + std::to_string(k % 3); };
  switch (operation) {
    case HOLO_MATERIAL_ENERGY:
      return "psi";
    case HOLO_MATERIAL_STRESS:
    case HOLO_MATERIAL_ANALYTIC_STRESS:
      return "P_" + of_F(entry);
    case HOLO_MATERIAL_THIRD_ORDER_CONTRACTION:
    case HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION:
      return "entry " + of_F(entry);
    case HOLO_MATERIAL_COEFFICIENT_GRADIENT:
      return "coefficient " + std::to_string(entry);
    case HOLO_MATERIAL_COEFFICIENT_STRESS:
      return "dP_" + of_F(entry % 9) + " by coefficient " + std::to_string(entry / 9);
    default:
      break;
  }
  std::size_t row = 0, left = entry;
  for (; left >= 9 - row; ++row) left -= 9 - row;
  return "entry " + of_F(row) + ", " + of_F(row + left);
}

struct Disagreement {
  std::string plugin;
  holo_material_operation operation;
  std::size_t entry;
  double expected, found, allowed;
  std::string meaning = "of 100-digit arithmetic";  // of the expected number
};

inline std::string where(const Element& e) { return "at " + words_of(e.F) + "\nwith " + e.parameters; }

inline std::string words_of(const Disagreement& d, const Element& e) {
  return d.plugin + ": " + words_of(d.operation) + " is wrong in " + entry_words(d.operation, d.entry) + "\nexpected " +
         in_digits(d.expected) + ", " + d.meaning + "\nfound    " + in_digits(d.found) + "\ndifference " +
         in_digits(std::abs(d.expected - d.found), 3) + ", allowed is " + in_digits(d.allowed, 3) + "\n" + where(e);
}

inline bool agrees(const Disagreement& d) { return std::abs(d.expected - d.found) <= d.allowed; }

}  // namespace holo
