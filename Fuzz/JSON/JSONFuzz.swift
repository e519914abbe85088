// Fuzz target for JSON texts: Tools/checks/fuzz JSON SECONDS

internal import JSON

/// Entry point for libFuzzer: reads the bytes as a JSON text; what is written of its value must be read as the same.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let line = try? JSON(reading: bytes).line else { return 0 }
    precondition((try? JSON(reading: line))?.line == line)
    return 0
}
