// Mesh files cut off and damaged at random: a valid mesh or a refusal, in bounded memory.
#include <sys/resource.h>

#include <functional>
#include <limits>
#include <random>

#include "mesh_refusals.h"

namespace holo {
namespace {

using namespace mesh_refusals;

// ---- anything at all
// Lets the process grow by no more than this while it lives, so that a hostile count cannot ask for memory unseen. The
// sanitizers reserve address space of their own and cannot be limited.
class MemoryLimit {
 public:
  explicit MemoryLimit([[maybe_unused]] rlim_t bytes) {
#ifndef HOLO_ADDRESS_SANITIZER
    getrlimit(RLIMIT_AS, &before_);
    std::ifstream statm("/proc/self/statm");
    rlim_t pages = 0;
    statm >> pages;
    rlimit limit = before_;
    limit.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + bytes;
    setrlimit(RLIMIT_AS, &limit);
#endif
  }
  ~MemoryLimit() {
#ifndef HOLO_ADDRESS_SANITIZER
    setrlimit(RLIMIT_AS, &before_);
#endif
  }

 private:
  [[maybe_unused]] rlimit before_{};
};

struct Outcomes {
  int meshes = 0, refusals = 0;
};

void read_mutant(const std::string& name, const std::function<TetrahedralMesh()>& read, Outcomes& outcomes) {
  try {
    validate(read());
    ++outcomes.meshes;
  } catch (const Error& error) {
    ASSERT_EQ(error.failure(), Failure::input) << error.what();
    const std::string text = error.what();
    ASSERT_EQ(text.find("ut of memory"), std::string::npos) << text;
    ASSERT_EQ(text.find(name), 0u) << text;
    ASSERT_LT(text.size(), 1000u) << text;
    ++outcomes.refusals;
  }
}

void parse_mutant(const std::filesystem::path& fixture, const std::string& text, Outcomes& outcomes) {
  const std::string name = fixture.filename().string();
  read_mutant(
      name, [&] { return parse_tetrahedral_mesh(name, text); }, outcomes);
}

// Files of the fixtures, without the TetGen elements, which come with their points.
std::vector<std::filesystem::path> mutated_fixtures() {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : {fixtures, fixtures.parent_path() / "quadratic_meshes"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() != ".ele" && entry.path().extension() != ".node") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(MeshMutationBadInput, EveryTruncationEndsInAMeshOrARefusal) {
  const MemoryLimit limit(100 << 20);
  for (const auto& fixture : mutated_fixtures()) {
    SCOPED_TRACE(fixture.filename());
    const std::string whole = contents(fixture);
    Outcomes outcomes;
    for (std::size_t length = 0; length < whole.size(); ++length)
      ASSERT_NO_FATAL_FAILURE(parse_mutant(fixture, whole.substr(0, length), outcomes)) << length;
    EXPECT_GT(outcomes.refusals, 300);
  }
}

// Flips bytes, swaps in hostile numbers, cuts out and doubles pieces.
std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  const char* hostile[] = {"-1", "1000000000000000000", "nan", "4294967295", "2147483647", "1e308", "0", "", "\n", "9"};
  for (std::size_t change = 0; change <= below(4) && text.size() > 40; ++change) {
    const std::size_t at = below(text.size()), length = std::min<std::size_t>(below(16), text.size() - at);
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() - 16), length));
        break;
      case 4:
        text.replace(at, std::min<std::size_t>(length, 3), hostile[below(std::size(hostile))]);
        break;
      default: {  // a whole number becomes another one
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text.replace(digit, 1, hostile[below(std::size(hostile))]);
      }
    }
  }
  return text;
}

TEST(MeshMutationBadInput, RandomDamageEndsInAMeshOrARefusal) {
  const MemoryLimit limit(100 << 20);
  std::mt19937 random(20240607);
  Outcomes outcomes;
  for (const auto& fixture : mutated_fixtures()) {
    SCOPED_TRACE(fixture.filename());
    const std::string whole = contents(fixture);
    for (int round = 0; round < 500; ++round)
      ASSERT_NO_FATAL_FAILURE(parse_mutant(fixture, mutated(whole, random), outcomes)) << round;
  }
  EXPECT_GT(outcomes.refusals, 5000);
  EXPECT_GT(outcomes.meshes, 300);  // else the damage is too great to reach the later checks
}

TEST(MeshMutationBadInput, DamagedTetGenPairsEndInAMeshOrARefusal) {
  const Scratch scratch;
  const MemoryLimit limit(100 << 20);
  std::mt19937 random(7);
  Outcomes outcomes;
  for (const std::string name : {"meshes/tetgen_from_0", "meshes/tetgen_from_1", "quadratic_meshes/tetgen"}) {
    const std::filesystem::path pair = fixtures.parent_path() / name;
    const std::string nodes = contents(pair.string() + ".node"), elements = contents(pair.string() + ".ele");
    scratch.write("pair.node", nodes);
    for (int round = 0; round < 200; ++round) {
      if (round == 100) scratch.write("pair.ele", elements);
      const std::filesystem::path path = round < 100 ? scratch.write("pair.ele", mutated(elements, random))
                                                     : scratch.write("pair.node", mutated(nodes, random));
      ASSERT_NO_FATAL_FAILURE(read_mutant(
          scratch.path().string(), [&] { return read_tetrahedral_mesh(path); }, outcomes))
          << round;
    }
  }
  EXPECT_GT(outcomes.refusals, 100);
  EXPECT_GT(outcomes.meshes, 20);
}

}  // namespace
}  // namespace holo
