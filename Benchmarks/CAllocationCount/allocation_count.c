#include "allocation_count.h"
#include <errno.h>
#include <stdatomic.h>

// The allocator of glibc, under the names that glibc exports for replacements such as these.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_size_t calls, large_calls;

static void count(size_t size) {
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    if (size >= 65536) atomic_fetch_add_explicit(&large_calls, 1, memory_order_relaxed);
}

struct gscap_allocation_count gscap_allocations(void) {
    return (struct gscap_allocation_count){atomic_load(&calls), atomic_load(&large_calls)};
}

void *malloc(size_t size) {
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    size_t whole;
    count(__builtin_mul_overflow(number, size, &whole) ? 0 : whole);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count(size);
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *allocated = memalign(alignment, size);
    if (!allocated) return ENOMEM;
    *memory = allocated;
    return 0;
}
