internal import Kernels
internal import PixelMemory
internal import RawImage

/// A pyramid of grey planes for alignment: the finest has half the mosaic's width and height, and each coarser one a
/// quarter of the width and height of the one before.
struct GreyPyramid: Sendable {
    /// A grey plane without row padding, in which `white` is the white level.
    struct Plane: Sendable {
        let grid: TileGrid
        private let memory: Memory

        /// Memory that the copies of a plane share.
        private final class Memory: Sendable {
            let values: ScratchMemory

            init(_ values: consuming ScratchMemory) { self.values = values }
        }

        /// Takes the memory of a plane from the pool, and lets `fill` set all values.
        fileprivate init(_ grid: TileGrid, _ memory: FusionMemory, _ fill: (MutableMemoryView<Int16>) -> Void) {
            self.grid = grid
            // Two values take the memory of a float.
            self.memory = Memory(memory.pool.take(uninitialized: (grid.width * grid.height + 1) / 2))
            fill(self.memory.values.view.rebound(to: Int16.self))
        }

        var width: Int { grid.width }
        var height: Int { grid.height }

        /// Calls `body` with a view of the values.
        func withView<Result>(_ body: (MemoryView<Int16>) -> Result) -> Result {
            withExtendedLifetime(memory) { body(MemoryView(memory.values.view.rebound(to: Int16.self))) }
        }
    }

    /// The grey value of the white level.
    static let white: Float = 2048

    /// The planes from fine to coarse; never empty.
    private(set) var levels: [Plane]

    /// The most levels of a pyramid: on the third, a search radius of 6 pixels reaches 192 mosaic pixels in each
    /// direction.
    private static let deepest = 3

    /// Builds the pyramid of a mosaic of at least 2×2 pixels in memory of a pool. Codes are clipped at `ceiling`, and
    /// signals multiplied by `gain`. An odd last column or row is ignored.
    init(
        _ codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, gain: Double,
        ceiling: UInt16 = .max, _ memory: FusionMemory, cores: Int?
    ) {
        let black = metadata.blackLevel.reduce(0, +) / 4
        let scale = gain * Double(Self.white) / (metadata.whiteLevel - black)
        let (width, height) = (format.width / 2, format.height / 2)
        levels = [
            Self.plane(width, height, memory, cores) { target, row in
                let (upper, lower) = (codes + 2 * row * format.stride, codes + (2 * row + 1) * format.stride)
                if ceiling == .max {
                    unsafe greyRow(
                        upper.pointer(2 * width), lower.pointer(2 * width), target.pointer(width), width, Float(black),
                        Float(scale))
                } else {
                    unsafe cappedGreyRow(
                        upper.pointer(2 * width), lower.pointer(2 * width), target.pointer(width), width, ceiling,
                        Float(black), Float(scale))
                }
            }
        ]
        while levels.count < Self.deepest, let quarter = Self.quarter(levels[levels.count - 1], memory, cores) {
            levels.append(quarter)
        }
    }

    /// Returns a plane of a quarter of the width and height; nil if that is too small to align.
    private static func quarter(_ plane: Plane, _ memory: FusionMemory, _ cores: Int?) -> Plane? {
        let (width, height) = (plane.width / 4, plane.height / 4)
        guard TileGrid(width: width, height: height).canAlign else { return nil }
        return plane.withView { source in
            Self.plane(width, height, memory, cores) { target, row in
                unsafe quarterRow(
                    (source + 4 * row * plane.width).pointer(columns: 4 * width, rows: 4, stride: plane.width),
                    plane.width, target.pointer(width), width)
            }
        }
    }

    /// Creates a plane row by row, on all cores.
    private static func plane(
        _ width: Int, _ height: Int, _ memory: FusionMemory, _ cores: Int?,
        _ makeRow: (MutableMemoryView<Int16>, Int) -> Void
    ) -> Plane {
        Plane(TileGrid(width: width, height: height), memory) { values in
            // The bands cover all rows, and `makeRow` fills each row completely.
            concurrentBands(rows: height, of: 64, cores: cores) { band in
                for row in band { makeRow(values.part(row * width, count: width), row) }
            }
        }
    }
}
