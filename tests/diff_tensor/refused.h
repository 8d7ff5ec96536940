#pragma once
// What a call is refused with.

#include <gtest/gtest.h>

#include "holo/diff/tensor/tensor_error.h"

namespace holo::reference {

template <class F>
TensorError refused(const F& f) {
  try {
    f();
  } catch (const TensorError& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was refused";
  return TensorError(TensorError::Kind::empty, TensorError::unknown, "");
}

}  // namespace holo::reference
