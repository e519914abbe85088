package import PixelMemory
package import RawImage

/// The noise of a picture, estimated from what its flattest tiles vary.
///
/// The tiles are grouped by brightness. In each group those are taken that vary least at one green position, and the
/// median variance at the *other* positions is the measurement: noise is independent there, so that to choose tiles
/// does not favour those whose noise is low by chance, while texture of the scene shows at all positions. A line
/// through the measurements is the noise profile.
package struct NoiseEstimate: Sendable {
    /// The estimated profiles of the red, green and blue planes.
    package let profiles: [NoiseProfile]
    /// The measurements to which the profiles were fitted.
    private let measurements: [Measurement]
    /// The number of codes from black to white.
    private let range: Double

    /// The median variance of one position's flattest tiles in a group of equal brightness, relative to white.
    private struct Measurement {
        var plane: Int
        var signal: Double
        var variance: Double
        /// The number of tiles.
        var count: Double
        /// Whether the tiles differ no more than noise explains: they show nothing of the scene.
        var isNoise: Bool
    }

    /// The most groups of brightness, and the fewest tiles in one.
    private static let (mostGroups, leastTiles) = (16, 8)
    /// The fraction of a group's tiles that is measured.
    private static let flatShare = 0.07
    /// The fewest tiles for an estimate, and the fewest measured at all positions for a verdict on a profile.
    private static let (leastTilesOfAll, leastEvidence) = (16, 256.0)
    /// The variance that rounding to whole codes adds, and the least variance beside which noise can be measured.
    private static let (rounding, leastVariance) = (1.0 / 12, 0.2)
    /// The ratio of the interquartile range of the tiles' variances to that of noise up to which they count as noise.
    private static let mostSpread = 2.2

    /// Estimates the noise from the samples of a frame, or of several that have the same noise; nil if they are too few
    /// or show no noise. `metadata` has the levels of their codes.
    package init?(_ samples: [NoiseSamples], _ pattern: BayerPattern, _ metadata: FrameMetadata) {
        range = metadata.whiteLevel - metadata.blackLevel.reduce(0, +) / 4
        let planes = pattern.planes
        let greens = planes.indices.filter { planes[$0] == 1 }
        guard greens.count == 2, range >= 1, samples.reduce(0, { $0 + $1.tiles.count }) >= Self.leastTilesOfAll else {
            return nil
        }
        let brightness = samples.map { $0.tiles.map { Self.brightness($0, greens) } }
        guard let least = brightness.joined().min(), let most = brightness.joined().max() else { return nil }
        let count = brightness.map(\.count).max() ?? 0
        let groups = max(1, min(Self.mostGroups, count / (4 * Self.leastTiles)))
        var best: [Int: Measurement] = [:]
        for (samples, brightness) in zip(samples, brightness) {
            var members = [[Int]](repeating: [], count: groups)
            for index in brightness.indices {
                let part = (brightness[index] - least) / max(most - least, 1e-6)
                members[min(groups - 1, Int(part * Float(groups)))].append(index)
            }
            for (group, members) in members.enumerated() where members.count >= Self.leastTiles {
                for position in 0..<4 {
                    let selector = position == greens[0] ? greens[1] : greens[0]
                    let found = Self.measure(
                        samples, members, position: position, selector: selector, plane: planes[position], range)
                    let key = 4 * group + position
                    best[key] = best[key].map { Self.better($0, found) } ?? found
                }
            }
        }
        measurements = best.sorted { $0.key < $1.key }.map(\.value)
        let square = range * range
        guard measurements.contains(where: { $0.variance * square > Self.leastVariance }) else { return nil }
        let common = Self.fit(measurements)
        let measured = measurements
        if metadata.isMonochrome {
            profiles = [common]
            return
        }
        profiles = (0..<3).map { plane in
            let factor = Self.factor(measured.filter { $0.plane == plane }, common)
            return NoiseProfile(shot: common.shot * factor, read: common.read * factor)
        }
    }

    /// Estimates the noise of a single frame; nil if it shows none.
    package init?(
        _ codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, cores: Int? = nil
    ) {
        self.init([NoiseSamples(codes, format, metadata, cores: cores)], format.pattern, metadata)
    }

    /// Returns the ratio of the measured variance to that which the profiles state, where tiles show nothing but noise;
    /// nil without clear evidence. There may be one profile or one for each plane.
    package func ratio(to stated: [NoiseProfile]) -> Double? {
        let evidence = measurements.filter(\.isNoise)
        let tiles = evidence.reduce(0) { $0 + $1.count }
        guard !stated.isEmpty, 2 * evidence.count >= measurements.count, tiles >= Self.leastEvidence else {
            return nil
        }
        let rounding = Self.rounding / (range * range)
        let ratios = evidence.map { measured in
            let profile = stated[min(measured.plane, stated.count - 1)]
            return (measured.variance + rounding) / (max(profile.variance(at: measured.signal), 0) + rounding)
        }
        return ratios.sorted()[ratios.count / 2]
    }
}

// MARK: - Measurements

