internal import Kernels
internal import RawImage

/// The codes of a frame, read tile by tile as signals: less black, times a gain.
///
/// Valid only while the codes are.
@unsafe struct TileSource {
    let codes: UnsafePointer<UInt16>
    let format: MosaicFormat
    let black: SIMD4<Float>
    let gain: Float
    /// Codes from here up may be clipped where the reference's are not; nil where that cannot be.
    let clip: UInt16?

    /// Pixels to the side of a tile in the mosaic.
    static let side = 2 * TileGrid.tile

    init(_ codes: UnsafePointer<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, gain: Double) {
        unsafe self.codes = unsafe codes
        unsafe self.format = format
        unsafe black = SIMD4(metadata.blackLevel.map(Float.init))
        unsafe self.gain = Float(gain)
        let white = metadata.whiteLevel.clamped(to: 1...65535)
        unsafe clip = gain < 0.99 ? UInt16(white * 0.98) : nil
    }

    /// Reads the tile at a place, which may reach beyond the frame, where pixels repeat the last of their colour. Gives
    /// whether the tile may be clipped. `block` has room for 32×32 codes.
    @discardableResult
    func load(
        x: Int, y: Int, _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ block: UnsafeMutablePointer<UInt16>
    ) -> Bool {
        let side = unsafe Self.side
        let isInside = unsafe x >= 0 && y >= 0 && x + side <= format.width && y + side <= format.height
        if !isInside { unsafe copyBlock(x, y, block) }
        let start = unsafe isInside ? codes + y * format.stride + x : UnsafePointer(block)
        let stride = unsafe isInside ? format.stride : side
        unsafe withUnsafePointer(to: black) { black in
            unsafe black.withMemoryRebound(to: Float.self, capacity: 4) { black in
                unsafe loadTile(start, stride, black, gain, tile)
            }
        }
        guard let clip = unsafe clip else { return false }
        return unsafe highestCode(start, stride) >= clip
    }

    private func copyBlock(_ x: Int, _ y: Int, _ block: UnsafeMutablePointer<UInt16>) {
        for line in 0..<(unsafe Self.side) {
            let row = unsafe codes + Self.inside(y + line, format.height) * format.stride
            for column in 0..<(unsafe Self.side) {
                unsafe block[line * Self.side + column] = row[Self.inside(x + column, format.width)]
            }
        }
    }

    /// The nearest place of the same colour inside; `size` is at least 2.
    static func inside(_ place: Int, _ size: Int) -> Int {
        if place < 0 { return place & 1 }
        return place < size ? place : size - 2 + (place ^ size) & 1
    }
}
