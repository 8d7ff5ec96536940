#pragma once
// The messages of errors that calls throw.

#include <gtest/gtest.h>

#include <string>

#include "holo/core/error.h"

namespace holo::test {

// Of the internal error that call() throws.
template <class Call>
std::string message(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::internal);
    return error.what();
  }
  return "nothing thrown";
}

inline void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace holo::test
