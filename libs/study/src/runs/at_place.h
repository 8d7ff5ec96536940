#pragma once
// Errors that are found while a study is built get the place in the experiment that they come from.

#include "holo/core/error.h"

namespace holo {

// What `compute` returns; its Error(input) gets the place.
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
