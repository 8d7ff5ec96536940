// The table of scalars in docs/differentiation.md has every scalar of the library, with its header, and states for each the
// evaluators of the elementary functions' test that run it, or another test.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "elementary_scalars.h"

namespace holo {
namespace {

namespace fs = std::filesystem;
const fs::path source = HOLO_SOURCE_DIR;

std::string content(const fs::path& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> all_matches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) found.push_back((*match)[1]);
  return found;
}

// The scalars that a header defines: types that are derived from StaysItself, or have a quotient of two of their numbers.
std::set<std::string> scalars_of(const std::string& header) {
  std::set<std::string> found;
  for (const char* pattern :
       {R"(: public StaysItself<(\w+))", R"(operator/\((?:const )?(\w+)(?:<[^>]*>)?&? \w+, (?:const )?\1(?:<[^>]*>)?&? \w+\))"})
    for (const std::string& name : all_matches(header, pattern)) found.insert(name);
  return found;
}

std::map<std::string, std::string> scalars_of_the_library() {
  std::map<std::string, std::string> headers;
  const fs::path include = source / "libs/diff/include";
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(include))
    if (entry.path().extension() == ".h")
      for (const std::string& name : scalars_of(content(entry.path())))
        headers[name] = fs::relative(entry.path(), include).string();
  return headers;
}

struct ScalarRow {
  std::string type, header, tests;  // as the table's first, fourth and fifth cell state them
};

std::vector<ScalarRow> table_of_the_page() {
  const std::string page = content(source / "docs/differentiation.md");
  const std::size_t begin = page.find("\n## The scalars\n");
  EXPECT_NE(begin, std::string::npos);
  std::istringstream section(page.substr(begin, page.find("\n## ", begin + 1) - begin));
  std::vector<ScalarRow> rows;
  for (std::string line; std::getline(section, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    std::vector<std::string> cells = all_matches(line, R"(\| ([^|]*) (?=\|))");
    EXPECT_EQ(cells.size(), 5u) << line;
    if (cells.size() == 5) rows.push_back({cells[0], cells[3], cells[4]});
  }
  return rows;
}

TEST(TableOfScalars, HasEveryScalarOfTheLibraryWithItsHeader) {
  std::map<std::string, std::string> listed;
  for (const ScalarRow& row : table_of_the_page())
    for (const std::string& type : all_matches(row.type, R"(`(\w+))"))
      for (const std::string& header : all_matches(row.header, R"(`([^`]+)`)")) listed[type] = header;
  EXPECT_EQ(listed, scalars_of_the_library());
}

TEST(TableOfScalars, NamesTheEvaluatorsOfTheElementaryFunctionsOrAnotherTest) {
  std::set<std::string> registered, named;
  for (const TestedScalar& scalar : tested_scalars()) registered.insert(scalar.name);
  for (const ScalarRow& row : table_of_the_page()) {
    const std::vector<std::string> tests = all_matches(row.tests, R"(`([^`]+)`)");
    EXPECT_FALSE(tests.empty()) << row.type << " has no test";
    for (const std::string& test : tests)
      if (test.rfind("tests/", 0) == 0)
        EXPECT_TRUE(fs::exists(source / test)) << row.type << ": " << test;
      else
        named.insert(test);
  }
  EXPECT_EQ(named, registered);
}

}  // namespace
}  // namespace holo
