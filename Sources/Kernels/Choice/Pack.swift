internal import KernelsBaseline
internal import KernelsV3

/// Codes to a byte each.
package func packBytes(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    hasWideVectors ? KernelsV3.packBytes(source, target, count) : KernelsBaseline.packBytes(source, target, count)
}

/// Codes to little-endian 16-bit words at any address.
package func packLittle(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    hasWideVectors ? KernelsV3.packLittle(source, target, count) : KernelsBaseline.packLittle(source, target, count)
}

/// Codes to big-endian 16-bit words at any address.
package func packBig(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    hasWideVectors ? KernelsV3.packBig(source, target, count) : KernelsBaseline.packBig(source, target, count)
}

/// Codes to MIPI CSI-2 RAW10.
package func packMIPI10(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    hasWideVectors ? KernelsV3.packMIPI10(source, target, count) : KernelsBaseline.packMIPI10(source, target, count)
}

/// Codes to MIPI CSI-2 RAW12.
package func packMIPI12(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    hasWideVectors ? KernelsV3.packMIPI12(source, target, count) : KernelsBaseline.packMIPI12(source, target, count)
}

/// Codes to MIPI CSI-2 RAW14.
package func packMIPI14(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    hasWideVectors ? KernelsV3.packMIPI14(source, target, count) : KernelsBaseline.packMIPI14(source, target, count)
}
