/// A view of a tile's samples; tiles at the picture's right and bottom edge may be smaller than the file's tile size.
@unsafe struct TileSamples {
    let start: UnsafePointer<UInt16>
    /// The distance from a row to the next, in samples.
    let stride: Int
    /// The width in pixels.
    let width: Int
    let height: Int
}

/// A compressor of tiles of one fixed size.
protocol TileCompressor: AnyObject {
    /// Compresses a tile and returns its bytes; a smaller tile is padded to the full tile size first.
    func compress(_ tile: TileSamples) throws(GscapError) -> [UInt8]
}
