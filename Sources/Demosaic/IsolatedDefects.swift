internal import Kernels
package import PixelMemory
package import RawImage

/// Detects isolated defective (hot or dead) pixels in a single frame: pixels that deviate from their neighbours while
/// the neighbours of every colour are unaffected.
///
/// Even the sharpest lens spreads the light of a star over adjacent pixels. A pixel is therefore defective only if it
/// deviates from its own colour far more than the adjacent pixels deviate from theirs, and by more than the local
/// contrast of any colour.
package struct IsolatedDefects: Sendable {
    /// Square of the minimum deviation of a defective pixel from its brightest or darkest neighbour of the same colour,
    /// in standard deviations.
    private static let minimumSquaredDeviation: Float = 36
    /// Minimum deviation of a defective pixel as a fraction of the range from black to white; smaller ones are
    /// invisible.
    private static let minimumFraction = 1.0 / 256
    /// Minimum ratio of a defective pixel's deviation to that of the adjacent pixels beyond noise. A star has a ratio
    /// of about 5: the pixels next to it deviate by a fifth of its deviation.
    private static let adjacentRatio: Float = 25
    /// Minimum ratio of a defective pixel's deviation to the contrast of any colour, beyond noise, in its 5×5
    /// neighbourhood.
    private static let contrastRatio: Float = 2
    /// The difference between the largest and the smallest of 8 to 24 samples that noise alone rarely exceeds, in
    /// standard deviations.
    private static let noiseRange: Float = 5

    /// The format of the mosaics.
    package let format: MosaicFormat
    /// The lowest black level of the four CFA positions, so that the noise is never underestimated.
    private let black: Float
    /// Noise variance in codes²: per code of signal (`shot`), and at black (`read`).
    private let shot: Float
    private let read: Float
    /// Minimum squared deviation of a defective pixel from a neighbour at black, in codes².
    private let minimumSquare: Float
    /// The lowest code that is treated as clipped: 1/64 of the range from black to white below the white level.
    private let clipped: Float
    /// Colour plane of each position in the CFA cell.
    private let planes: [Int]
    /// White balance gain of each colour plane.
    private let balance: SIMD3<Float>

    /// Computes the detection thresholds for mosaics with this format and metadata.
    package init(_ format: MosaicFormat, _ metadata: FrameMetadata) {
        self.format = format
        let noise = CodeNoise.mean(metadata)
        let levels = metadata.blackLevel
        let range = metadata.whiteLevel - levels.reduce(0, +) / Double(levels.count)
        black = Float(levels.min() ?? 0)
        shot = Float(noise.shot * range)
        read = Float(noise.read * range * range + 1.0 / 12)
        minimumSquare = max(
            Self.minimumSquaredDeviation * read, Float(Self.minimumFraction * Self.minimumFraction * range * range))
        clipped = Float(metadata.whiteLevel - range / 64)
        planes = format.pattern.planes
        balance = 1 / SIMD3<Float>(metadata.relativeSensitivity)
    }

    /// Returns the indices of the defective pixels in `codes`, ascending. Pixels within two rows or columns of the
    /// border are not examined.
    package func places(in codes: MemoryView<UInt16>, cores: Int?) -> [Int] {
        guard format.width >= 5, format.height >= 5 else { return [] }
        var found = [[Int]](repeating: [], count: format.height)
        found.withMutableView { found in
            // Each band writes only elements in the rows of that band.
            concurrentBands(rows: format.height - 4, of: 64, cores: cores) { band in
                var columns = [Int32](repeating: 0, count: format.width)
                for row in band { found[row + 2] = places(in: row + 2, codes, &columns) }
            }
        }
        return found.flatMap(\.self)
    }

    /// Replaces each pixel whose index is in `places` with the mean of its two neighbours of the same colour, left and
    /// right or above and below: the pair that differs less, so as to interpolate along edges. All codes are multiples
    /// of `unit`, and so are the replaced ones.
    package static func repair(_ codes: inout [UInt16], _ places: [Int], stride: Int, unit: Int = 1) {
        for index in places {
            let across = (Int(codes[index - 2]), Int(codes[index + 2]))
            let down = (Int(codes[index - 2 * stride]), Int(codes[index + 2 * stride]))
            let pair = abs(across.0 - across.1) <= abs(down.0 - down.1) ? across : down
            codes[index] = UInt16((pair.0 + pair.1 + unit) / (2 * unit) * unit)
        }
    }

    /// Returns the indices in `codes` of a row's defective pixels. `columns` is scratch memory for one row.
    private func places(in row: Int, _ codes: MemoryView<UInt16>, _ columns: inout [Int32]) -> [Int] {
        let here = codes + row * format.stride
        let (above, below) = (here - 2 * format.stride, here + 2 * format.stride)
        let found = unsafe findIsolatedDefects(
            above.pointer(format.width), here.pointer(format.width), below.pointer(format.width), format.width, black,
            Self.minimumSquaredDeviation * shot, minimumSquare, &columns)
        return columns[..<found].map { Int($0) }
            .filter { isOutlier(here + $0) && isIsolated(row, $0, codes) }
            .map { row * format.stride + $0 }
    }

    /// Returns whether a pixel is defective; it must be at least two rows and columns away from the border.
    package func contain(row: Int, column: Int, of codes: MemoryView<UInt16>) -> Bool {
        isOutlier(codes + row * format.stride + column) && isIsolated(row, column, codes)
    }

    /// Returns whether a pixel deviates from its own colour by more than noise, and by more than that colour's local
    /// contrast. Where the noise exceeds its profile, this test rejects most candidates quickly.
    private func isOutlier(_ pixel: MemoryView<UInt16>) -> Bool {
        var (lowest, highest) = (Int.max, Int.min)
        for down in stride(from: -2, through: 2, by: 2) {
            for across in stride(from: -2, through: 2, by: 2) where (down, across) != (0, 0) {
                let code = Int(pixel[down * format.stride + across])
                (lowest, highest) = (min(lowest, code), max(highest, code))
            }
        }
        let value = Int(pixel[0])
        let distance = Float(max(value - highest, lowest - value, 0))
        let signal = max(Float(value > highest ? highest : lowest) - black, 0)
        let noise = (max(Float(highest) - black, 0) * shot + read).squareRoot()
        return distance * distance > Self.minimumSquaredDeviation * shot * signal + minimumSquare
            && distance > Self.contrastRatio * (Float(highest - lowest) - Self.noiseRange * noise)
    }

    /// Returns whether the neighbours of every colour are unaffected by the pixel's deviation, and none of them is
    /// clipped, which would hide an effect.
    private func isIsolated(_ row: Int, _ column: Int, _ codes: MemoryView<UInt16>) -> Bool {
        var (same, near, around) = (Extremes(), Extremes(), Extremes())
        for down in -2...2 {
            for across in -2...2 where (down, across) != (0, 0) {
                let plane = planes[2 * ((row + down) & 1) + (column + across) & 1]
                let code = Float(codes[(row + down) * format.stride + column + across])
                if down & 1 == 0, across & 1 == 0 { same.add(code, plane) }
                if abs(down) + abs(across) == 1 { near.add(code, plane) } else { around.add(code, plane) }
            }
        }
        guard max(near.highest.max(), around.highest.max()) < clipped else { return false }
        let own = planes[2 * (row & 1) + column & 1]
        let value = Float(codes[row * format.stride + column])
        let isBright = value > same.highest[own]
        let distance = max(value - same.highest[own], same.lowest[own] - value) * balance[own]
        return (0..<3).allSatisfy { plane in
            let noise = (max(around.highest[plane] - black, 0) * shot + read).squareRoot()
            let contrast = around.highest[plane] - around.lowest[plane] - Self.noiseRange * noise
            let step =
                isBright
                ? near.highest[plane] - around.highest[plane] : around.lowest[plane] - near.lowest[plane]
            return distance > Self.contrastRatio * contrast * balance[plane]
                && distance > Self.adjacentRatio * (step - 2 * noise) * balance[plane]
        }
    }

    /// The lowest and highest code of each colour plane among the pixels added.
    private struct Extremes {
        var lowest = SIMD3<Float>(repeating: 1e9)
        var highest = SIMD3<Float>(repeating: -1e9)

        mutating func add(_ code: Float, _ plane: Int) {
            lowest[plane] = min(lowest[plane], code)
            highest[plane] = max(highest[plane], code)
        }
    }
}
