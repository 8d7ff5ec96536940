#pragma once
// What has to be done before the BLAS or LAPACK is called.

namespace holo {

// One thread: more would change the results' last bits, and gain nothing at our sizes. Takes OpenBLAS's work area, which every
// call shares: later OpenBLAS would wait for ever where it cannot have it. Throws Error(environment) where the limit on the
// address space leaves no room.
void prepare_blas();

}  // namespace holo
