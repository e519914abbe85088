internal import Kernels
internal import RawImage

/// A grey picture in sizes from a half of the mosaic down: what alignment looks at.
struct GreyPyramid: Sendable {
    /// A grey plane; row by row without gaps.
    struct Plane: Sendable {
        var width: Int
        var height: Int
        var values: [Float]
    }

    /// Planes from fine to coarse, each half as wide as the one before.
    private(set) var levels: [Plane]

    /// The most levels: the coarsest searches far in few steps.
    private static let deepest = 5
    /// A coarser level must still have something to compare.
    private static let smallestSide = 24

    /// The pyramid of a mosaic; signals are in 0…1 between black and white, times `gain`.
    init(_ codes: UnsafePointer<UInt16>, _ format: MosaicFormat, black: Double, white: Double, gain: Double) {
        levels = [unsafe Self.grey(codes, format, black: Float(black), gain: Float(gain / (white - black)))]
        while levels.count < Self.deepest, let last = levels.last,
            min(last.width, last.height) >= 2 * Self.smallestSide
        {
            levels.append(Self.half(last))
        }
        levels[0] = Self.smooth(levels[0])
    }

    /// The pyramid of a picture without quads.
    init(empty: Void) {
        levels = []
    }

    private static func grey(
        _ codes: UnsafePointer<UInt16>, _ format: MosaicFormat, black: Float, gain: Float
    ) -> Plane {
        let (width, height) = (format.width / 2, format.height / 2)
        return unsafe plane(width, height) { target, row in
            let upper = unsafe codes + 2 * row * format.stride
            unsafe greyRow(upper, upper + format.stride, target, width, black, gain)
        }
    }

    private static func half(_ plane: Plane) -> Plane {
        let (width, height) = (plane.width / 2, plane.height / 2)
        return unsafe plane.values.withUnsafeBufferPointer { source in
            unsafe Self.plane(width, height) { target, row in
                guard let upper = unsafe source.baseAddress.map({ unsafe $0 + 2 * row * plane.width }) else { return }
                unsafe halveRow(upper, upper + plane.width, target, width)
            }
        }
    }

    /// A 3×3 mean: noise must not pass for motion.
    private static func smooth(_ plane: Plane) -> Plane {
        unsafe plane.values.withUnsafeBufferPointer { source in
            unsafe Self.plane(plane.width, plane.height) { target, row in
                guard let start = source.baseAddress else { return }
                let above = unsafe start + max(0, row - 1) * plane.width
                let below = unsafe start + min(plane.height - 1, row + 1) * plane.width
                unsafe boxRow(above, start + row * plane.width, below, target, plane.width)
            }
        }
    }

    /// A plane made row by row on all cores.
    private static func plane(
        _ width: Int, _ height: Int, _ makeRow: (UnsafeMutablePointer<Float>, Int) -> Void
    ) -> Plane {
        let values = unsafe [Float](unsafeUninitializedCapacity: width * height) { buffer, count in
            count = width * height
            guard let start = buffer.baseAddress else { return }
            concurrentBands(rows: height, of: 64) { band in
                for row in band { unsafe makeRow(start + row * width, row) }
            }
        }
        return Plane(width: width, height: height, values: values)
    }
}
