internal import CProcessor

/// Whether this process runs the wide-vector copy of the kernels. Decided once.
package let hasWideVectors = gscap_processor_has_v3()
