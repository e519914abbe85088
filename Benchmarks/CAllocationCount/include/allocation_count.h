#pragma once
#include <malloc.h>
#include <stddef.h>

/// How often memory was asked for since the start, all threads together, and how often for 64 KiB or more.
struct gscap_allocation_count {
    size_t calls;
    size_t large_calls;
};

/// The counts so far. Counting needs C: it stands in for malloc itself, which runs before any Swift.
struct gscap_allocation_count gscap_allocations(void);
