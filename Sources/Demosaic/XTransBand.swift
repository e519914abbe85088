internal import PixelMemory
internal import RawImage

/// The demosaicing of a band of rows of an X-Trans mosaic, with margins of rows and columns on all sides, in which the
/// mosaic is mirrored at its edges.
///
/// Green is interpolated in four directions, hardly beyond the range of the green samples around. In the right
/// direction the differences of red or blue from green vary least, so that the four estimates are weighted by the
/// variation of their differences nearby. Red and blue then follow from the differences at their own pixels, weighted
/// by how near these are and how similar in green. All of it is done on square roots of the samples, on whose scale
/// dark and bright edges count as they are seen.
struct XTransBand {
    private let grid: XTransGrid
    let area: XTransBandArea
    /// Square roots of white-balanced samples; those of the margins, too.
    private var samples: [Float]
    private(set) var green: [Float]
    /// The differences of red and of blue from green, at each pixel.
    private(set) var differences: [[Float]]

    /// Creates the band of `rows`; `sample` is the square root of a white-balanced sample of the mosaic,
    /// by row and column.
    init(_ grid: XTransGrid, rows band: Range<Int>, width: Int, height: Int, sample: (Int, Int) -> Float) {
        self.grid = grid
        area = XTransBandArea(top: band.lowerBound, rows: band.count, width: width)
        let margin = XTransBandArea.margin
        let columns = (-margin..<width + margin).map { Self.mirrored($0, width) }
        samples = []
        samples.reserveCapacity(area.count)
        for row in band.lowerBound - margin..<band.upperBound + margin {
            let row = Self.mirrored(row, height)
            for column in columns { samples.append(sample(row, column)) }
        }
        green = samples
        differences = Array(repeating: Array(repeating: 0, count: area.count), count: 2)
    }

    /// Returns the index inside the mosaic that stands for one outside. X-Trans mosaics keep their colours at a
    /// distance of six pixels, so that an index outside moves by multiples of six.
    private static func mirrored(_ index: Int, _ count: Int) -> Int {
        if index < 0 { return min(((index % 6) + 6) % 6, count - 1) }
        guard index >= count else { return index }
        let moved = index - ((index - count) / 6 + 1) * 6
        return max(moved, 0)
    }

    /// Interpolates all colours.
    mutating func demosaic() {
        interpolateGreen()
        interpolateColors()
        refineGreen()
        interpolateColors()
    }

    // MARK: Green

    private mutating func interpolateGreen() {
        let (area, isGreen) = (area, grid.planes.map { $0 == 1 })
        // The estimates of green in the four directions.
        var estimates = [SIMD4<Float>](repeating: .zero, count: samples.count)
        let lines = XTransTaps(grid.greens, stride: area.stride)
        let alike = XTransTaps(grid.alike, stride: area.stride)
        let around = XTransTaps(grid.around, stride: area.stride)
        samples.withView { samples in
            estimates.withMutableView { estimates in
                lines.withViews { lines in
                    around.withViews { around in
                        area.forEach(inset: 3) { index, position in
                            if isGreen[position] { return }
                            var estimate = SIMD4<Float>.zero
                            for direction in 0..<4 {
                                var sum: Float = 0
                                lines.forEach(4 * position + direction) { sum += samples[index + $0] * $1 }
                                estimate[direction] = sum
                            }
                            var (least, most) = (Float.infinity, -Float.infinity)
                            around.forEach(position) { offset, _ in
                                least = min(least, samples[index + offset])
                                most = max(most, samples[index + offset])
                            }
                            let beyond = Self.overshoot * (most - least)
                            estimates[index] = estimate.clamped(
                                lowerBound: SIMD4(repeating: least - beyond),
                                upperBound: SIMD4(repeating: most + beyond))
                        }
                    }
                }
                let estimates = MemoryView(estimates)
                green.withMutableView { green in
                    alike.withViews { alike in
                        area.forEach(inset: 6) { index, position in
                            if isGreen[position] { return }
                            var (sum, squares) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                            alike.forEach(position) { offset, _ in
                                let difference = estimates[index + offset] - samples[index + offset]
                                sum += difference
                                squares += difference * difference
                            }
                            let count = Float(alike.count(position))
                            let variance = pointwiseMax(squares - sum * sum / count, .zero) / count
                            let weights = 1 / (variance + Self.leastVariance)
                            let strong = weights * weights
                            green[index] = (estimates[index] * strong).sum() / strong.sum()
                        }
                    }
                }
            }
        }
    }

    /// How far an estimate of green may lie beyond the green samples around, as a share of their range. Fine detail
    /// needs some; more is a wrong guess at the borders of saturated colours.
    private static let overshoot: Float = 0.25
    /// The variance of differences below which directions are equally good.
    private static let leastVariance: Float = 1e-7

    // MARK: Red and blue

    private mutating func interpolateColors() {
        let (area, planes) = (area, grid.planes)
        for color in 0..<2 {
            let own = color * 2
            let taps = XTransTaps(grid.colors[color], stride: area.stride)
            var result = differences[color]
            samples.withView { samples in
                green.withView { green in
                    result.withMutableView { result in
                        taps.withViews { taps in
                            area.forEach(inset: 8) { index, position in
                                let here = green[index]
                                if planes[position] == own {
                                    result[index] = samples[index] - here
                                    return
                                }
                                var (sum, weights): (Float, Float) = (0, 0)
                                taps.forEach(position) { offset, share in
                                    let there = green[index + offset]
                                    let weight = share / (abs(there - here) + Self.leastChange)
                                    sum += (samples[index + offset] - there) * weight
                                    weights += weight
                                }
                                result[index] = sum / weights
                            }
                        }
                    }
                }
            }
            differences[color] = result
        }
    }

    /// The difference of green below which pixels are equally similar.
    private static let leastChange: Float = 0.005

    /// Averages green at red and blue pixels with that which follows from the differences at the green pixels nearby.
    private mutating func refineGreen() {
        let (area, planes, old, sides) = (area, grid.planes, green, [-1, 1, -area.stride, area.stride])
        samples.withView { samples in
            old.withView { old in
                differences[0].withView { reds in
                    differences[1].withView { blues in
                        sides.withView { sides in
                            green.withMutableView { green in
                                area.forEach(inset: 10) { index, position in
                                    let plane = planes[position]
                                    if plane == 1 { return }
                                    let differences = plane == 0 ? reds : blues
                                    var (sum, weights): (Float, Float) = (0, 0)
                                    for side in 0..<4 {
                                        let near = index + sides[side]
                                        let weight = 1 / (abs(old[near] - old[index]) + Self.leastChange)
                                        sum += differences[near] * weight
                                        weights += weight
                                    }
                                    green[index] = 0.5 * (old[index] + samples[index] - sum / weights)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
