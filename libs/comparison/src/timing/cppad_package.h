#pragma once
// CppAD, where the build has it: as installed from its own sources, or as the Debian package r-cran-tmb has it, whose copy
// needs three names that the header of that package defines, and compiles with NDEBUG alone.

#if defined(HOLO_COMPARISON_CPPAD_OF_TMB)
#include <iostream>
#ifndef NDEBUG
#define NDEBUG
#endif
#define Rcout std::cout
#define CSKIP(...) __VA_ARGS__
template <class T>
struct isDouble {
  enum { value = false };
};
template <>
struct isDouble<double> {
  enum { value = true };
};
#endif
#include <cppad/cppad.hpp>
