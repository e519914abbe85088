internal import Demosaic
internal import RawImage

/// What a renderer starts from.
enum RawSource: Sendable {
    case mosaic(RawMosaic)
    case linear(RawPhoto)

    /// Pixels in a row.
    var width: Int {
        switch self {
        case .mosaic(let mosaic): mosaic.format.width
        case .linear(let photo): photo.format.width
        }
    }

    /// Rows.
    var height: Int {
        switch self {
        case .mosaic(let mosaic): mosaic.format.height
        case .linear(let photo): photo.format.height
        }
    }

    /// Whether each pixel has one colour.
    var isMosaic: Bool {
        if case .mosaic = self { return true }
        return false
    }

    /// What the picture tells of itself.
    var metadata: FrameMetadata {
        get {
            switch self {
            case .mosaic(let mosaic): mosaic.metadata
            case .linear(let photo): photo.metadata
            }
        }
        set {
            switch self {
            case .mosaic(var mosaic):
                mosaic.metadata = newValue
                self = .mosaic(mosaic)
            case .linear(var photo):
                photo.metadata = newValue
                self = .linear(photo)
            }
        }
    }

    /// Throws when codes do not fill the shape.
    func check() throws(DevelopError) {
        try DevelopError.checking { () throws(RawImageError) in
            switch self {
            case .mosaic(let mosaic): try mosaic.format.checkDemosaic(count: mosaic.codes.count)
            case .linear(let photo): try photo.format.check(count: photo.values.count)
            }
        }
    }
}

/// A mosaic whose codes may be a caller's.
struct RawMosaic: Sendable {
    let format: MosaicFormat
    var metadata: FrameMetadata
    private(set) var codes: RawCodes
    /// Whether broken pixels were looked for. Who fused the frame did it there.
    private var isRepaired: Bool

    init(_ mosaic: Mosaic) {
        isRepaired = mosaic.metadata.fusion != nil
        format = mosaic.format
        metadata = mosaic.metadata
        codes = .own(mosaic.codes)
    }

    init(format: MosaicFormat, metadata: FrameMetadata, codes: RawCodes) {
        isRepaired = metadata.fusion != nil
        self.format = format
        self.metadata = metadata
        self.codes = codes
    }

    /// Puts what neighbours say in the place of broken pixels: in a copy, unless the caller knows that nobody else reads the
    /// codes.
    mutating func repair(inPlace: Bool = false, cores: Int? = nil) {
        guard !isRepaired else { return }
        isRepaired = true
        let places = unsafe codes.withUnsafeBufferPointer { codes in
            guard let codes = codes.baseAddress else { return [Int]() }
            return unsafe LonePixels(format, metadata).places(in: codes, cores: cores)
        }
        guard !places.isEmpty else { return }
        var own: [UInt16]
        if inPlace {
            own = codes.array
            // Were it still there, the array would be copied.
            codes = .own([])
        } else {
            own = unsafe codes.withUnsafeBufferPointer { unsafe [UInt16](largeCopyOf: $0, cores: cores) }
        }
        LonePixels.repair(&own, places, stride: format.stride)
        codes = .own(own)
    }

    /// The mosaic with codes of its own.
    func owned() throws(RawImageError) -> Mosaic {
        try Mosaic(format: format, metadata: metadata, codes: codes.array)
    }
}

/// A linear photo whose values may be a caller's.
struct RawPhoto: Sendable {
    let format: LinearFormat
    var metadata: FrameMetadata
    let values: RawCodes

    init(_ photo: LinearImage) {
        format = photo.format
        metadata = photo.metadata
        values = .own(photo.values)
    }

    init(format: LinearFormat, metadata: FrameMetadata, values: RawCodes) {
        self.format = format
        self.metadata = metadata
        self.values = values
    }

    /// The photo with values of its own.
    func owned() throws(RawImageError) -> LinearImage {
        try LinearImage(format: format, metadata: metadata, values: values.array)
    }
}

/// Codes in memory of their own, or in a caller's.
///
/// Lent ones are read only while the call goes on that they were lent for, and nothing writes to them meanwhile: that makes
/// them safe to share between threads.
@safe
enum RawCodes: @unchecked Sendable {
    case own([UInt16])
    case lent(UnsafeBufferPointer<UInt16>)

    var count: Int {
        switch self {
        case .own(let codes): codes.count
        case .lent(let codes): codes.count
        }
    }

    /// A copy where they are not our own.
    var array: [UInt16] {
        switch self {
        case .own(let codes): codes
        case .lent(let codes): unsafe Array(codes)
        }
    }

    func withUnsafeBufferPointer<Result>(_ body: (UnsafeBufferPointer<UInt16>) -> Result) -> Result {
        switch self {
        case .own(let codes): unsafe codes.withUnsafeBufferPointer(body)
        case .lent(let codes): unsafe body(codes)
        }
    }
}
