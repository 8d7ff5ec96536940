// race atomic|racy: a parallel loop whose chunks add to one number. Without atomic operations the thread sanitizer has to
// report it.
#include <atomic>
#include <cstdio>
#include <cstring>

#include "holo/core/numerics/parallel.h"

int main(int argc, char** argv) {
  const bool is_racy = argc > 1 && std::strcmp(argv[1], "racy") == 0;
  long plain = 0;
  std::atomic<long> shared{0};
  holo::parallel_for(100, 10, [&](std::size_t begin, std::size_t end) {
    if (is_racy)
      plain += long(end - begin);
    else
      shared += long(end - begin);
  });
  std::printf("%ld\n", is_racy ? plain : shared.load());
}
