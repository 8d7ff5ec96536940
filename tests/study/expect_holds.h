#pragma once

#include <gtest/gtest.h>

#include <string>

#define EXPECT_HOLDS(text, part) EXPECT_NE((text).find(part), std::string::npos) << "no '" << (part) << "' in\n" << (text)
