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

/// Eight floats; Swift imports the type as SIMD8<Float>.
typedef float gscap_float8 __attribute__((ext_vector_type(8)));

/// Returns in each lane the smaller value; that of `b` if either is NaN. In C because Swift's comparisons and
/// replacements of vectors compile to several instructions, this to one.
static inline __attribute__((always_inline)) gscap_float8 gscap_smaller(gscap_float8 a, gscap_float8 b) {
#if defined(__AVX__)
    return __builtin_ia32_minps256(a, b);
#else
    return a < b ? a : b;
#endif
}

/// Returns in each lane the larger value; that of `b` if either is NaN. In C for the same reason as `gscap_smaller`.
static inline __attribute__((always_inline)) gscap_float8 gscap_larger(gscap_float8 a, gscap_float8 b) {
#if defined(__AVX__)
    return __builtin_ia32_maxps256(a, b);
#else
    return a > b ? a : b;
#endif
}

/// Returns in each lane that of `c` where `a` is smaller than `b`, otherwise that of `d`. In C for the same reason as
/// `gscap_smaller`.
static inline __attribute__((always_inline)) gscap_float8
gscap_where_smaller(gscap_float8 a, gscap_float8 b, gscap_float8 c, gscap_float8 d) {
    return a < b ? c : d;
}

/// Sixteen codes of 16 bits; Swift imports the type as SIMD16<UInt16>.
typedef unsigned short gscap_codes16 __attribute__((ext_vector_type(16)));

/// Returns in each lane the larger code. In C for the same reason as `gscap_smaller`.
static inline __attribute__((always_inline)) gscap_codes16 gscap_higher_codes(gscap_codes16 a, gscap_codes16 b) {
    return a > b ? a : b;
}

/// Returns in each lane the smaller code. In C for the same reason as `gscap_smaller`.
static inline __attribute__((always_inline)) gscap_codes16 gscap_lower_codes(gscap_codes16 a, gscap_codes16 b) {
    return a < b ? a : b;
}

/// Returns in each lane a − b, or 0 where b is larger. In C for the same reason as `gscap_smaller`.
static inline __attribute__((always_inline)) gscap_codes16 gscap_code_excess(gscap_codes16 a, gscap_codes16 b) {
    return __builtin_elementwise_sub_sat(a, b);
}
