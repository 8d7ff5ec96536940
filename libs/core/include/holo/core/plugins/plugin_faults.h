#pragma once
// Names the plugin whose code ends or crashes the program while it is loaded, read or unloaded. A plugin runs in this process,
// so the process cannot continue, but a message tells the user which plugin failed.

namespace holo {

// Call it once, in the program's main function. From then on, while the host loads, registers, reads or unloads a plugin,
//   - a signal that ends the process (a segmentation fault, an abort, an exhausted stack, ...) is first reported on the
//   standard
//     error, with the plugin and the call, and then has its usual effect;
//   - exit() of the plugin ends with the exit code 1 and such a line, for any code; _exit() cannot be caught.
void report_plugin_faults();

}  // namespace holo
