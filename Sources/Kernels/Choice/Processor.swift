internal import CProcessor

/// Whether this process runs KernelsV3, the copy of the kernels compiled for AVX2, rather than KernelsBaseline, except
/// for kernels that KernelsV4 has too; set at first use.
package let hasWideVectors = gscap_processor_has_v3()

/// Whether this process runs KernelsV4, the copy of some kernels compiled for AVX-512; set at first use.
package let hasWidestVectors = gscap_processor_has_v4()
