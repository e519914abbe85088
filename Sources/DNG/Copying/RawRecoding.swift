internal import Kernels
internal import PhotoMetadata
internal import RawImage

/// The codes of a raw picture in a copy, and the tags that describe their storage.
///
/// Where the storage allows it, the codes are those of the source, and all tags about their meaning stay: black and
/// white levels, LinearizationTable, opcodes. Fewer bits, and JPEG XL that is lossy or of codes that stand for other
/// values, need linear values: OpcodeList1 and LinearizationTable are applied, and the tags after them stay. Integers
/// of more than 16 bits are scaled to codes of 16, with their levels.
struct RawRecoding {
    /// The meaning of the codes in the copy.
    enum Content {
        /// The codes of the source.
        case codes
        /// Linear values: OpcodeList1 and LinearizationTable of the source are applied.
        case linear
        /// Linear values with fewer bits along a curve, which is the new LinearizationTable.
        case companded
    }

    let content: Content
    let plan: RawEncodingPlan
    private let image: DNGImage
    private let source: TIFFDirectory
    /// The samples to encode, before the curve of `plan`.
    private let samples: [UInt16]
    /// The factor by which integers of more than 16 bits were scaled to codes; 1 for other samples.
    private let scale: Double

    init(
        _ file: DNGFile, _ image: DNGImage, _ stored: [UInt16], _ settings: DNGTranscoder
    ) throws(GscapError) {
        source = try file.container.directory(at: image.offset)
        let image = try image.stored(in: source)
        self.image = image
        try RawEncodingPlan.check(RawPictureFormat(stored: image), settings.storage)
        let reader = try PixelReader(file, image)
        scale = reader.levels?.scales.first ?? 1
        if scale != 1 { try Self.checkLevels(source) }
        let (storage, used) = (settings.storage, Self.bits(of: stored))
        let ownBits = max(image.bitsPerSample, used)
        let choice = try Self.choice(settings, image, source, ownBits: ownBits, usedBits: used, reader.levels)
        guard choice.content != .codes else {
            (content, samples) = (.codes, stored)
            plan = try Self.plan(image, settings, bits: choice.bits, curve: nil, stored)
            return
        }
        let skipped = file.opcodes.first { $0.list == 1 && !$0.isRead && !$0.isOptional }
        if let skipped {
            throw GscapError(
                .unsupported,
                "\(skipped.name) of OpcodeList1 cannot be applied, which this compression needs; use lossless "
                    + "compression without --bits and --quality", at: TIFFLocation(source, .opcodeList1))
        }
        let linear = reader.tableSamples(stored)
        let curve =
            choice.content == .companded
            ? CompandingCurve(
                bits: choice.bits, black: reader.levels?.black ?? [], white: reader.levels?.white ?? 65_535,
                file.metadata)
            : nil
        content = curve == nil ? .linear : .companded
        samples = linear
        let needed = storage.compression == .jpegXL ? 16 : max(choice.bits, 8, Self.bits(of: linear))
        // dcraw and RawTherapee 5.9 show a linear photo of 8-bit lossless JPEG as black: its codes go into 9 bits.
        let least = storage.compression == .jpeg && image.kind == .linear ? 9 : 8
        plan = try Self.plan(
            image, settings, bits: curve == nil ? needed : max(choice.bits, least), curve: curve, linear)
    }

    private static func plan(
        _ image: DNGImage, _ settings: DNGTranscoder, bits: Int, curve: CompandingCurve?, _ samples: [UInt16]
    ) throws(GscapError) -> RawEncodingPlan {
        let format = RawPictureFormat(stored: image)
        let plan = RawEncodingPlan(
            format, storage: settings.storage, bits: bits, curve: curve, shouldContinue: settings.shouldContinue)
        return try unsafe samples.withUnsafeBufferPointer { samples throws(GscapError) in
            guard let base = samples.baseAddress else { throw GscapError(.badPicture, "there are no pixels") }
            return try unsafe plan.withBestPredictor(for: base)
        }
    }

    /// Whether the codes of the copy are exactly those of the source.
    var isExact: Bool { content == .codes && !image.isWide }

    /// Whether the source's NewRawImageDigest is also that of the copy. The digest of 8-bit codes is one of bytes.
    var keepsDigest: Bool {
        isExact && plan.storage.hasDigest && (plan.bits == 8) == (image.bitsPerSample == 8)
    }

    // MARK: Choice of content and bits

