// Another name of KernelsBaseline, for architectures whose kernels are compiled once. `Kernels` and the tests then need
// no conditions.

@_exported public import KernelsBaseline
