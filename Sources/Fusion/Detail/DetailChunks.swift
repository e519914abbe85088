internal import Glibc
internal import Kernels
internal import RawImage

/// A piece of 256×256 pixels of the photo after another, and the memory to make them in: guide, two regressions against
/// it, and two passes that take the noise out.
@safe
struct DetailChunks: ~Copyable {
    static let side = 256

    private let tiles: DetailTiles
    private let guide: DetailGuide
    private let memory: UnsafeMutablePointer<Float>
    private let blocks: UnsafeMutablePointer<SIMD8<Float>>
    private let room: DetailTiles.Room
    /// The place of the present chunk in the picture.
    private var x = 0
    private var y = 0

    private typealias Planes = DetailTiles.Planes
    private static let planes = unsafe 3 * DetailTiles.Planes.size + 64
    /// Quads in a row of the counts.
    private static let quads = 136

    init(tiles: DetailTiles, guide: DetailGuide) {
        self.tiles = tiles
        self.guide = guide
        let count = unsafe 3 * Self.planes + DetailTiles.Planes.size + Self.quads * Self.quads + 96
        unsafe memory = .allocate(capacity: count)
        unsafe memory.initialize(repeating: 0, count: count)
        unsafe blocks = .allocate(capacity: 64)
        unsafe room = unsafe DetailTiles.Room()
    }

    deinit {
        unsafe memory.deallocate()
        unsafe blocks.deallocate()
        unsafe room.deallocate()
    }

    private var weights: UnsafeMutablePointer<Float> { unsafe memory + 3 * Self.planes }
    private var shares: UnsafeMutablePointer<Float> { unsafe weights + Planes.size }
    private var blockShares: UnsafeMutablePointer<Float> { unsafe shares + Self.quads * Self.quads }

    /// Planes of the first, second or third piece of memory, beginning so far before the chunk.
    private func planes(_ index: Int, margin: Int) -> Planes {
        unsafe Planes(start: memory + index * Self.planes, x: x - margin, y: y - margin)
    }

    /// Writes a chunk to the photo, as far as it lies inside.
    mutating func make(
        column: Int, row: Int, into pixels: UnsafeMutablePointer<UInt16>, _ output: LinearFormat
    ) {
        (x, y) = (column * Self.side, row * Self.side)
        let demosaiced = unsafe planes(0, margin: 28)
        for color in 0..<3 {
            for row in y - 28..<y + Self.side + 28 {
                unsafe guide.load(color: color, x: x - 28, y: row, count: Planes.stride, demosaiced.at(x - 28, row, color: color))
            }
        }
        let first = unsafe planes(1, margin: 24)
        unsafe merge(from: demosaiced, into: first, around: 1, restraint: 0)
        let second = unsafe planes(0, margin: 8)
        unsafe merge(
            from: first, into: second, around: 0,
            restraint: 1 / (Float(tiles.frames.count) * DetailTiles.restraint * DetailTiles.restraint))
        let rows = Self.side + 16
        unsafe lumaOfLight(
            second.at(x - 8, y - 8), second.at(x - 8, y - 8, color: 1), second.at(x - 8, y - 8, color: 2),
            rows * Planes.stride)
        let pilot = unsafe planes(1, margin: 8)
        unsafe shrink(second, nil, from: -8, blocks: 67, into: pilot)
        for color in 0..<3 { unsafe divideByWeights(pilot.at(x - 8, y - 8, color: color), weights, rows * Planes.stride) }
        let clean = unsafe planes(2, margin: 8)
        unsafe shrink(second, pilot, from: -4, blocks: 65, into: clean)
        let (width, height) = (min(Self.side, guide.width - x), min(Self.side, guide.height - y))
        for row in y..<y + height {
            let (red, green, blue) = unsafe (clean.at(x, row), clean.at(x, row, color: 1), clean.at(x, row, color: 2))
            unsafe lightOfLuma(red, green, blue, weights + (red - clean.start), width)
            for color in 0..<3 {
                unsafe guide.addExcess(color: color, x: x, y: row, count: width, clean.at(x, row, color: color))
            }
            let scale = guide.sensitivity * 65_535
            unsafe storeDetail(
                red, green, blue, width, scale.x, scale.y, scale.z,
                pixels + row * output.stride + x * LinearFormat.channels)
        }
    }

    /// Regresses the tiles that reach into the chunk, and so many more on each side.
    private func merge(from source: Planes, into target: Planes, around margin: Int, restraint: Float) {
        let perSide = Self.side / DetailTiles.side
        for row in -margin...perSide + margin {
            for column in -margin...perSide + margin {
                unsafe tiles.merge(
                    column: x / DetailTiles.side + column, row: y / DetailTiles.side + row, guide: source,
                    restraint: restraint, into: target, room)
                if margin == 0 { keepShares(column, row) }
            }
        }
    }

    /// Notes the variance of a tile's quads against that of one frame.
    private func keepShares(_ column: Int, _ row: Int) {
        for line in 0..<8 {
            for quad in 0..<8 {
                unsafe shares[(8 * row + line) * Self.quads + 8 * column + quad] = unsafe 1 / room.counts[8 * line + quad]
            }
        }
    }

    /// Takes the noise out of luma and differences that begin 8 before the chunk, in rows of blocks from a place.
    private func shrink(_ source: Planes, _ pilot: Planes?, from start: Int, blocks count: Int, into target: Planes) {
        unsafe target.start.update(repeating: 0, count: Self.planes)
        unsafe weights.update(repeating: 0, count: Planes.size)
        for row in 0..<count {
            let place = unsafe (start + 8 + 4 * row) * Planes.stride + start + 8
            for block in 0..<count {
                // The four quads in the middle of a block.
                let quad = ((start + 8) / 2 + 2 * row + 1) * Self.quads + (start + 8) / 2 + 2 * block + 1
                unsafe blockShares[block] =
                    unsafe (shares[quad] + shares[quad + 1] + shares[quad + Self.quads] + shares[quad + Self.quads + 1]) / 4
            }
            unsafe shrinkBlocks(
                source.start + place, pilot.map { unsafe UnsafePointer($0.start + place) }, Planes.size, Planes.stride, count,
                unsafe blockShares, tiles.noise.picture, tiles.noise.shapes, Self.threshold, Self.window,
                unsafe target.start + place, unsafe weights + place, unsafe blocks)
        }
    }

    /// Deviations of noise that nothing of a block may be told from.
    private static let threshold: Float = 2.7
    /// Blocks count most in their middle.
    private static let window: [Float] = (0..<8).map { index in
        let sine = sinf(.pi * (Float(index) + 0.5) / 8)
        return 0.15 + 0.85 * sine * sine
    }
}