extension NoiseEstimate {
    /// The brightness by which tiles are grouped: the square root of the green signal, so that groups are equally wide
    /// in standard deviations of shot noise.
    private static func brightness(_ tile: NoiseSamples.Tile, _ greens: [Int]) -> Float {
        (max(tile.signal[greens[0]] + tile.signal[greens[1]], 0) / 2).squareRoot()
    }

    private static func measure(
        _ samples: NoiseSamples, _ members: [Int], position: Int, selector: Int, plane: Int, _ range: Double
    ) -> Measurement {
        let tiles = samples.tiles
        let count = max(leastTiles, Int(flatShare * Double(members.count)))
        let flat = members.sorted { tiles[$0].variance[selector] < tiles[$1].variance[selector] }.prefix(count)
        let variances = flat.map { Double(tiles[$0].variance[position]) }.sorted()
        let middle = variances[variances.count / 2]
        // The median of a mean square of Gaussian numbers lies below its mean by the Wilson-Hilferty approximation.
        let part = 2 / (9 * samples.freedom)
        let variance = middle / ((1 - part) * (1 - part) * (1 - part))
        let quartiles = variances[variances.count * 3 / 4] - variances[variances.count / 4]
        // The interquartile range of a normal distribution is 1.35 standard deviations.
        let expected = 1.35 * (2 / samples.freedom).squareRoot()
        let signal = flat.reduce(0) { $0 + Double(tiles[$1].signal[position]) } / Double(flat.count)
        return Measurement(
            plane: plane, signal: max(signal, 0) / range, variance: max(variance - rounding, 0.01) / (range * range),
            count: Double(flat.count), isNoise: quartiles <= mostSpread * expected * middle)
    }

    /// Returns the better of two measurements of the same group: the second, made of the differences between frames, if
    /// its tiles show noise only, because it also sees noise that neighbouring pixels share; otherwise the one that
    /// shows less of the scene.
    private static func better(_ first: Measurement, _ second: Measurement) -> Measurement {
        second.isNoise || second.variance < first.variance ? second : first
    }
}

// MARK: - Fit

extension NoiseEstimate {
    /// The excess of a measurement over the line from which it counts less: texture adds to the variance.
    private static let slack = 0.15
    /// Bounds of the read noise in electrons, at the gain that the shot noise shows: the usual one, and the lowest.
    private static let (usualElectrons, leastElectrons) = (2.5, 1.2)
    /// The ratio of the highest to the lowest signal from which the measurements determine a line.
    private static let leastContrast = 2.0

    /// Fits a line to the measurements by least squares of the relative error.
    private static func fit(_ measurements: [Measurement]) -> NoiseProfile {
        let (low, high) = measurements.reduce((1.0, 0.0)) { (min($0.0, $1.signal), max($0.1, $1.signal)) }
        guard high > leastContrast * low else { return levelFit(measurements) }
        var line = NoiseProfile(shot: 0, read: 0)
        for pass in 0..<8 {
            var (w, wx, wxx, wy, wxy) = (0.0, 0.0, 0.0, 0.0, 0.0)
            for measured in measurements {
                let (x, y) = (measured.signal, measured.variance)
                let expected = pass == 0 ? y : line.variance(at: x)
                let excess = max(y / expected - 1, slack) / slack
                let weight = measured.count / (expected * expected * excess * excess)
                w += weight
                wx += weight * x
                wxx += weight * x * x
                wy += weight * y
                wxy += weight * x * y
            }
            let determinant = wxx * w - wx * wx
            guard determinant > 0, wxx > 0 else { return levelFit(measurements) }
            line = NoiseProfile(shot: (wxy * w - wx * wy) / determinant, read: (wxx * wy - wx * wxy) / determinant)
            if line.shot <= 0 { line = NoiseProfile(shot: 0, read: wy / w) }
            // Texture is stronger in bright tiles, which turns the line: the read noise has a lower bound.
            let least = leastElectrons * leastElectrons * line.shot * line.shot
            if line.read < least { line = NoiseProfile(shot: max(wxy / wxx - least * wx / wxx, 0), read: least) }
            // DNG allows no scale of 0.
            (line.shot, line.read) = (max(line.shot, 1e-12), max(line.read, 1e-12))
        }
        return line
    }

    /// Returns the profile of a usual sensor with the measured noise, for a picture of one brightness.
    private static func levelFit(_ measurements: [Measurement]) -> NoiseProfile {
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        let (x, y) = (median(measurements.map(\.signal)), median(measurements.map(\.variance)))
        // shot · x + electrons² · shot² = y
        let square = usualElectrons * usualElectrons
        let shot = ((x * x + 4 * square * y).squareRoot() - x) / (2 * square)
        return NoiseProfile(shot: shot, read: square * shot * shot)
    }

    /// Returns the factor by which the noise of one colour differs from the common profile: 1 unless it clearly does.
    private static func factor(_ measurements: [Measurement], _ common: NoiseProfile) -> Double {
        let ratios = measurements.map { $0.variance / common.variance(at: $0.signal) }.sorted()
        guard ratios.count >= 3 else { return 1 }
        let factor = ratios[ratios.count / 2]
        return abs(factor - 1) < 0.15 ? 1 : min(max(factor, 0.25), 4)
    }
}
