internal import Glibc

/// The machine's cores.
package enum Processors {
    /// How many there are for us.
    package static let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
