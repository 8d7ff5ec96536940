#pragma once
// Names the plugin whose code ends or crashes the program while it is loaded, read or unloaded. A plugin runs in this process:
// nothing can save the process then, but the user is told whose code it was.

namespace holo {

// For the program's main function, once. From then on, while a plugin's code runs that the host called to load, register, read
// or unload it,
//   - a signal that ends the process (a segmentation fault, an abort, an exhausted stack, ...) is first told on the standard
//     error, with the plugin and what was being done, and then passes
//   - exit() ends with the exit code 1 and such a line, whatever code the plugin gave; _exit() cannot be caught.
void report_plugin_faults();

}  // namespace holo
