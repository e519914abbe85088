internal import GStreamer

/// Measures how fast the camera turns, from frame to frame of its preview.
///
/// The brightness of a picture, summed over its columns and over its rows, gives two profiles. The shift at which the
/// profiles of two frames agree best is the motion between them. Objects that move in a still scene change a part of
/// the profiles only, which leaves the best shift at zero.
struct CameraMotion: Sendable {
    /// The brightness of a picture along its two axes.
    struct Profile: Sendable {
        /// The sums of columns and rows.
        var columns: [Float]
        var rows: [Float]
    }

    /// The number of sums along each axis.
    private static let count = 128
    /// The largest shift that is measured, in sums.
    private static let reach = 24

    private var last: (profile: Profile, time: UInt64)?

    /// Returns the speed since the frame before, in widths or heights of the picture per second; nil for the first
    /// frame.
    mutating func speed(of profile: Profile, at time: UInt64) -> Double? {
        defer { last = (profile, time) }
        guard let last, time > last.time else { return nil }
        let right = Self.shift(from: last.profile.columns, to: profile.columns)
        let down = Self.shift(from: last.profile.rows, to: profile.rows)
        let distance = Double(max(abs(right), abs(down))) / Double(Self.count)
        return distance * 1e9 / Double(time - last.time)
    }

    /// Returns the shift, in sums, at which two profiles differ least.
    static func shift(from one: [Float], to other: [Float]) -> Int {
        let count = min(one.count, other.count)
        let reach = min(reach, count / 3)
        guard count > 0 else { return 0 }
        func difference(_ shift: Int) -> Float {
            let range = max(0, -shift)..<min(count, count - shift)
            var sum: Float = 0
            for index in range { sum += abs(one[index] - other[index + shift]) }
            return sum / Float(range.count)
        }
        var best = (shift: 0, difference: difference(0))
        for shift in 1...max(1, reach) {
            for candidate in [shift, -shift] {
                let value = difference(candidate)
                // Noise and small movements are no reason for a shift.
                if value < best.difference * 0.9 { best = (candidate, value) }
            }
        }
        return best.shift
    }
}

extension CameraMotion.Profile {
    /// The number of sums along each axis.
    private static let count = 128

    /// Sums the luma of a picture in I420; nil if the picture is too small.
    init?(_ buffer: borrowing Buffer, _ size: (width: Int, height: Int)) {
        let (width, height) = size
        let stride = (width + 3) & ~3
        let profile = buffer.withValues(of: UInt8.self) { bytes -> Self? in
            guard width >= Self.count, height >= Self.count, bytes.count >= stride * height else { return nil }
            var profile = Self(
                columns: [Float](repeating: 0, count: Self.count), rows: [Float](repeating: 0, count: Self.count))
            for row in 0..<Self.count {
                let line = (2 * row + 1) * height / (2 * Self.count) * stride
                for column in 0..<Self.count {
                    let value = Float(bytes[line + (2 * column + 1) * width / (2 * Self.count)])
                    profile.columns[column] += value
                    profile.rows[row] += value
                }
            }
            return profile
        }
        guard let profile else { return nil }
        self = profile
    }
}
