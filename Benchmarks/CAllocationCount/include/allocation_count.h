#pragma once
#include <malloc.h>
#include <stddef.h>

/// The number of allocations by all threads since the start, and of those of 64 KiB or more.
struct gscap_allocation_count {
    size_t calls;
    size_t large_calls;
};

/// Returns the current counts. This is C because it replaces malloc, which runs before the Swift runtime starts.
struct gscap_allocation_count gscap_allocations(void);
