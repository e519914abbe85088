internal import Kernels
package import PixelMemory
package import RawImage

/// Detects isolated defective (hot or dead) pixels in a single frame, or in the mean of several that show the scene at
/// the same pixels: pixels that deviate from their neighbours while those of every colour are unaffected.
///
/// Even the sharpest lens spreads the light of a star over adjacent pixels. A pixel is therefore defective only if it
/// deviates from its own colour far more than the adjacent pixels deviate from theirs, by more than the local contrast
/// of any colour, and if the adjacent pixels are darker than the sharpest light makes them.
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
    /// The least share of the light of a white point in a pixel's middle that falls on each adjacent pixel: a spread
    /// with a standard deviation of half a pixel has 0.135.
    private static let sharpestSpread: Float = 0.13
    /// How much darker than those of the sharpest light a defect's adjacent pixels are: in standard deviations of the
    /// weighted mean of the four, or at least as a fraction. A light taken for a defect is worse than a defect that
    /// remains.
    private static let (darkness, darkFraction): (Float, Float) = (1, 0.3)
    /// The factor by which the variance of an adjacent pixel's deviation exceeds that of its noise: the mean of its
    /// colour is noisy as well.
    private static let meanNoise: Float = 1.5
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
    /// Minimum squared deviation of a defective pixel in codes²; smaller ones are invisible.
    private let visibleSquare: Float
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
        visibleSquare = Float(Self.minimumFraction * Self.minimumFraction * range * range)
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
            Self.minimumSquaredDeviation * shot, max(Self.minimumSquaredDeviation * read, visibleSquare), &columns)
        let frames = [StillFrame(codes, gain: 1)]
        return columns[..<found].map { Int($0) }
            .filter { kind(row: row, column: $0, of: frames) != nil }
            .map { row * format.stride + $0 }
    }

    /// The direction in which a defective pixel deviates.
    package enum Kind: Sendable { case bright, dark }

    /// A frame whose pixels show the scene that those of the first frame show; `gain` scales its signals to the first
    /// frame's.
    package struct StillFrame: Sendable {
        fileprivate let codes: MemoryView<UInt16>
        fileprivate let gain: Float

        package init(_ codes: MemoryView<UInt16>, gain: Float) { (self.codes, self.gain) = (codes, gain) }
    }

    /// Returns whether a pixel is too bright or too dark in the mean of frames with similar noise; nil if it is not
    /// defective. It must be at least two rows and columns away from the border.
    ///
    /// Contrast is tolerated as noise of one frame, not of the mean: the texture that the mean shows more clearly does
    /// not make a defect less certain.
    package func kind(row: Int, column: Int, of frames: [StillFrame]) -> Kind? {
        let site = Site(row, column, frames, format.stride, black: black)
        let one = MeanNoise(shot: shot, read: read, black: black)
        let mean = MeanNoise(shot: shot / Float(frames.count), read: read / Float(frames.count), black: black)
        guard isOutlier(site, mean, texture: one), isIsolated(site, mean, texture: one) else { return nil }
        return site[0, 0] > site[0, 2] ? .bright : .dark
    }

    /// Returns whether a pixel deviates from its own colour by more than noise, and by more than that colour's local
    /// contrast beyond the noise `texture`. Where the noise exceeds its profile, this test rejects most candidates
    /// quickly.
    private func isOutlier(_ site: Site, _ noise: MeanNoise, texture: MeanNoise) -> Bool {
        var (lowest, highest) = (Float.infinity, -Float.infinity)
        for down in stride(from: -2, through: 2, by: 2) {
            for across in stride(from: -2, through: 2, by: 2) where (down, across) != (0, 0) {
                let code = site[down, across]
                (lowest, highest) = (min(lowest, code), max(highest, code))
            }
        }
        let value = site[0, 0]
        let distance = max(value - highest, lowest - value, 0)
        let least = noise.variance(value > highest ? highest : lowest) - noise.read
        return distance * distance
            > Self.minimumSquaredDeviation * least
            + max(Self.minimumSquaredDeviation * noise.read, visibleSquare)
            && distance > Self.contrastRatio * (highest - lowest - Self.noiseRange * texture.deviation(highest))
    }

    /// Returns whether the neighbours of every colour are unaffected by the pixel's deviation, and none of them is
    /// clipped, which would hide an effect. Their contrast counts beyond the noise `texture`.
    private func isIsolated(_ site: Site, _ noise: MeanNoise, texture: MeanNoise) -> Bool {
        var (same, near, around) = (Extremes(), Extremes(), Extremes())
        var (sums, counts) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
        for down in -2...2 {
            for across in -2...2 where (down, across) != (0, 0) {
                let plane = plane(site, down, across)
                let code = site[down, across]
                if down & 1 == 0, across & 1 == 0 { same.add(code, plane) }
                if abs(down) + abs(across) == 1 {
                    near.add(code, plane)
                } else {
                    around.add(code, plane)
                    sums[plane] += code
                    counts[plane] += 1
                }
            }
        }
        guard max(near.highest.max(), around.highest.max()) < clipped else { return false }
        let own = plane(site, 0, 0)
        let value = site[0, 0]
        let isBright = value > same.highest[own]
        let distance = max(value - same.highest[own], same.lowest[own] - value) * balance[own]
        let isUnaffected = (0..<3).allSatisfy { plane in
            let noise = noise.deviation(around.highest[plane])
            let noiseContrast = Self.noiseRange * texture.deviation(around.highest[plane])
            let contrast = around.highest[plane] - around.lowest[plane] - noiseContrast
            let step =
                isBright
                ? near.highest[plane] - around.highest[plane] : around.lowest[plane] - near.lowest[plane]
            return distance > Self.contrastRatio * contrast * balance[plane]
                && distance > Self.adjacentRatio * (step - 2 * noise) * balance[plane]
        }
        return isUnaffected && !isSpread(site, noise, means: sums / pointwiseMax(counts, .one))
    }

    /// Returns whether the four adjacent pixels may have light of a point in the middle: their deviations from the
    /// means of their colours are correlated with those that the sharpest lens causes.
    private func isSpread(_ site: Site, _ noise: MeanNoise, means: SIMD3<Float>) -> Bool {
        let own = plane(site, 0, 0)
        let height = (site[0, 0] - means[own]) * balance[own]
        var (product, square, variance) = (Float(0), Float(0), Float(0))
        for (down, across) in [(-1, 0), (0, -1), (0, 1), (1, 0)] {
            let plane = plane(site, down, across)
            let expected = Self.sharpestSpread * height / balance[plane]
            product += expected * (site[down, across] - means[plane])
            square += expected * expected
            variance += expected * expected * Self.meanNoise * noise.variance(means[plane])
        }
        return product > square - max(Self.darkFraction * square, Self.darkness * variance.squareRoot())
    }

    /// Returns the colour plane of a pixel near a site.
    private func plane(_ site: Site, _ down: Int, _ across: Int) -> Int {
        planes[2 * ((site.row + down) & 1) + (site.column + across) & 1]
    }

    /// The mean codes of frames in the 5×5 pixels around a pixel.
    private struct Site {
        let row: Int
        let column: Int
        private var codes = InlineArray<25, Float>(repeating: 0)

        init(_ row: Int, _ column: Int, _ frames: [StillFrame], _ stride: Int, black: Float) {
            (self.row, self.column) = (row, column)
            for frame in frames {
                let first = (row - 2) * stride + column - 2
                let share = frame.gain / Float(frames.count)
                for index in 0..<25 {
                    codes[index] += (Float(frame.codes[first + index / 5 * stride + index % 5]) - black) * share
                }
            }
            for index in 0..<25 { codes[index] += black }
        }

        subscript(_ down: Int, _ across: Int) -> Float { codes[5 * down + across + 12] }
    }

    /// The noise of a mean of frames in codes²: per code of signal, and at black.
    private struct MeanNoise {
        let shot: Float
        let read: Float
        let black: Float

        func variance(_ code: Float) -> Float { max(code - black, 0) * shot + read }

        func deviation(_ code: Float) -> Float { variance(code).squareRoot() }
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
