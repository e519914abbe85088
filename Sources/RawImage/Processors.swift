internal import Glibc

/// The processor cores of this machine.
package enum Processors {
    /// Number of online cores, at least 1.
    package static let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
