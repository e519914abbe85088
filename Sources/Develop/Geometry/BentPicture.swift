internal import Demosaic
internal import Kernels
internal import RawImage

/// A picture as a lens bent it, ready to be read between pixels: each row a line of each colour, drawn out at its ends.
struct BentPicture: Sendable {
    let width: Int
    let height: Int
    let values: [UInt16]
    /// Light of each colour for a step above black.
    let gain: SIMD3<Float>
    /// What no light is kept as: noise goes below it.
    static let black: Float = 1024

    /// Pixels that each end is drawn out by.
    static let padding = 8

    /// Values from one line to the next, and from one row to the next.
    var lineLength: Int { width + 2 * Self.padding }
    var pitch: Int { 3 * lineLength }

    init(_ raw: RawRows, _ renderer: Renderer, cores: Int?) {
        let (width, height) = (renderer.source.width, renderer.source.height)
        (self.width, self.height) = (width, height)
        // What fills the sensor in its strongest colour is 1, in others more.
        let most = raw.largestGain / SIMD3<Float>(renderer.metadata.relativeSensitivity)
        let gain = most / (65_535 - Self.black)
        self.gain = gain
        let lineLength = width + 2 * Self.padding
        values = unsafe [UInt16](large: 3 * lineLength * height) { base in
            // Each band writes rows of its own, and all are done when this returns.
            nonisolated(unsafe) let target = unsafe base
            concurrentBands(rows: height, of: Self.bandHeight, cores: cores) { rows in
                let room = LightRoom(width: width)
                unsafe raw.forEach(in: rows, from: 0, count: width, into: { _ in unsafe room.row }) { row in
                    unsafe room.row.withEach { plane, light in
                        let line = unsafe target + (3 * row + plane) * lineLength
                        unsafe Self.store(light, gain: gain[plane], count: width, line)
                    }
                }
            }
        }
    }

    private static func store(
        _ light: UnsafePointer<Float>, gain: Float, count: Int, _ line: UnsafeMutablePointer<UInt16>
    ) {
        let first = unsafe line + padding
        unsafe storePlane(light, scale: 1 / gain, pedestal: black, count: count, line: first)
        for column in 0..<padding {
            unsafe line[column] = unsafe first[0]
            unsafe first[count + column] = unsafe first[count - 1]
        }
    }

    /// Rows made together: enough that the few computed twice where bands meet do not count.
    private static let bandHeight = 256
}

/// Room for a row of light.
@safe
struct LightRoom: ~Copyable {
    /// The row.
    let row: ColorRow

    /// Room for a row and a few values more.
    init(width: Int) {
        let length = width + 16
        let lines = UnsafeMutablePointer<Float>.allocate(capacity: 3 * length)
        unsafe lines.initialize(repeating: 0, count: 3 * length)
        unsafe row = ColorRow(red: lines, green: lines + length, blue: lines + 2 * length)
    }

    deinit { unsafe row.red.deallocate() }
}
