internal import KernelsBaseline
internal import KernelsV3

/// Bytes to codes. Gives the bits that were seen set in any code.
package func unpackBytes(_ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt16>, _ count: Int) -> UInt16
{
    hasWideVectors ? KernelsV3.unpackBytes(source, target, count) : KernelsBaseline.unpackBytes(source, target, count)
}

/// Little-endian words to codes. Gives the bits that were seen set in any code.
package func unpackLittle(_ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<UInt16>, _ count: Int) -> UInt16 {
    hasWideVectors ? KernelsV3.unpackLittle(source, target, count) : KernelsBaseline.unpackLittle(source, target, count)
}

/// Big-endian words to codes. Gives the bits that were seen set in any code.
package func unpackBig(_ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<UInt16>, _ count: Int) -> UInt16 {
    hasWideVectors ? KernelsV3.unpackBig(source, target, count) : KernelsBaseline.unpackBig(source, target, count)
}

/// MIPI CSI-2 RAW10 to codes. Gives the bits that were seen set in any code.
package func unpackMIPI10(_ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt16>, _ count: Int)
    -> UInt16
{
    hasWideVectors ? KernelsV3.unpackMIPI10(source, target, count) : KernelsBaseline.unpackMIPI10(source, target, count)
}

/// MIPI CSI-2 RAW12 to codes. Gives the bits that were seen set in any code.
package func unpackMIPI12(_ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt16>, _ count: Int)
    -> UInt16
{
    hasWideVectors ? KernelsV3.unpackMIPI12(source, target, count) : KernelsBaseline.unpackMIPI12(source, target, count)
}

/// MIPI CSI-2 RAW14 to codes. Gives the bits that were seen set in any code.
package func unpackMIPI14(_ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt16>, _ count: Int)
    -> UInt16
{
    hasWideVectors ? KernelsV3.unpackMIPI14(source, target, count) : KernelsBaseline.unpackMIPI14(source, target, count)
}
