// Readers that are wrong on purpose, one for each kind of finding: the driver has to catch all of them.
#include <algorithm>
#include <stdexcept>

#include "fuzz/target.h"

namespace holo::fuzz {

namespace {

// "count 3: 1 2 3": the count is believed.
std::size_t count_in(std::string_view bytes) {
  std::size_t count = 0;
  for (const char c : bytes.substr(std::min<std::size_t>(6, bytes.size()))) {
    if (c < '0' || c > '9') break;
    count = 10 * count + static_cast<std::size_t>(c - '0');
  }
  return count;
}

bool is_damaged(std::string_view bytes) { return !bytes.starts_with("count 3:"); }

Registration wrong(const std::string& name, std::function<void(std::string_view)> read) {
  return Registration(Target{.name = name,
                             .read = std::move(read),
                             .seeds = [] { return std::vector<std::string>{"count 3: 1 2 3"}; },
                             .places = {"input"},
                             .is_wrong_on_purpose = true});
}

const Registration wrong_bounds = wrong("wrong_bounds", [](std::string_view bytes) {
  const std::string copy(bytes);
  int sum = 0;
  for (std::size_t i = 0; i < count_in(bytes) && i < 100000; ++i) sum += copy.data()[9 + 2 * i];
  if (sum == 1) throw Error(Failure::input, "input: a sum of 1");
});

const Registration wrong_exception = wrong("wrong_exception", [](std::string_view bytes) {
  if (is_damaged(bytes)) throw std::out_of_range("the count");
});

const Registration wrong_kind = wrong("wrong_kind", [](std::string_view bytes) {
  if (is_damaged(bytes)) throw Error(Failure::internal, "input: the count");
});

const Registration wrong_message = wrong("wrong_message", [](std::string_view bytes) {
  if (is_damaged(bytes)) throw Error(Failure::input, "the count is wrong");
});

const Registration wrong_time = wrong("wrong_time", [](std::string_view bytes) {
  for (volatile int turns = 0; is_damaged(bytes);) turns = turns ^ 1;
});

const Registration wrong_memory = wrong("wrong_memory", [](std::string_view bytes) {
  const std::vector<char> room(std::min<std::size_t>(count_in(bytes), 100'000'000));
  if (is_damaged(bytes)) throw Error(Failure::input, "input:1:7: the count");
});

const Registration wrong_leak = wrong("wrong_leak", [](std::string_view bytes) {
  if (is_damaged(bytes)) new int[count_in(bytes) % 100];
});

const Registration wrong_seed = wrong("wrong_seed", [](std::string_view) { throw Error(Failure::input, "input: refused"); });

}  // namespace

}  // namespace holo::fuzz
