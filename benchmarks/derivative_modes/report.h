#pragma once
// The table of all modes: on the terminal, as JSON, and as a page.

#include <ostream>

#include "modes.h"

namespace holo::benchmark {

void print_table(std::ostream& out, const Results& results);
void write_json(std::ostream& out, const Results& results);
void write_page(std::ostream& out, const Results& results);

std::string processor_name();

}  // namespace holo::benchmark
