internal import Kernels
internal import RawImage

/// A grey picture in sizes from a half of the mosaic down, each a quarter of the one before: what alignment looks at.
struct GreyPyramid: Sendable {
    /// A grey plane; row by row without gaps. White is `white`.
    struct Plane: Sendable {
        var grid: TileGrid
        var values: [Int16]

        var width: Int { grid.width }
        var height: Int { grid.height }
    }

    /// The value of full light.
    static let white: Float = 2048

    /// Planes from fine to coarse; never empty.
    private(set) var levels: [Plane]

    /// The most levels: the coarsest searches far in few steps.
    private static let deepest = 3

    /// The pyramid of a mosaic of at least 2×2, its codes cut at a ceiling, its signals multiplied with `gain`. An odd
    /// last column or row is left out.
    init(
        _ codes: UnsafePointer<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, gain: Double,
        ceiling: UInt16 = .max, cores: Int?
    ) {
        let black = metadata.blackLevel.reduce(0, +) / 4
        let scale = gain * Double(Self.white) / (metadata.whiteLevel - black)
        let (width, height) = (format.width / 2, format.height / 2)
        levels = [
            unsafe Self.plane(width, height, cores) { target, row in
                let upper = unsafe codes + 2 * row * format.stride
                let lower = unsafe upper + format.stride
                if ceiling == .max {
                    unsafe greyRow(upper, lower, target, width, Float(black), Float(scale))
                } else {
                    unsafe cappedGreyRow(upper, lower, target, width, ceiling, Float(black), Float(scale))
                }
            }
        ]
        while levels.count < Self.deepest, let quarter = Self.quarter(levels[levels.count - 1], cores) {
            levels.append(quarter)
        }
    }

    /// A quarter as wide and high; nil when that is too small to align.
    private static func quarter(_ plane: Plane, _ cores: Int?) -> Plane? {
        let (width, height) = (plane.width / 4, plane.height / 4)
        guard TileGrid(width: width, height: height).canAlign else { return nil }
        return unsafe plane.values.withUnsafeBufferPointer { source in
            unsafe Self.plane(width, height, cores) { target, row in
                guard let start = source.baseAddress else { return }
                unsafe quarterRow(start + 4 * row * plane.width, plane.width, target, width)
            }
        }
    }

    /// A plane made row by row.
    private static func plane(
        _ width: Int, _ height: Int, _ cores: Int?, _ makeRow: (UnsafeMutablePointer<Int16>, Int) -> Void
    ) -> Plane {
        let values = unsafe [Int16](unsafeUninitializedCapacity: width * height) { buffer, count in
            // The bands are all rows, and each row is written whole.
            count = width * height
            guard let start = buffer.baseAddress else { return }
            concurrentBands(rows: height, of: 64, cores: cores) { band in
                for row in band { unsafe makeRow(start + row * width, row) }
            }
        }
        return Plane(grid: TileGrid(width: width, height: height), values: values)
    }
}
