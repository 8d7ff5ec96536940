#pragma once
// Prepares the process for calls of BLAS and LAPACK.

namespace holo {

// Sets one thread for OpenBLAS, since several change the last bits of results and save no time at our sizes. Allocates
// OpenBLAS's work memory, which all calls share, because a later call of OpenBLAS hangs if this memory is not available. Throws
// Error(environment) if the limit on the address space is too low for it. Several threads may call this function at once,
// unless other code has set another number of threads: the number is then reset, which OpenBLAS allows only while no other
// thread calls it.
void prepare_blas();

}  // namespace holo
