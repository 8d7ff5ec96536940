#pragma once

#include <gtest/gtest.h>

#include <string>

#include "holo/core/error.h"

namespace holo::test {

// What a call that is refused says, or that it was not.
template <class Call>
std::string message(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace holo::test
