internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// The area of the wide picture that the tele sees, at the wide's resolution: the pixels of the wide photo, and the
/// means of the tele's pixels within each.
struct TeleField: Sendable {
    let view: TeleView
    let area: PixelRectangle
    let cores: Int?
    /// Linear wide pixels, later the blended ones; the last component is then the weight of the tele's detail.
    private(set) var wide: [SIMD4<Float>]
    /// Linear tele pixels; the last component is the variance of grey within the pixel, negative where there is none.
    private(set) var tele: [SIMD4<Float>]
    /// The tele's positions at the grid points of the flow, and the number of grid columns.
    private(set) var positions: [SIMD2<Float>]
    private(set) var gridColumns: Int
    /// The factors from the tele's colours to the wide's; nil before they are matched.
    private(set) var colors: TeleColorMatch?

    /// Number of rows in a band.
    static let bandHeight = 16

    /// Creates the field without shifts between the views.
    init(_ view: TeleView, _ area: PixelRectangle, cores: Int?) {
        self.view = view
        self.area = area
        self.cores = cores
        wide = Self.widePixels(view, area, cores: cores)
        tele = Array(repeating: SIMD4(), count: area.width * area.height)
        (positions, gridColumns) = ([], 0)
        project(TeleFlow(width: area.width, height: area.height))
    }

    /// Number of pixels for which the tele has a value.
    var seenCount: Int { tele.count { $0.w >= 0 } }

    private static func widePixels(_ view: TeleView, _ area: PixelRectangle, cores: Int?) -> [SIMD4<Float>] {
        let format = view.wide.format
        let (black, scale) = view.wideLevels
        return [SIMD4<Float>](filling: area.width * area.height) { target in
            view.wide.values.withView { codes in
                concurrentBands(rows: area.height, of: Self.bandHeight, cores: cores) { band in
                    for row in band {
                        let start = (area.top + row) * format.stride + area.left * LinearFormat.channels
                        let count = area.width
                        unsafe teleLinear(
                            (target + row * count).pointer(count),
                            (codes + start).pointer(count * LinearFormat.channels), count: count, black: black,
                            scale: scale, last: 0)
                    }
                }
            }
        }
    }

    /// Computes the tele's pixels for a flow.
    mutating func project(_ flow: TeleFlow) {
        positions = flow.positions(view.cameras, area, cores: cores)
        gridColumns = flow.columns
        let samples = max(1, Int(view.cameras.magnification.rounded(.up)))
        let (sampler, area) = (self.sampler, area)
        tele.withMutableView { target in
            concurrentBands(rows: area.height, of: Self.bandHeight, cores: cores) { band in
                var row = sampler.row(area.width)
                for index in band {
                    row.sample(
                        into: target + index * area.width, first: SIMD2(0, Float(index)), step: 1, samples: samples)
                }
            }
        }
    }

    /// The sampler of the tele photo at the positions of the flow.
    var sampler: TeleSampler { TeleSampler(view: view, positions: positions, columns: gridColumns) }

    /// Converts the tele's colours to the wide's.
    mutating func match(_ colors: TeleColorMatch) {
        self.colors = colors
        let area = area
        tele.withMutableView { target in
            concurrentBands(rows: area.height, of: Self.bandHeight, cores: cores) { band in
                for row in band {
                    colors.apply(to: target + row * area.width, count: area.width, first: SIMD2(0, Float(row)), step: 1)
                }
            }
        }
    }

    /// How many pixels of a field agree.
    struct Agreement {
        /// The number of pixels in which the photos agree.
        var agreeing = 0.0
        /// The number of pixels in which the tele's are used.
        var used = 0.0
        /// The number of pixels with strong structure that the tele sees, and of those in which the photos agree.
        var structured = 0.0
        var agreeingStructured = 0.0

        /// The least contrast of strong structure, as a multiple of the variance of noise.
        fileprivate static let leastContrast: Float = 100
    }

    /// Blends the tele's pixels at the shifts of a flow into the wide's, and returns how many pixels agree.
    mutating func blend(_ noise: TeleNoise, _ flow: TeleFlow) -> Agreement {
        let (agreement, differences) = TeleAgreement(
            field: self, noise: noise, outlines: TeleOutlines(flow)
        ).measured()
        let (area, tele) = (area, tele)
        wide.withMutableView { target in
            tele.withView { tele in
                agreement.withView { agreement in
                    differences.withView { differences in
                        concurrentBands(rows: area.height, of: Self.bandHeight, cores: cores) { band in
                            let count = band.count * area.width
                            let start = band.lowerBound * area.width
                            unsafe blendTelePixels(
                                (target + start).pointer(count), (tele + start).pointer(count),
                                (agreement + start).pointer(count), (differences + start).pointer(count), count: count,
                                noise: noise)
                        }
                    }
                }
            }
        }
        var result = Agreement()
        for (value, pixel) in zip(agreement, tele) {
            result.agreeing += Double(value.z)
            result.used += Double(value.x)
            guard pixel.w >= 0, value.w >= Agreement.leastContrast else { continue }
            result.structured += 1
            result.agreeingStructured += Double(value.z)
        }
        return result
    }
}