    private static func choice(
        _ settings: DNGTranscoder, _ image: DNGImage, _ source: TIFFDirectory, ownBits: Int, usedBits: Int,
        _ levels: RawLevels?
    ) throws(GscapError) -> (content: Content, bits: Int) {
        let hasTable = source.has(.linearizationTable)
        // MapPolynomial and others of OpcodeList1 count from 0 to 255 with up to 8 bits and to 65535 with more.
        func changesOpcodes(_ bits: Int) -> Bool { source.has(.opcodeList1) && (bits > 8) != (image.bitsPerSample > 8) }
        switch settings.storage {
        case .lossyJPEG: return (.companded, 8)
        case .uncompressed: return (.codes, ownBits <= 8 ? 8 : 16)
        case .jpegXL(let distance, _) where distance > 0: return (.companded, 16)
        // Decoders scale the samples of JPEG XL to 16 bits, before LinearizationTable.
        case .jpegXL: return (hasTable || changesOpcodes(16) ? .linear : .codes, 16)
        case .losslessJPEG:
            guard let wanted = settings.bitDepth, wanted < ownBits else { return (.codes, ownBits) }
            let white = hasTable ? 0 : Int(min(levels?.white ?? 0, 65_535))
            let needed = max(usedBits, Int.bitWidth - white.leadingZeroBitCount)
            return (wanted >= needed && !changesOpcodes(wanted) ? .codes : .companded, wanted)
        }
    }

    /// Returns the bits that the largest of some codes needs.
    private static func bits(of codes: [UInt16]) -> Int {
        let used = unsafe codes.withUnsafeBufferPointer { codes in
            guard let base = codes.baseAddress else { return UInt16(0) }
            return unsafe bitsUsed(base, count: codes.count)
        }
        return UInt16.bitWidth - used.leadingZeroBitCount
    }

    // MARK: Tags

    /// Throws if levels cannot be scaled with the samples.
    private static func checkLevels(_ source: TIFFDirectory) throws(GscapError) {
        for tag in [TIFFTag.blackLevelDeltaH, .blackLevelDeltaV] where source.has(tag) {
            throw GscapError(
                .unsupported,
                "integers of more than 16 bits with \(tag) are not scaled to fewer bits: convert them without --bits "
                    + "and --quality", at: TIFFLocation(source, tag))
        }
    }

    /// Scales the levels of integers of more than 16 bits with the samples.
    private func scaleLevels(_ node: DirectoryNode) {
        guard scale != 1 else { return }
        if source.has(.blackLevel) {
            node.set(.blackLevel, ratios: source.numbers(.blackLevel).map { $0 * scale })
        }
        let stated = source.numbers(.whiteLevel)
        let whites = stated.isEmpty ? [Double(1 << image.bitsPerSample - 1)] : stated
        let white = (0..<image.samplesPerPixel).map { whites[min($0, whites.count - 1)] * scale }
        node.set(.whiteLevel, longs: white.map { Int(min($0, 65_535).rounded()) })
    }

    /// Changes the tags of the raw directory that describe the storage, and no others.
    func setTags(_ node: DirectoryNode) {
        node.removePixels()
        scaleLevels(node)
        node.set(.compression, shorts: [plan.storage.compression.rawValue])
        let bits = Array(repeating: plan.bits, count: image.samplesPerPixel)
        if bits != source.integers(.bitsPerSample) { node.set(.bitsPerSample, shorts: bits) }
        switch content {
        case .codes: break
        case .linear: node.remove([.linearizationTable, .opcodeList1])
        case .companded:
            node.remove([.opcodeList1])
            node.set(.linearizationTable, shorts: (plan.curve?.values ?? []).map(Int.init))
        }
        // The default of WhiteLevel depends on BitsPerSample and LinearizationTable.
        if !source.has(.whiteLevel), scale == 1, content != .codes || plan.bits != image.bitsPerSample {
            let white = source.has(.linearizationTable) ? 65_535 : 1 << image.bitsPerSample - 1
            node.set(.whiteLevel, longs: Array(repeating: white, count: image.samplesPerPixel))
        }
        if plan.storage == .uncompressed {
            node.set(.rowsPerStrip, longs: [rowsInStrip])
            let count = (image.height + rowsInStrip - 1) / rowsInStrip
            node.setEncoded(.stripOffsets, .stripByteCounts, count: count)
        } else {
            if plan.isInterleaved {
                node.set(.rowInterleaveFactor, shorts: [2])
                node.set(.columnInterleaveFactor, shorts: [2])
            }
            node.set(.tileWidth, longs: [plan.plan.tileWidth])
            node.set(.tileLength, longs: [plan.plan.tileHeight])
            node.setEncoded(.tileOffsets, .tileByteCounts, count: plan.plan.tileCount)
        }
    }

    // MARK: Pixels

