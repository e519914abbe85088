internal import Kernels
package import RawImage

/// Pixels of a single frame that tell nothing of the scene: one shines, or is dark, and what is next to it knows nothing of that.
///
/// Light always spreads: a star's reaches the pixels next to its own, however sharp the lens. So a pixel is taken for
/// broken only if it stands out of its own colour by far more than those next to it stand out of theirs, and by more than
/// any colour changes around it.
package struct LonePixels: Sendable {
    /// Square of how many standard deviations a pixel stands out of its colour's brightest or darkest neighbour.
    private static let distinction: Float = 36
    /// The share of the range that it stands out by at least: less is seen by nobody.
    private static let leastShare = 1.0 / 256
    /// How much more it stands out than those next to it, beyond noise. Those a star's light falls on stand out by a fifth.
    private static let loneliness: Float = 25
    /// How much more it stands out than any colour changes around it, beyond noise.
    private static let steadiness: Float = 2
    /// The standard deviations by which some numbers of noise may lie apart.
    private static let spread: Float = 5

    private let format: MosaicFormat
    /// The lowest black of a place, so that no threshold is too low.
    private let black: Float
    /// Variance in codes: for each code of signal, and without any.
    private let shot: Float
    private let read: Float
    /// The least square by which a pixel stands out without any signal.
    private let least: Float
    /// What codes from here on hide: how much lighter it is.
    private let clipped: Float
    /// The colour of each place of the cell, and what makes codes of each colour alike for a grey scene.
    private let planes: [Int]
    private let balance: SIMD3<Float>

    /// What tells broken pixels from the scene, in mosaics of some kind.
    package init(_ format: MosaicFormat, _ metadata: FrameMetadata) {
        self.format = format
        let noise = CodeNoise.mean(metadata)
        let levels = metadata.blackLevel
        let range = metadata.whiteLevel - levels.reduce(0, +) / Double(levels.count)
        black = Float(levels.min() ?? 0)
        shot = Float(noise.shot * range)
        read = Float(noise.read * range * range + 1.0 / 12)
        least = max(Self.distinction * read, Float(Self.leastShare * Self.leastShare * range * range))
        clipped = Float(metadata.whiteLevel - range / 64)
        planes = format.pattern.planes
        balance = 1 / SIMD3<Float>(metadata.relativeSensitivity)
    }

    /// Where in a mosaic's codes such pixels are, ascending.
    package func places(in codes: UnsafePointer<UInt16>, cores: Int?) -> [Int] {
        guard format.width >= 5, format.height >= 5 else { return [] }
        var found = [[Int]](repeating: [], count: format.height)
        unsafe found.withUnsafeMutableBufferPointer { found in
            // All stay in place until the last band is done, and each band writes to rows of its own.
            nonisolated(unsafe) let (source, target) = unsafe (codes, found.baseAddress)
            concurrentBands(rows: format.height - 4, of: 64, cores: cores) { band in
                guard let target = unsafe target else { return }
                var columns = [Int32](repeating: 0, count: format.width)
                for row in band { unsafe target[row + 2] = unsafe places(in: row + 2, source, &columns) }
            }
        }
        return found.flatMap(\.self)
    }

    /// Puts the mean of two neighbours of its colour in the place of each pixel: along an edge rather than over it.
    package static func repair(_ codes: inout [UInt16], _ places: [Int], stride: Int) {
        for place in places {
            let across = (Int(codes[place - 2]), Int(codes[place + 2]))
            let down = (Int(codes[place - 2 * stride]), Int(codes[place + 2 * stride]))
            let pair = abs(across.0 - across.1) <= abs(down.0 - down.1) ? across : down
            codes[place] = UInt16((pair.0 + pair.1 + 1) / 2)
        }
    }

    /// Where in the codes a row's broken pixels are.
    private func places(in row: Int, _ codes: UnsafePointer<UInt16>, _ columns: inout [Int32]) -> [Int] {
        let here = unsafe codes + row * format.stride
        let found = unsafe columns.withUnsafeMutableBufferPointer { columns in
            guard let columns = columns.baseAddress else { return 0 }
            return unsafe findOutliers(
                here - 2 * format.stride, here, here + 2 * format.stride, format.width, black,
                Self.distinction * shot, least, columns)
        }
        return columns[..<found].map { Int($0) }
            .filter { unsafe isSteady(here + $0) && isAlone(row, $0, codes) }
            .map { row * format.stride + $0 }
    }

    /// Whether a pixel, two rows and columns at least from the border, is one.
    package func contain(row: Int, column: Int, of codes: UnsafePointer<UInt16>) -> Bool {
        unsafe isSteady(codes + row * format.stride + column) && isAlone(row, column, codes)
    }

    /// Whether a pixel stands out far, and by more than its own colour changes around it. Where noise is
    /// stronger than the profile has it most marked ones do not, and that is soon said.
    private func isSteady(_ pixel: UnsafePointer<UInt16>) -> Bool {
        var (lowest, highest) = (Int.max, Int.min)
        for down in stride(from: -2, through: 2, by: 2) {
            for across in stride(from: -2, through: 2, by: 2) where (down, across) != (0, 0) {
                let code = unsafe Int(pixel[down * format.stride + across])
                (lowest, highest) = (min(lowest, code), max(highest, code))
            }
        }
        let value = unsafe Int(pixel[0])
        let distance = Float(max(value - highest, lowest - value, 0))
        let signal = max(Float(value > highest ? highest : lowest) - black, 0)
        let noise = (max(Float(highest) - black, 0) * shot + read).squareRoot()
        return distance * distance > Self.distinction * shot * signal + least
            && distance > Self.steadiness * (Float(highest - lowest) - Self.spread * noise)
    }

    /// Whether what is around knows nothing of how the pixel stands out, and would know.
    private func isAlone(_ row: Int, _ column: Int, _ codes: UnsafePointer<UInt16>) -> Bool {
        var (same, near, around) = (Extremes(), Extremes(), Extremes())
        for down in -2...2 {
            for across in -2...2 where (down, across) != (0, 0) {
                let plane = planes[2 * ((row + down) & 1) + (column + across) & 1]
                let code = unsafe Float(codes[(row + down) * format.stride + column + across])
                if down & 1 == 0, across & 1 == 0 { same.add(code, plane) }
                if abs(down) + abs(across) == 1 { near.add(code, plane) } else { around.add(code, plane) }
            }
        }
        guard max(near.highest.max(), around.highest.max()) < clipped else { return false }
        let own = planes[2 * (row & 1) + column & 1]
        let value = unsafe Float(codes[row * format.stride + column])
        let isBright = value > same.highest[own]
        let distance = max(value - same.highest[own], same.lowest[own] - value) * balance[own]
        return (0..<3).allSatisfy { plane in
            let noise = (max(around.highest[plane] - black, 0) * shot + read).squareRoot()
            let change = around.highest[plane] - around.lowest[plane] - Self.spread * noise
            let step =
                isBright
                ? near.highest[plane] - around.highest[plane] : around.lowest[plane] - near.lowest[plane]
            return distance > Self.steadiness * change * balance[plane]
                && distance > Self.loneliness * (step - 2 * noise) * balance[plane]
        }
    }

    /// The lowest and the highest codes of each colour.
    private struct Extremes {
        var lowest = SIMD3<Float>(repeating: 1e9)
        var highest = SIMD3<Float>(repeating: -1e9)

        mutating func add(_ code: Float, _ plane: Int) {
            lowest[plane] = min(lowest[plane], code)
            highest[plane] = max(highest[plane], code)
        }
    }
}
