// What makes rows of a picture easier to deflate: each number gives way to how far it is from one already told.

/// PNG's first filter: how far bytes are from those of the pixel before, `step` bytes back. Returns the sum of the sizes.
package func filterSub(
    _ row: UnsafePointer<UInt8>, step: Int, count: Int, into result: UnsafeMutablePointer<UInt8>
) -> Int {
    let first = step < count ? step : count
    for i in 0..<first { result[i] = row[i] }
    for i in first..<count { result[i] = row[i] &- row[i &- step] }
    return sumOfSizes(result, count: count)
}

/// PNG's second filter: how far bytes are from those above. Returns the sum of the sizes.
package func filterUp(
    _ row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>, count: Int, into result: UnsafeMutablePointer<UInt8>
) -> Int {
    for i in 0..<count { result[i] = row[i] &- above[i] }
    return sumOfSizes(result, count: count)
}

/// PNG's fourth filter: how far bytes are from that of the left, upper and upper left one that fits best (Paeth). Returns the
/// sum of the sizes.
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
    return sumOfSizes(result, count: count)
}

/// TIFF's predictor of bytes: how far each is from that `step` before.
package func differences(
    ofBytes row: UnsafePointer<UInt8>, step: Int, count: Int, into result: UnsafeMutablePointer<UInt8>
) {
    let first = step < count ? step : count
    for i in 0..<first { result[i] = row[i] }
    for i in first..<count { result[i] = row[i] &- row[i &- step] }
}

/// TIFF's predictor of words.
package func differences(
    ofWords row: UnsafePointer<UInt16>, step: Int, count: Int, into result: UnsafeMutablePointer<UInt16>
) {
    let first = step < count ? step : count
    for i in 0..<first { result[i] = row[i] }
    for i in first..<count { result[i] = row[i] &- row[i &- step] }
}

/// The high bytes of words, and behind them the low ones.
package func splitHighFirst(
    _ words: UnsafePointer<UInt16>, count: Int, into result: UnsafeMutablePointer<UInt8>
) {
    for i in 0..<count {
        result[i] = UInt8(truncatingIfNeeded: words[i] &>> 8)
        result[count &+ i] = UInt8(truncatingIfNeeded: words[i])
    }
}

/// The bytes at even places, behind them those at odd ones, each as its distance from the one before: OpenEXR's.
package func splitAndDiffer(
    _ words: UnsafePointer<UInt16>, count: Int, into result: UnsafeMutablePointer<UInt8>
) {
    guard count > 0 else { return }
    result[0] = UInt8(truncatingIfNeeded: words[0])
    for i in 1..<count {
        let (before, now) = (words[i &- 1], words[i])
        result[i] = UInt8(truncatingIfNeeded: now &- before) &+ 128
        result[count &+ i] = UInt8(truncatingIfNeeded: now &>> 8) &- UInt8(truncatingIfNeeded: before &>> 8) &+ 128
    }
    let seam = UInt8(truncatingIfNeeded: words[0] &>> 8) &- UInt8(truncatingIfNeeded: words[count &- 1])
    result[count] = seam &+ 128
}

/// One of three planes of pixels.
package func plane(
    _ place: Int, of pixels: UnsafePointer<UInt16>, count: Int, into result: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count { result[i] = pixels[i &* 3 &+ place] }
}

/// How far bytes are from 0 on a ring, added up.
@inline(__always)
private func sumOfSizes(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
    var total = 0
    var start = 0
    while start < count {
        // Blocks, so that 32 bits hold a sum.
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