    /// Encodes the samples into the pieces of a directory. Returns the digest of the stored codes if `needsDigest`, and
    /// the compression has one.
    func write(
        to writer: DirectoryWriter, _ node: DirectoryNode, _ list: DirectoryNode.Pieces, needsDigest: Bool
    ) throws(GscapError) -> RawDigest? {
        let hasDigest = needsDigest && plan.storage.hasDigest
        if plan.storage == .uncompressed {
            try writeStrips(to: writer, node, list)
        } else {
            let sink = DirectorySink(writer, node, list)
            let digest = try unsafe samples.withUnsafeBufferPointer { samples throws(GscapError) in
                guard let base = samples.baseAddress else { throw GscapError(.badPicture, "there are no pixels") }
                return try unsafe TileWriter(plan, sink).write(base, digests: hasDigest && content == .companded)
            }
            if let digest { return digest }
        }
        guard hasDigest else { return nil }
        let table = content == .codes ? source.integers(.linearizationTable).count : 0
        return RawDigest(
            samples: samples, width: image.width, height: image.height, planes: image.samplesPerPixel,
            inBytes: plan.bits == 8 || (1...256).contains(table))
    }

    private var samplesInRow: Int { image.width * image.samplesPerPixel }
    private var bytesOfSample: Int { plan.bits <= 8 ? 1 : 2 }

    /// A strip has about half a megabyte, so that readers can decode strip by strip.
    private var rowsInStrip: Int { min(image.height, max(1, 524_288 / (samplesInRow * bytesOfSample))) }

    private func writeStrips(
        to writer: DirectoryWriter, _ node: DirectoryNode, _ list: DirectoryNode.Pieces
    ) throws(GscapError) {
        var positions: [Int] = []
        for index in list.pieces.indices {
            let rows = min(rowsInStrip, image.height - index * rowsInStrip)
            positions.append(
                try writer.reserve(rows * samplesInRow * bytesOfSample, piece: index, of: node, list))
        }
        let (strips, isBigEndian) = (positions, node.isBigEndian)
        try unsafe samples.withUnsafeBufferPointer { samples throws(GscapError) in
            guard let codes = samples.baseAddress else { return }
            try unsafe writer.fill { base in
                // nonisolated(unsafe): concurrent bands access only their own rows of codes and bytes.
                nonisolated(unsafe) let (codes, base) = unsafe (codes, base)
                concurrentBands(rows: image.height, of: rowsInStrip) { rows in
                    let start = unsafe base + strips[rows.lowerBound / rowsInStrip]
                    let source = unsafe codes + rows.lowerBound * samplesInRow
                    unsafe store(source, count: rows.count * samplesInRow, to: start, isBigEndian: isBigEndian)
                }
            }
        }
    }

    private func store(
        _ codes: UnsafePointer<UInt16>, count: Int, to bytes: UnsafeMutableRawPointer, isBigEndian: Bool
    ) {
        if bytesOfSample == 1 {
            for i in 0..<count {
                unsafe bytes.storeBytes(of: UInt8(truncatingIfNeeded: codes[i]), toByteOffset: i, as: UInt8.self)
            }
        } else if isBigEndian {
            unsafe storeBigEndian(codes, count: count, to: bytes)
        } else {
            unsafe bytes.copyMemory(from: codes, byteCount: 2 * count)
        }
    }
}

/// Stores encoded tiles as the pieces of a directory.
final class DirectorySink: TileSink {
    private let writer: DirectoryWriter
    private let node: DirectoryNode
    private let list: DirectoryNode.Pieces

    init(_ writer: DirectoryWriter, _ node: DirectoryNode, _ list: DirectoryNode.Pieces) {
        (self.writer, self.node, self.list) = (writer, node, list)
    }

    func write(tile: Int, _ bytes: [UInt8]) throws(GscapError) {
        try writer.store(bytes, piece: tile, of: node, list)
    }
}

extension DirectoryNode {
    /// The tags that describe how pixels are stored, without those of the samples themselves.
    private static let storageTags: [TIFFTag] = [
        .compression, .fillOrder, .predictor, .jpegTables, .rowsPerStrip, .stripOffsets, .stripByteCounts, .tileWidth,
        .tileLength, .tileOffsets, .tileByteCounts, .rowInterleaveFactor, .columnInterleaveFactor, .subTileBlockSize,
        .jxlDistance, .jxlEffort, .jxlDecodeSpeed,
    ]

    /// Removes the pixels and the tags that describe their storage. Interleaved planes are the default.
    func removePixels() {
        remove(Self.storageTags)
        if values[.planarConfiguration] != nil { set(.planarConfiguration, shorts: [1]) }
    }

    /// Adds `count` strips or tiles that are encoded later.
    func setEncoded(_ offsets: TIFFTag, _ counts: TIFFTag, count: Int) {
        pieces.append(Pieces(offsets: offsets, counts: counts, pieces: Array(repeating: .encoded, count: count)))
    }
}
