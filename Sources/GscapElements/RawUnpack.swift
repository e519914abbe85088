internal import Demosaic
internal import FrameStream
public import GStreamer
internal import RawImage
internal import Synchronization

/// Converts any Bayer format to canonical form: 16-bit little-endian containers, named as in GStreamer 1.24.
///
/// Frames that are already canonical and have metadata pass through unchanged. Those without metadata get it, and keep
/// their memory unless it belongs to a pool, whose few buffers a camera needs back. Frames without a noise profile get
/// one that is learned from the stream, and marked as estimated.
///
///     gst-launch-1.0 filesrc location=frame.raw blocksize=3110400 ! \
///         video/x-bayer,format=rggb12p,width=1920,height=1080 ! rawunpack ! dngenc ! filesink location=frame.dng
public final class RawUnpack: TransformBehaviour {
    /// The state of a negotiated stream, used by the streaming thread.
    private struct Stream {
        var packed: PackedMosaicFormat
        var canonical: MosaicFormat
        var pool: BufferPool
        var frame: UInt64 = 0
        var hasWarned = false
        /// Whether a frame had codes of more bits than the caps state, so that all frames are clipped.
        var hasWideCodes = false
    }

    private let settings = ElementSettings(RawUnpackSettings.properties)
    private let stream = Mutex<Stream?>(nil)
    /// The noise of a camera that does not state it.
    private let noise = NoiseLearner()
    private let element: ElementHandle

    /// Creates the behaviour of a `rawunpack` element.
    public init(element: ElementHandle) {
        self.element = element
    }

    /// The factory's description, pad templates and properties, as shown by gst-inspect.
    public static let elementClass = ElementClass(
        factoryName: "rawunpack", typeName: "GscapRawUnpack", longName: "Bayer unpacker",
        classification: "Filter/Converter/Video",
        summary: "Converts packed, big-endian, vendor and grey formats losslessly to 16-bit little-endian ones",
        author: Element.gscapAuthor, padTemplates: [.sink(caps: template), .source(caps: BayerCaps.template)],
        properties: RawUnpackSettings.properties.declarations)

    static let template =
        "video/x-bayer, format=(string){ " + BayerDialect.names.joined(separator: ", ") + " }" + frames
        + "; video/x-raw, format=(string){ " + greyFormats.keys.sorted().joined(separator: ", ") + " }" + frames

    private static let frames =
        ", width=(int)[ 1, 65535 ], height=(int)[ 1, 65535 ], framerate=(fraction)[ 0/1, 2147483647/1 ]"

    /// GStreamer's names of grey pictures, which cameras without colour filters deliver, and their Bayer dialect.
    private static let greyFormats = ["GRAY8": "mono", "GRAY16_LE": "mono16le", "GRAY16_BE": "mono16be"]

    /// Sets a property to a new value.
    public func setProperty(_ name: String, to value: Value) throws(GscapError) {
        if name == "neutral", let text = value.text, !text.isEmpty, RawUnpackSettings.neutral(text) == nil {
            throw GscapError(
                message: "neutral must be three numbers above 0, such as \"0.5 1 0.7\", not \"\(text)\"", place: name)
        }
        try settings.set(name, to: value)
    }

    /// Returns the current value of a property.
    public func property(_ name: String) throws(GscapError) -> Value { try settings.value(of: name) }

    /// Returns the canonical format with the same Bayer pattern and bit depth, for each possible input format.
    public func outputCaps(for input: Caps) -> Caps {
        Caps(
            input.structures.flatMap { structure in
                Self.names(structure).compactMap { name -> Structure? in
                    guard let meaning = Self.meaning(of: name, structure) else { return nil }
                    let shape = PackedMosaicFormat(width: 0, height: 0, codes: meaning).canonical()
                    var output = Structure("video/x-bayer", ["format": .string(BayerCaps.canonicalName(shape))])
                    if shape.needsBitDepthField { output["bpp"] = .int(Int32(meaning.bitDepth)) }
                    for field in ["width", "height", "framerate"] { output[field] = structure[field] }
                    return output
                }
            })
    }

