#pragma once
// The functions of formulas, operators included.

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "holo/sim/motion/signal.h"

namespace holo::formula_functions {

struct Function1 {
  std::string_view name;
  double (*call)(double);
};
struct Function2 {
  std::string_view name;
  double (*call)(double, double);
};
struct Function3 {
  std::string_view name;
  double (*call)(double, double, double);
};

inline const std::array functions_1 = {
    Function1{"-", [](double a) { return -a; }},
    Function1{"sin", [](double a) { return std::sin(a); }},
    Function1{"cos", [](double a) { return std::cos(a); }},
    Function1{"tan", [](double a) { return std::tan(a); }},
    Function1{"asin", [](double a) { return std::asin(a); }},
    Function1{"acos", [](double a) { return std::acos(a); }},
    Function1{"atan", [](double a) { return std::atan(a); }},
    Function1{"sinh", [](double a) { return std::sinh(a); }},
    Function1{"cosh", [](double a) { return std::cosh(a); }},
    Function1{"tanh", [](double a) { return std::tanh(a); }},
    Function1{"exp", [](double a) { return std::exp(a); }},
    Function1{"log", [](double a) { return std::log(a); }},
    Function1{"sqrt", [](double a) { return std::sqrt(a); }},
    Function1{"abs", [](double a) { return std::abs(a); }},
    Function1{"floor", [](double a) { return std::floor(a); }},
    Function1{"step", [](double a) { return a < 0 ? 0.0 : 1.0; }},
    Function1{"smoother_step", smoother_step},
};

inline const std::array functions_2 = {
    Function2{"+", [](double a, double b) { return a + b; }},
    Function2{"-", [](double a, double b) { return a - b; }},
    Function2{"*", [](double a, double b) { return a * b; }},
    Function2{"/", [](double a, double b) { return a / b; }},
    Function2{"^", [](double a, double b) { return std::pow(a, b); }},
    Function2{"pow", [](double a, double b) { return std::pow(a, b); }},
    Function2{"atan2", [](double a, double b) { return std::atan2(a, b); }},
    Function2{"min", [](double a, double b) { return std::min(a, b); }},
    Function2{"max", [](double a, double b) { return std::max(a, b); }},
    Function2{"mod", [](double a, double b) { return a - b * std::floor(a / b); }},
};

inline const std::array functions_3 = {
    Function3{"clamp", [](double x, double low, double high) { return std::min(std::max(x, low), high); }},
};

}  // namespace holo::formula_functions
