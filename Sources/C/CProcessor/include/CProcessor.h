#pragma once
#include <stdbool.h>

/// Returns whether this processor can run the code of KernelsV3, compiled for x86-64-v3. In C because Swift has no CPU
/// feature detection.
static inline bool gscap_processor_has_v3(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

/// Prefetches the cache line at `memory` for reading. In C because Swift has no prefetch intrinsic.
static inline __attribute__((always_inline)) void gscap_expect(const void *memory) { __builtin_prefetch(memory); }