    /// Returns all supported input formats with the output's Bayer pattern, size and frame rate.
    public func inputCaps(for output: Caps) -> Caps {
        Caps(
            output.structures.flatMap { structure -> [Structure] in
                let patterns = Set(Self.names(structure).map { String($0.prefix(4)) })
                let bayer = BayerDialect.names.filter { name in
                    guard !patterns.isEmpty, let meaning = BayerDialect.meaning(of: name) else { return true }
                    return patterns.contains(meaning.pattern?.rawValue ?? "mono")
                }
                let grey = patterns.isEmpty || patterns.contains("mono") ? Self.greyFormats.keys.sorted() : []
                return [("video/x-bayer", bayer), ("video/x-raw", grey)].filter { !$1.isEmpty }.map { type, names in
                    var input = Structure(type, ["format": .list(names.map(Value.string))])
                    for field in ["width", "height", "framerate"] { input[field] = structure[field] }
                    return input
                }
            })
    }

    private static func names(_ structure: Structure) -> [String] {
        structure["format"]?.elements?.compactMap(\.text) ?? structure["format"]?.text.map { [$0] } ?? []
    }

    /// Returns what a format name means in a structure of caps; nil if it is not supported.
    private static func meaning(of name: String, _ structure: Structure) -> BayerDialect.CodeFormat? {
        guard let dialect = structure.name == "video/x-raw" ? greyFormats[name] : name else { return nil }
        let bits = structure["bpp"]?.integer ?? structure["depth"]?.integer
        return BayerDialect.meaning(of: dialect, significantBits: bits)
    }

    /// Returns the format that caps describe; nil if it is not supported.
    private static func packed(_ caps: Caps) -> PackedMosaicFormat? {
        guard let structure = caps.first, let name = structure["format"]?.text,
            let meaning = meaning(of: name, structure),
            let width = structure["width"]?.integer, let height = structure["height"]?.integer
        else { return nil }
        return PackedMosaicFormat(width: width, height: height, codes: meaning)
    }

    /// Stores the negotiated format and allocates the buffer pool.
    public func setCaps(input: Caps, output: Caps) throws {
        guard let packed = Self.packed(input) else {
            throw GscapError(message: "\(input) is not a supported Bayer format", place: element.name)
        }
        let canonical = packed.canonical(stride: BayerCaps.stride(width: packed.width))
        let pool = try BufferPool(size: BayerCaps.size(canonical))
        stream.withLock { $0 = Stream(packed: packed, canonical: canonical, pool: pool) }
    }

    /// Offers buffers for rows with the stride of the property, or else padded as GStreamer pads them: rows of bytes
    /// and 16-bit words to 4 bytes, packed ones not at all.
    public func inputAllocation(for caps: Caps) -> InputAllocation? {
        guard let packed = Self.packed(caps) else { return nil }
        let row = packed.layout.rowBytes(width: packed.width)
        let isPadded = [.bytes, .littleEndian, .bigEndian].contains(packed.layout)
        return InputAllocation(size: max(settings.current.stride, isPadded ? (row + 3) & ~3 : row) * packed.height)
    }

    /// Unpacks a frame into a canonical buffer; frames without metadata get it from the properties and the caps.
    public func process(_ input: consuming Buffer, output: Pad) throws {
        let settings = settings.current
        let next = stream.withLock { stream -> (PackedMosaicFormat, MosaicFormat, BufferPool, UInt64)? in
            guard let now = stream else { return nil }
            stream?.frame += 1
            return (now.packed, now.canonical, now.pool, now.frame)
        }
        guard let (format, canonical, pool, frame) = next else { throw FlowError.notNegotiated }
        let placement = try placement(of: input, format, property: settings.stride)
        var packed = format
        packed.stride = placement.stride
        let isCanonical = packed.layout == .littleEndian && placement == RowPlacement(stride: canonical.stride * 2)
        if isCanonical && input.hasFrameMetadata {
            try output.push(try addingNoise(to: input, canonical))
            return
        }
        if isCanonical, !input.isFromPool, hasFittingCodes(input, canonical, frame) {
            let own = metadata(of: input, frame: frame, canonical, settings)
            return try output.push(try completing(input, with: own, canonical))
        }
        let inputMetadata = input.frameMetadata
        var buffer = try pool.acquire()
        let clamped = try buffer.withMutableValues(of: UInt16.self) { (codes: inout MutableSpan<UInt16>) throws in
            try input.withBytes { bytes throws in
                try packed.unpack(
                    bytes.extracting(droppingFirst: min(placement.offset, bytes.byteCount)), into: &codes,
                    stride: canonical.stride)
            }
        }
        if clamped > 0 { warn(of: clamped, canonical.bitDepth) }
        buffer.inherit(from: input)
        var metadata = inputMetadata ?? metadata(of: input, frame: frame, canonical, settings)
        metadata.isMonochrome = canonical.isMonochrome
        if !CodeNoise.isKnown(metadata) {
            buffer.withValues(of: UInt16.self) { codes in noise.learn(codes, canonical, metadata) }
            noise.apply(to: &metadata)
        }
        try buffer.setFrameMetadata(metadata)
        try output.push(buffer)
    }

