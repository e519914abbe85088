#pragma once
#include <malloc.h>

/// Gives free memory of the C library's heap back to the system. Swift's Glibc module has no malloc.h.
static inline void gscap_return_free_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
