// Kernels that filter rows before deflate: each number is replaced by its difference from a prediction.

/// Applies PNG's filter Sub: each byte less the one `step` bytes before. Returns the sum of the filtered bytes'
/// magnitudes as signed numbers.
package func filterSub(
    _ row: UnsafePointer<UInt8>, step: Int, count: Int, into result: UnsafeMutablePointer<UInt8>
) -> Int {
    let first = step < count ? step : count
    for i in 0..<first { result[i] = row[i] }
    for i in first..<count { result[i] = row[i] &- row[i &- step] }
    return sumOfMagnitudes(result, count: count)
}

/// Applies PNG's filter Up: each byte less the one above. Returns the sum of the filtered bytes' magnitudes as signed
/// numbers.
package func filterUp(
    _ row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>, count: Int, into result: UnsafeMutablePointer<UInt8>
) -> Int {
    for i in 0..<count { result[i] = row[i] &- above[i] }
    return sumOfMagnitudes(result, count: count)
}

/// Applies PNG's filter Paeth: each byte less the left, upper or upper left one closest to left + up − upper left.
/// Returns the sum of the filtered bytes' magnitudes as signed numbers.
package func filterPaeth(
    _ row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>, step: Int, count: Int,
    into result: UnsafeMutablePointer<UInt8>
) -> Int {
    let first = step < count ? step : count
    for i in 0..<first { result[i] = row[i] &- above[i] }
    for i in first..<count {
        let (left, up, corner) = (Int16(row[i &- step]), Int16(above[i]), Int16(above[i &- step]))
        let toLeft = up &- corner
        let toUp = left &- corner
        let toCorner = toLeft &+ toUp
        let (a, b, c) = (
            toLeft < 0 ? 0 &- toLeft : toLeft, toUp < 0 ? 0 &- toUp : toUp, toCorner < 0 ? 0 &- toCorner : toCorner
        )
        let nearer = b <= c ? up : corner
        let smaller = b <= c ? b : c
        let best = a <= smaller ? left : nearer
        result[i] = row[i] &- UInt8(truncatingIfNeeded: best)
    }
    return sumOfMagnitudes(result, count: count)
}

/// Applies TIFF's horizontal predictor (2) to bytes: each becomes its difference from the one `step` bytes before.
package func differences(
    ofBytes row: UnsafePointer<UInt8>, step: Int, count: Int, into result: UnsafeMutablePointer<UInt8>
) {
    let first = step < count ? step : count
    for i in 0..<first { result[i] = row[i] }
    for i in first..<count { result[i] = row[i] &- row[i &- step] }
}

/// Applies TIFF's horizontal predictor (2) to 16-bit words: each becomes its difference from the one `step` words
/// before.
package func differences(
    ofWords row: UnsafePointer<UInt16>, step: Int, count: Int, into result: UnsafeMutablePointer<UInt16>
) {
    let first = step < count ? step : count
    for i in 0..<first { result[i] = row[i] }
    for i in first..<count { result[i] = row[i] &- row[i &- step] }
}

/// Stores the high bytes of all words, then their low bytes, as TIFF's floating-point predictor (3) orders them.
package func splitBytePlanes(
    _ words: UnsafePointer<UInt16>, count: Int, into result: UnsafeMutablePointer<UInt8>
) {
    for i in 0..<count {
        result[i] = UInt8(truncatingIfNeeded: words[i] &>> 8)
        result[count &+ i] = UInt8(truncatingIfNeeded: words[i])
    }
}

/// Stores the low bytes of all words, then their high bytes, each byte as its difference from the one before plus 128:
/// the predictor of OpenEXR's ZIP compression.
package func predictEXRBytes(
    _ words: UnsafePointer<UInt16>, count: Int, into result: UnsafeMutablePointer<UInt8>
) {
    guard count > 0 else { return }
    result[0] = UInt8(truncatingIfNeeded: words[0])
    for i in 1..<count {
        let (before, current) = (words[i &- 1], words[i])
        result[i] = UInt8(truncatingIfNeeded: current &- before) &+ 128
        result[count &+ i] = UInt8(truncatingIfNeeded: current &>> 8) &- UInt8(truncatingIfNeeded: before &>> 8) &+ 128
    }
    let seam = UInt8(truncatingIfNeeded: words[0] &>> 8) &- UInt8(truncatingIfNeeded: words[count &- 1])
    result[count] = seam &+ 128
}

/// Copies one of the three colours (0, 1 or 2) of interleaved pixels to a plane.
package func plane(
    _ component: Int, of pixels: UnsafePointer<UInt16>, count: Int, into result: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count { result[i] = pixels[i &* 3 &+ component] }
}

/// Returns the sum of the absolute values of the bytes, read as signed numbers: the usual measure for choosing a PNG
/// filter.
@inline(__always)
private func sumOfMagnitudes(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
    var total = 0
    var start = 0
    while start < count {
        // Blocks short enough for a 32-bit sum, so that vector lanes stay narrow.
        let end = start &+ 65_536 < count ? start &+ 65_536 : count
        var sum: UInt32 = 0
        for i in start..<end {
            let byte = bytes[i]
            sum = sum &+ UInt32(byte < 128 ? byte : 0 &- byte)
        }
        total = total &+ Int(sum)
        start = end
    }
    return total
}
