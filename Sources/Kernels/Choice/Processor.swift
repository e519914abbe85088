internal import CProcessor

/// Whether this process runs KernelsV3, the copy of the kernels compiled for AVX2, rather than KernelsBaseline; set at
/// first use.
package let hasWideVectors = gscap_processor_has_v3()
