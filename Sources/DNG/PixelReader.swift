internal import CTIFF
internal import RawImage

/// Reads the uncompressed pixels of one picture: strips or tiles, either byte order, 8 to 16 bits.
struct PixelReader {
    private let file: DNGFile
    private let image: DNGImage
    private let input: TIFFInput

    init(_ file: DNGFile, _ image: DNGImage) throws(DNGError) {
        self.file = file
        self.image = image
        input = try TIFFInput(file.source, check: file.check)
        try input.select(image.offset)
        try checkKind()
    }

    private var place: String { "the \(image.kind.rawValue) picture of the directory at byte \(image.offset)" }

    private func checkKind() throws(DNGError) {
        guard image.compression == .none else {
            throw DNGError(
                .unsupported, "\(place) is stored as \(image.compression); only uncompressed pixels are read")
        }
        guard [8, 10, 12, 14, 16].contains(image.bitsPerSample), [0, 1].contains(input.short(.sampleFormat)) else {
            throw DNGError(
                .unsupported,
                "\(place) has samples of \(image.bitsPerSample) bits; whole numbers of 8, 10, 12, 14 or 16 are read")
        }
        guard image.samplesPerPixel == 1 || input.short(.planarConfiguration) == 1 else {
            throw DNGError(.unsupported, "\(place) is stored plane by plane; only pixel by pixel is read")
        }
        // Uncompressed pixels are in the file as they are, which bounds the memory that they take.
        let bytes = bytesInRow(of: image.width) * image.height
        guard bytes <= file.byteCount else {
            throw DNGError(
                .malformed, "\(place) needs \(bytes) bytes of pixels, more than the file has; it may be cut off")
        }
    }

    /// All samples in reading order, linearized when the file has a table for that.
    func samples() throws(DNGError) -> [UInt16] {
        let count = image.width * image.height * image.samplesPerPixel
        var samples = [UInt16](repeating: 0, count: count)
        do {
            try unsafe samples.withUnsafeMutableBufferPointer { buffer throws(DNGError) in
                guard let base = buffer.baseAddress else { return }
                try image.isTiled ? unsafe readTiles(into: base) : unsafe readStrips(into: base)
            }
        }
        linearize(&samples)
        return samples
    }

    private func bytesInRow(of pixels: Int) -> Int {
        (pixels * image.samplesPerPixel * image.bitsPerSample + 7) / 8
    }

    private func readStrips(into samples: UnsafeMutablePointer<UInt16>) throws(DNGError) {
        let given = input.long(.rowsPerStrip)
        let rowsInStrip = given < 1 ? image.height : min(given, image.height)
        let samplesInRow = image.width * image.samplesPerPixel
        let bytesInStrip = rowsInStrip * bytesInRow(of: image.width)
        var scratch = [UInt8](repeating: 0, count: image.bitsPerSample == 16 ? 0 : bytesInStrip)
        for (strip, row) in stride(from: 0, to: image.height, by: rowsInStrip).enumerated() {
            let rows = min(rowsInStrip, image.height - row)
            let bytes = rows * bytesInRow(of: image.width)
            let target = unsafe samples + row * samplesInRow
            if image.bitsPerSample == 16 {
                try unsafe read(strip, into: target, count: bytes, reader: TIFFReadEncodedStrip)
                continue
            }
            unsafe try read(strip, into: &scratch, count: bytes, reader: TIFFReadEncodedStrip)
            for line in 0..<rows {
                unsafe unpack(
                    scratch, from: line * bytesInRow(of: image.width), count: samplesInRow,
                    to: target + line * samplesInRow)
            }
        }
    }

    private func readTiles(into samples: UnsafeMutablePointer<UInt16>) throws(DNGError) {
        let (width, height) = (input.long(.tileWidth), input.long(.tileLength))
        let sides = 1...MosaicFormat.maximumSide
        let tileBytes = sides.contains(width) && sides.contains(height) ? bytesInRow(of: width) * height : .max
        guard tileBytes <= file.byteCount else {
            throw DNGError(.malformed, "the \(width)×\(height) tiles of \(place) are larger than the file")
        }
        var scratch = [UInt8](repeating: 0, count: tileBytes)
        var tile = 0
        for top in stride(from: 0, to: image.height, by: height) {
            for left in stride(from: 0, to: image.width, by: width) {
                unsafe try read(tile, into: &scratch, count: tileBytes, reader: TIFFReadEncodedTile)
                for row in top..<min(top + height, image.height) {
                    let target = unsafe samples + (row * image.width + left) * image.samplesPerPixel
                    unsafe unpack(
                        scratch, from: (row - top) * bytesInRow(of: width),
                        count: min(width, image.width - left) * image.samplesPerPixel, to: target)
                }
                tile += 1
            }
        }
    }

    private typealias Reader = (OpaquePointer?, UInt32, UnsafeMutableRawPointer?, tmsize_t) -> tmsize_t

    /// Has libtiff read one strip or tile, with samples of 16 bits in native byte order.
    private func read(
        _ index: Int, into target: UnsafeMutableRawPointer, count: Int, reader: Reader
    ) throws(DNGError) {
        input.handle.forgetMessages()
        guard unsafe reader(input.handle.tiff, UInt32(index), target, tmsize_t(count)) == tmsize_t(count) else {
            let part = image.isTiled ? "tile" : "strip"
            throw DNGError(.malformed, "\(part) \(index) of \(place) cannot be read: \(input.handle.message)")
        }
    }

    /// Spreads stored samples into 16 bits. Samples of 10 to 14 bits follow each other bit by bit, high bits first.
    private func unpack(_ bytes: [UInt8], from start: Int, count: Int, to target: UnsafeMutablePointer<UInt16>) {
        let bits = image.bitsPerSample
        unsafe bytes.withUnsafeBytes { bytes in
            if bits == 16 {
                for i in 0..<count {
                    unsafe target[i] = unsafe bytes.loadUnaligned(fromByteOffset: start + i * 2, as: UInt16.self)
                }
                return
            }
            var position = start
            var waiting: UInt32 = 0
            var have = 0
            for i in 0..<count {
                while have < bits {
                    waiting = waiting << 8 | UInt32(unsafe bytes[position])
                    position += 1
                    have += 8
                }
                have -= bits
                unsafe target[i] = UInt16(truncatingIfNeeded: waiting >> UInt32(have) & (1 << UInt32(bits) - 1))
            }
        }
    }

    private func linearize(_ samples: inout [UInt16]) {
        let table = input.integers(.linearizationTable).map { UInt16(clamping: $0) }
        guard let last = table.last else { return }
        for i in samples.indices {
            samples[i] = Int(samples[i]) < table.count ? table[Int(samples[i])] : last
        }
    }
}
