/// The order of the bits in the bytes of uncompressed samples (FillOrder).
///
/// FillOrder 2 states that the bits of each byte are in reverse order, as TIFF specifies and libtiff reads it. LibRaw
/// ignores the tag, and so do programs that state 2 for samples with their bits in the usual order. This order is taken
/// if the samples show it: in the wrong order, neighbours differ like noise.
enum BitOrder {
    /// The most bytes that are compared in both orders.
    private static let mostBytes = 1 << 18

    /// Returns whether the bits of each stored byte are in reverse order. Those of compressed pixels never are.
    static func isReversed(
        _ directory: TIFFDirectory, _ image: DNGImage, _ layout: ChunkLayout, _ coding: SampleDecoder
    ) -> Bool {
        guard directory.integer(.fillOrder) == 2, image.compression == .none,
            let index = (0..<layout.count).first(where: { !layout.isMissing($0) })
        else { return false }
        let chunk = layout.chunk(index)
        let samples = chunk.width * layout.samples
        let bytesInRow = coding.bytesInRow(samples: samples)
        let rows = min(chunk.height, chunk.byteCount / bytesInRow, max(1, mostBytes / bytesInRow))
        guard rows > 0, let bytes = directory.container.source.bytes(at: chunk.offset, count: rows * bytesInRow) else {
            return true
        }
        // The next sample of the same colour in a mosaic is beyond its neighbour.
        let distance = layout.samples * (image.kind == .linear ? 1 : 2)
        /// The mean difference of neighbours, divided by the mean difference from the mean; 0 if all are equal.
        func roughness(_ bytes: [UInt8]) -> Double {
            var codes = [UInt16](repeating: 0, count: samples * rows)
            for row in 0..<rows {
                unsafe bytes.withUnsafeBytes { bytes in
                    unsafe codes.withUnsafeMutableBufferPointer { codes in
                        guard let base = bytes.baseAddress, let codes = codes.baseAddress else { return }
                        unsafe coding.codes(
                            base + row * bytesInRow, codes + row * samples, count: samples, plane: chunk.plane,
                            planes: layout.samples)
                    }
                }
            }
            let mean = codes.reduce(0) { $0 + Int($1) } / codes.count
            let deviation = codes.reduce(0) { $0 + abs(Int($1) - mean) }
            var sum = 0
            for index in codes.indices where index % samples >= distance {
                sum += abs(Int(codes[index]) - Int(codes[index - distance]))
            }
            return deviation > 0 ? Double(sum) / Double(deviation) : 0
        }
        // Very dark pictures are noise in both orders.
        return 2 * roughness(bytes) >= roughness(reversed(bytes))
    }

    /// Returns bytes with the bits of each in reverse order.
    static func reversed(_ bytes: [UInt8]) -> [UInt8] { bytes.map { table[Int($0)] } }

    private static let table: [UInt8] = (0...255).map { byte in
        (0..<8).reduce(0) { $0 << 1 | UInt8(byte >> $1 & 1) }
    }
}