    /// Returns a canonical frame with the learned noise profile if its metadata has none. Its pixels are not copied.
    private func addingNoise(to input: consuming Buffer, _ format: MosaicFormat) throws -> Buffer {
        guard !input.hasNoiseProfile, let metadata = input.frameMetadata else { return input }
        return try completing(input, with: metadata, format)
    }

    /// Returns a canonical frame with this metadata and the learned noise profile. Its pixels are not copied.
    private func completing(
        _ input: consuming Buffer, with metadata: FrameMetadata, _ format: MosaicFormat
    ) throws -> Buffer {
        var metadata = metadata
        input.withValues(of: UInt16.self) { codes in noise.learn(codes, format, metadata) }
        noise.apply(to: &metadata)
        if !metadata.isNoiseEstimated, input.hasFrameMetadata { return input }
        var output = try input.copySharingMemory()
        try output.setFrameMetadata(metadata)
        return output
    }

    /// The number of codes of a frame that are looked at for having too many bits.
    private static let examined = 1 << 16

    /// Returns whether the codes of a canonical frame have no more bits than the caps state. Caps that do not match the
    /// frames show in most of them, so in a large frame some rows are looked at, in the next one the rows after them.
    private func hasFittingCodes(_ frame: borrowing Buffer, _ format: MosaicFormat, _ number: UInt64) -> Bool {
        if stream.withLock({ $0?.hasWideCodes }) != false { return false }
        let step = max(1, format.width * format.height / Self.examined)
        let seen: UInt16? = frame.withValues(of: UInt16.self) { codes in
            guard (try? format.check(count: codes.count)) != nil else { return nil }
            return unsafe codes.withUnsafeBufferPointer { codes in
                var seen: UInt16 = 0
                for row in stride(from: Int(number % UInt64(step)), to: format.height, by: step) {
                    // Safe: the check above guarantees that all rows are in the buffer.
                    for column in row * format.stride..<row * format.stride + format.width {
                        unsafe seen |= codes[column]
                    }
                }
                return seen
            }
        }
        // A buffer that is too short is reported when it is unpacked.
        guard let seen else { return false }
        let isFitting = format.bitDepth >= 16 || seen >> UInt16(format.bitDepth) == 0
        if !isFitting { stream.withLock { $0?.hasWideCodes = true } }
        return isFitting
    }

    /// Returns the place of a frame's rows: that of the property, or if that is 0, of the frame's metadata, or else the
    /// one that fits its size. Throws if the property's value is shorter than a row.
    private func placement(
        of frame: borrowing Buffer, _ packed: PackedMosaicFormat, property stride: Int
    ) throws -> RowPlacement {
        let least = packed.layout.rowBytes(width: packed.width)
        if stride >= least { return RowPlacement(stride: stride) }
        guard stride == 0 else {
            throw GscapError(
                domain: GscapError.Domain.stream, number: 1,
                message: "a stride of \(stride) bytes is too small: a row has \(least)", place: element.name)
        }
        return frame.rowPlacement(width: packed.width, height: packed.height)
            ?? RowPlacement(stride: packed.likelyStride(byteCount: frame.size))
    }

    private func warn(of count: Int, _ depth: Int) {
        let isFirst = stream.withLock { stream in
            defer { stream?.hasWarned = true }
            return stream?.hasWarned == false
        }
        guard isFirst else { return }
        element.post(
            warning: GscapError(
                message: "\(count) codes have more than \(depth) bits and were clipped to the largest code: the caps "
                    + "do not match the frames", place: element.name))
    }

    /// Returns metadata for a frame without any, from the properties, the buffer's offset and its timestamp.
    private func metadata(
        of buffer: borrowing Buffer, frame: UInt64, _ format: MosaicFormat, _ settings: RawUnpackSettings
    ) -> FrameMetadata {
        var metadata = FrameMetadata(of: format)
        metadata.frameNumber = buffer.offset ?? frame
        metadata.sensorTimestamp = buffer.presentationTime ?? 0
        settings.apply(to: &metadata)
        return metadata
    }
}
