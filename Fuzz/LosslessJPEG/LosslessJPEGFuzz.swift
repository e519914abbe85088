// Fuzz target for the lossless JPEG codec: Tools/checks/fuzz LosslessJPEG SECONDS

internal import LosslessJPEG

/// Entry point for libFuzzer: decodes the bytes as a JPEG, and encodes them as samples. The codec must neither trap nor
/// access memory out of bounds, whatever the bytes.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    if let (frame, samples) = decoded(bytes) { checkRoundTrip(frame, samples) }
    if let (frame, samples) = sampled(bytes) { checkRoundTrip(frame, samples) }
    return 0
}

/// Decodes the bytes as a JPEG; nil if they are invalid or have more than 65,536 samples.
private func decoded(_ bytes: [UInt8]) -> (LosslessJPEGFrame, [UInt16])? {
    guard let frame = try? LosslessJPEGDecoder.frame(of: bytes.span), frame.sampleCount <= 1 << 16 else { return nil }
    var samples = [UInt16](repeating: 0, count: frame.sampleCount)
    var span = samples.mutableSpan
    var decoder = LosslessJPEGDecoder()
    guard let read = try? decoder.decode(bytes.span, into: &span) else { return nil }
    precondition(read == frame)
    return (frame, samples)
}

/// Interprets the bytes as samples of a small picture; the first four bytes set components, width, precision and
/// predictor.
private func sampled(_ bytes: [UInt8]) -> (LosslessJPEGFrame, [UInt16])? {
    guard bytes.count > 4 else { return nil }
    let components = Int(bytes[0] % 4) + 1
    let (width, count) = (Int(bytes[1] % 32) + 1, (bytes.count - 4) / 2)
    let height = count / (width * components)
    let frame = LosslessJPEGFrame(
        width: width, height: height, components: components, precision: Int(bytes[2] % 15) + 2,
        predictor: Int(bytes[3] % 7) + 1)
    guard height > 0 else { return nil }
    return (frame, (0..<frame.sampleCount).map { UInt16(bytes[4 + 2 * $0]) << 8 | UInt16(bytes[5 + 2 * $0]) })
}

/// Checks that samples within the precision survive encoding and decoding, and that others are rejected.
private func checkRoundTrip(_ frame: LosslessJPEGFrame, _ samples: [UInt16]) {
    guard var encoder = try? LosslessJPEGEncoder(frame) else { preconditionFailure("a valid frame is rejected") }
    let top = UInt16.max >> UInt16(16 - frame.precision)
    var bytes: [UInt8] = []
    let isEncoded = (try? encoder.encode(samples.span, stride: frame.samplesInRow, into: &bytes)) != nil
    precondition(isEncoded == samples.allSatisfy { $0 <= top })
    guard isEncoded, let (frameRead, samplesRead) = decoded(bytes) else {
        precondition(!isEncoded || samples.count > 1 << 16)
        return
    }
    precondition(frameRead == frame && samplesRead == samples)
}
