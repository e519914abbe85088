internal import Fusion
internal import Kernels
internal import RawImage

/// Pixels of a single frame that tell nothing of the scene: one shines, or is dark, and what is next to it knows nothing of that.
///
/// Light always spreads: a star's reaches the pixels next to its own, however sharp the lens. So a pixel is taken for
/// broken only if it stands out of its own colour by far more than those next to it stand out of theirs, and by more than
/// any colour changes around it.
enum LonePixels {
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

    /// The mosaic with what its neighbours say in place of such pixels; nil when there are none.
    static func repaired(_ mosaic: RawMosaic, cores: Int?) -> [UInt16]? {
        let format = mosaic.format
        guard format.width >= 5, format.height >= 5 else { return nil }
        let judge = Judge(mosaic)
        var found = [[Int]](repeating: [], count: format.height)
        unsafe mosaic.codes.withUnsafeBufferPointer { codes in
            unsafe found.withUnsafeMutableBufferPointer { found in
                // All stay in place until the last band is done, and each band writes to rows of its own.
                nonisolated(unsafe) let (source, target) = (codes.baseAddress, found.baseAddress)
                concurrentBands(rows: format.height - 4, of: 64, cores: cores) { band in
                    guard let source = unsafe source, let target = unsafe target else { return }
                    var marks = [UInt8](repeating: 0, count: format.width)
                    for row in band { unsafe target[row + 2] = unsafe judge.places(in: row + 2, source, &marks) }
                }
            }
        }
        let places = found.flatMap(\.self)
        guard !places.isEmpty else { return nil }
        var codes = mosaic.codes.array
        for place in places { repair(&codes, place, format.stride) }
        return codes
    }

    /// Puts the mean of two neighbours of its colour in a pixel's place: along an edge rather than over it.
    private static func repair(_ codes: inout [UInt16], _ place: Int, _ stride: Int) {
        let across = (Int(codes[place - 2]), Int(codes[place + 2]))
        let down = (Int(codes[place - 2 * stride]), Int(codes[place + 2 * stride]))
        let pair = abs(across.0 - across.1) <= abs(down.0 - down.1) ? across : down
        codes[place] = UInt16((pair.0 + pair.1 + 1) / 2)
    }

    /// What tells broken pixels from the scene, for one mosaic.
    private struct Judge: Sendable {
        let format: MosaicFormat
        /// The lowest black of a place, so that no threshold is too low.
        let black: Float
        /// Variance in codes: for each code of signal, and without any.
        let shot: Float
        let read: Float
        /// The least square by which a pixel stands out without any signal.
        let least: Float
        /// The colour of each place of the cell, and what makes codes of each colour alike for a grey scene.
        let planes: [Int]
        let balance: SIMD3<Float>

        init(_ mosaic: RawMosaic) {
            let metadata = mosaic.metadata
            format = mosaic.format
            let noise = CodeNoise.mean(metadata)
            let levels = metadata.blackLevel
            let range = metadata.whiteLevel - levels.reduce(0, +) / Double(levels.count)
            black = Float(levels.min() ?? 0)
            shot = Float(noise.shot * range)
            read = Float(noise.read * range * range + 1.0 / 12)
            least = max(distinction * read, Float(leastShare * leastShare * range * range))
            planes = mosaic.format.pattern.planes
            balance = 1 / SIMD3<Float>(metadata.relativeSensitivity)
        }

        /// Where in the codes a row's broken pixels are.
        func places(in row: Int, _ codes: UnsafePointer<UInt16>, _ marks: inout [UInt8]) -> [Int] {
            let here = unsafe codes + row * format.stride
            let found = unsafe marks.withUnsafeMutableBufferPointer { marks in
                guard let marks = marks.baseAddress else { return 0 }
                return unsafe markOutliers(
                    here - 2 * format.stride, here, here + 2 * format.stride, format.width, black,
                    distinction * shot, least, marks)
            }
            guard found > 0 else { return [] }
            return marks.indices.filter { marks[$0] == 1 }.filter { unsafe isAlone(row, $0, codes) }
                .map { row * format.stride + $0 }
        }

        /// Whether what is around knows nothing of how the pixel stands out.
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
            let own = planes[2 * (row & 1) + column & 1]
            let value = unsafe Float(codes[row * format.stride + column])
            let isBright = value > same.highest[own]
            let distance = max(value - same.highest[own], same.lowest[own] - value) * balance[own]
            return (0..<3).allSatisfy { plane in
                let noise = (max(around.highest[plane] - black, 0) * shot + read).squareRoot()
                let change = around.highest[plane] - around.lowest[plane] - spread * noise
                let step =
                    isBright
                    ? near.highest[plane] - around.highest[plane] : around.lowest[plane] - near.lowest[plane]
                return distance > steadiness * change * balance[plane]
                    && distance > loneliness * (step - 2 * noise) * balance[plane]
            }
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
