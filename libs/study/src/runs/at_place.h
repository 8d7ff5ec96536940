#pragma once
// Adds the location in the experiment to errors that a study's construction throws.

#include "holo/core/error.h"

namespace holo {

// Returns compute(). Its Error(input) is thrown again with the location `where`.
template <class Compute>
auto at_place(const Location& where, const Compute& compute) {
  try {
    return compute();
  } catch (const Error& error) {
    if (error.failure() != Failure::input) throw;
    throw_input_error(where, error.what());
  }
}

}  // namespace holo
