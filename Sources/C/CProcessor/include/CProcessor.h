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

/// Returns whether this processor can run the code of KernelsV4, compiled for x86-64-v4. Processors before Ice Lake and
/// Zen 4 lower their clock for it, but gain more than that costs: on Cascade Lake fusion takes .75 of the time.
static inline bool gscap_processor_has_v4(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return gscap_processor_has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
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

/// Four floats; Swift imports the type as SIMD4<Float>.
typedef float gscap_float4 __attribute__((ext_vector_type(4)));

/// Returns the reciprocals of the square roots. In C because Swift's square root calls a function for negative numbers,
/// so neither its loops nor its vectors become vector instructions.
static inline __attribute__((always_inline)) gscap_float4 gscap_reciprocal_roots(gscap_float4 numbers) {
    return 1.0f / __builtin_elementwise_sqrt(numbers);
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

/// Sixteen whole numbers, and sixteen floats; Swift imports the types as SIMD16<Int32> and SIMD16<Float>.
typedef int gscap_whole16 __attribute__((ext_vector_type(16)));
typedef float gscap_float16 __attribute__((ext_vector_type(16)));

/// Converts whole numbers to floats. In C because Swift converts vectors element by element.
static inline __attribute__((always_inline)) gscap_float16 gscap_floats(gscap_whole16 numbers) {
    return __builtin_convertvector(numbers, gscap_float16);
}

/// Returns a / b for b above 0: with AVX-512 to about 23 bits, otherwise exactly rounded. A b above 1e30 is treated as
/// 1e30, whose reciprocal is still a normal number. In C because Swift has no approximate reciprocal, which with one
/// step of Newton's method takes a third of the time of a division.
static inline __attribute__((always_inline)) gscap_float16 gscap_quotient(gscap_float16 a, gscap_float16 b) {
    b = b < 1e30f ? b : 1e30f;
#if defined(__AVX512F__)
    gscap_float16 guess = __builtin_ia32_rcp14ps512_mask(b, (gscap_float16)0.0f, (unsigned short)-1);
    return a * __builtin_elementwise_fma(guess, __builtin_elementwise_fma(-b, guess, (gscap_float16)1.0f), guess);
#else
    return a / b;
#endif
}

/// Sixteen numbers of 16 bits; Swift imports the type as SIMD16<Int16>.
typedef short gscap_short16 __attribute__((ext_vector_type(16)));

/// Returns the nearest whole numbers, limited to ±511. In C because Swift compiles limits and conversions of vectors to
/// many instructions.
static inline __attribute__((always_inline)) gscap_short16 gscap_limited(gscap_float16 numbers) {
    // Adding 1.5 · 2²³ leaves no mantissa bits for a fraction, so the low bits hold the rounded value. Compared as
    // integers, the bits of these floats have the order of the floats.
    const gscap_whole16 zero = (gscap_whole16)(gscap_float16)12582912.0f;
    gscap_whole16 bits = (gscap_whole16)(numbers + 12582912.0f);
    bits = __builtin_elementwise_min(__builtin_elementwise_max(bits, zero - 511), zero + 511);
    return __builtin_convertvector(bits, gscap_short16);
}

/// Eight whole numbers; Swift imports the type as SIMD8<Int32>.
typedef int gscap_whole8 __attribute__((ext_vector_type(8)));

/// Returns the sums of the products of each two neighbouring numbers. In C because the C compiler needs one
/// instruction for it, and Swift many.
static inline __attribute__((always_inline)) gscap_whole8 gscap_products(gscap_short16 a, gscap_short16 b) {
    gscap_whole16 products = __builtin_convertvector(a, gscap_whole16) * __builtin_convertvector(b, gscap_whole16);
    return products.even + products.odd;
}

/// Sixteen floats at an address of any alignment.
typedef float gscap_row16 __attribute__((ext_vector_type(16), aligned(4)));

/// Transposes 16×16 floats: blocks of 4×4 within the quarters of the rows, then these blocks. In C because Swift's
/// shuffles of vectors, element by element, compile to many instructions, each of these to one.
static inline __attribute__((always_inline)) void gscap_transpose(const float *from, float *to) {
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define EVEN_QUARTERS(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
#define ODD_QUARTERS(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
    const gscap_row16 *source = (const gscap_row16 *)from;
    gscap_row16 *target = (gscap_row16 *)to, turned[16];
#pragma clang loop unroll(full)
    for (int row = 0; row < 16; row += 4) {
        gscap_row16 a = source[row], b = source[row + 1], c = source[row + 2], d = source[row + 3];
        gscap_row16 low = ZIP_LOW(a, c), high = ZIP_HIGH(a, c), otherLow = ZIP_LOW(b, d), otherHigh = ZIP_HIGH(b, d);
        turned[row] = ZIP_LOW(low, otherLow), turned[row + 1] = ZIP_HIGH(low, otherLow);
        turned[row + 2] = ZIP_LOW(high, otherHigh), turned[row + 3] = ZIP_HIGH(high, otherHigh);
    }
#pragma clang loop unroll(full)
    for (int row = 0; row < 4; row++) {
        gscap_row16 a = turned[row], b = turned[row + 4], c = turned[row + 8], d = turned[row + 12];
        gscap_row16 even = EVEN_QUARTERS(a, b), otherEven = EVEN_QUARTERS(c, d);
        gscap_row16 odd = ODD_QUARTERS(a, b), otherOdd = ODD_QUARTERS(c, d);
        target[row] = EVEN_QUARTERS(even, otherEven), target[row + 4] = EVEN_QUARTERS(odd, otherOdd);
        target[row + 8] = ODD_QUARTERS(even, otherEven), target[row + 12] = ODD_QUARTERS(odd, otherOdd);
    }
#undef ZIP_LOW
#undef ZIP_HIGH
#undef EVEN_QUARTERS
#undef ODD_QUARTERS
}
