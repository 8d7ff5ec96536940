#pragma once
// What has to be done before the BLAS or LAPACK is called.

namespace holo {

// One thread: more would change the results' last bits, and gain nothing at our sizes. Takes OpenBLAS's work area, which every
// call shares: later OpenBLAS would wait for ever where it cannot have it. Throws Error(environment) where the limit on the
// address space leaves no room. Several threads may call it at once, unless something else in the program has set another
// number of threads: it is set back then, which OpenBLAS allows only while no other thread calls it.
void prepare_blas();

}  // namespace holo
