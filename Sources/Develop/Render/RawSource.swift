internal import Demosaic
internal import PixelMemory
internal import RawImage

/// The raw image that a renderer starts from.
enum RawSource: Sendable {
    case mosaic(MosaicSource)
    case linear(LinearSource)

    /// Width in pixels.
    var width: Int {
        switch self {
        case .mosaic(let mosaic): mosaic.format.width
        case .linear(let photo): photo.format.width
        }
    }

    /// Height in pixels.
    var height: Int {
        switch self {
        case .mosaic(let mosaic): mosaic.format.height
        case .linear(let photo): photo.format.height
        }
    }

    /// Whether each pixel has one sample behind a colour filter array.
    var isMosaic: Bool {
        if case .mosaic = self { return true }
        return false
    }

    /// The ratio of the picture's noise variance to that of the stated profile, if an estimate replaces that.
    var statedNoiseRatio: Double? {
        if case .mosaic(let mosaic) = self { return mosaic.statedNoiseRatio }
        return nil
    }

    /// The frame metadata.
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

    /// Throws unless the number of samples matches the format.
    func check() throws(GscapError) {
        try GscapError.checking { () throws(GscapError) in
            switch self {
            case .mosaic(let mosaic): try mosaic.format.checkDemosaic(count: mosaic.codes.count)
            case .linear(let photo): try photo.format.check(count: photo.values.count)
            }
        }
    }
}

/// A mosaic whose samples are owned or borrowed from a caller.
struct MosaicSource: Sendable {
    let format: MosaicFormat
    var metadata: FrameMetadata
    private(set) var codes: RawSamples
    /// Whether defective pixels were already repaired; fusion repairs them in the photos it writes.
    private var isRepaired: Bool
    /// The ratio of the picture's noise variance to that of the stated profile, which an estimate replaces; nil if it
    /// was believed, or if there was none.
    private(set) var statedNoiseRatio: Double?

    /// Whether the mosaic is the result of a fusion. It is rendered as the linear photo that demosaicing would give.
    var isFused: Bool { metadata.fusion != nil }

    init(_ mosaic: Mosaic) {
        isRepaired = mosaic.metadata.fusion != nil
        format = mosaic.format
        metadata = mosaic.metadata
        codes = .owned(mosaic.codes)
    }

    init(format: MosaicFormat, metadata: FrameMetadata, codes: RawSamples) {
        isRepaired = metadata.fusion != nil
        self.format = format
        self.metadata = metadata
        self.codes = codes
    }

    /// Sets the noise profile to an estimate from the samples if the metadata has none, or one with more than twice the
    /// picture's noise; one picture cannot prove that there is more noise than stated. A fused photo keeps what its
    /// metadata states: its noise differs from place to place.
    mutating func estimateNoise(cores: Int? = nil) {
        let isStated = CodeNoise.isKnown(metadata)
        guard !isFused, !(isStated && metadata.isNoiseEstimated), metadata.problem == nil,
            (try? format.check(count: codes.count)) != nil
        else { return }
        guard let estimate = codes.withView({ NoiseEstimate($0, format, metadata, cores: cores) }) else { return }
        if isStated {
            guard let ratio = estimate.ratio(to: metadata.noise), ratio < 0.5 else { return }
            statedNoiseRatio = ratio
        }
        metadata.noise = estimate.profiles
        metadata.isNoiseEstimated = true
    }

    /// Replaces defective pixels by values interpolated from their neighbours.
    ///
    /// `inPlace` avoids a copy; it is allowed only if no other value shares the array of samples.
    mutating func repair(inPlace: Bool = false, cores: Int? = nil) {
        guard !isRepaired else { return }
        isRepaired = true
        let defects = codes.withView { IsolatedDefects(format, metadata).places(in: $0, cores: cores) }
        guard !defects.isEmpty else { return }
        var repaired: [UInt16]
        if inPlace {
            repaired = codes.array
            // Releases the second reference, which would make the array copy on write.
            codes = .owned([])
        } else {
            repaired = codes.withView { [UInt16](largeCopyOf: $0, cores: cores) }
        }
        IsolatedDefects.repair(&repaired, defects, stride: format.stride)
        codes = .owned(repaired)
    }

    /// Returns the mosaic with an owned copy of borrowed samples.
    func owned() throws(GscapError) -> Mosaic {
        try Mosaic(format: format, metadata: metadata, codes: codes.array)
    }
}

/// A linear image whose samples are owned or borrowed from a caller.
struct LinearSource: Sendable {
    let format: LinearFormat
    var metadata: FrameMetadata
    let values: RawSamples

    init(_ photo: LinearImage) {
        format = photo.format
        metadata = photo.metadata
        values = .owned(photo.values)
    }

    init(format: LinearFormat, metadata: FrameMetadata, values: RawSamples) {
        self.format = format
        self.metadata = metadata
        self.values = values
    }

    /// Returns the linear image with an owned copy of borrowed samples.
    func owned() throws(GscapError) -> LinearImage {
        try LinearImage(format: format, metadata: metadata, values: values.array)
    }
}

/// Raw samples in an array, or borrowed from a caller's buffer.
///
/// Borrowed samples are valid only during the call that borrowed them and nothing writes to them meanwhile, so
/// threads can share them.
enum RawSamples: Sendable {
    case owned([UInt16])
    case borrowed(MemoryView<UInt16>)

    var count: Int {
        switch self {
        case .owned(let codes): codes.count
        case .borrowed(let codes): codes.bounds.count
        }
    }

    /// The samples as an array, copied if they are borrowed.
    var array: [UInt16] {
        switch self {
        case .owned(let codes): codes
        case .borrowed(let codes): codes.withSpan { $0.array }
        }
    }

    func withView<Result>(_ body: (MemoryView<UInt16>) -> Result) -> Result {
        switch self {
        case .owned(let codes): codes.withView(body)
        case .borrowed(let codes): body(codes)
        }
    }
}
