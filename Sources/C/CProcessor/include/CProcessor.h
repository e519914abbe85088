#pragma once
#include <stdbool.h>

/// Whether this processor runs code compiled for x86-64-v3. In C because Swift cannot ask the processor.
static inline bool gscap_processor_has_v3(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

/// Tells the processor that memory will be read soon. In C because Swift cannot.
static inline __attribute__((always_inline)) void gscap_expect(const void *memory) { __builtin_prefetch(memory); }
