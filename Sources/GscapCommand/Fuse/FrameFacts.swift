internal import DNG
internal import Glibc
internal import RawImage

/// What tells to which burst a frame on disk belongs. Its pixels are not read.
struct FrameFacts {
    let path: String
    /// Frames that differ in this are never of one burst: folder and kind of name, camera, size, order of
    /// colours, bits, orientation.
    let kind: String
    /// Microseconds since 1970 at the start of exposure; nil when the file does not say.
    let time: Int64?
    /// Seconds.
    let exposureTime: Double
    /// What the frame's codes were multiplied with against those of another, as a logarithm of 2; nil when unknown.
    let exposure: Double?

    /// The facts in a file; throws when it is no DNG, and gives the reason why it is no frame of a burst.
    static func read(_ path: String) throws(Failure) -> Result<FrameFacts, LeftOut> {
        let file = try DNGInput.open(path)
        guard let image = file.main, image.kind == .bayer, let pattern = image.pattern else {
            return .failure(LeftOut(path: path, reason: "it holds no Bayer frame of a sensor"))
        }
        let metadata = file.metadata
        guard metadata.fusedFrames <= 1 else {
            return .failure(LeftOut(path: path, reason: "it is fused already"))
        }
        let kind = [
            FileNames.series(of: path), metadata.make, metadata.model, file.uniqueCameraModel,
            "\(image.width)x\(image.height)", pattern.rawValue, "\(image.bitsPerSample)", "\(metadata.orientation)",
        ]
        return .success(FrameFacts(path: path, kind: kind.joined(separator: "\n"), metadata))
    }

    private init(path: String, kind: String, _ metadata: FrameMetadata) {
        self.init(
            path: path, kind: kind, time: metadata.wallClock == 0 ? nil : metadata.wallClock,
            exposureTime: metadata.exposureTime, iso: metadata.iso)
    }

    init(path: String, kind: String, time: Int64?, exposureTime: Double, iso: Double) {
        self.path = path
        self.kind = kind
        self.time = time
        self.exposureTime = exposureTime.isFinite ? max(0, exposureTime) : 0
        exposure = exposureTime > 0 && iso > 0 ? Self.logarithm(exposureTime * iso) : nil
    }

    private static func logarithm(_ value: Double) -> Double? {
        let result = log2(value)
        return result.isFinite ? result : nil
    }

    /// The file's name without folder and ending.
    var stem: String { FileNames.stem(of: path) }

    /// The path, so written that numbers in it come in their order.
    var naturalPath: String { Self.natural(path) }

    private static func natural(_ text: String) -> String {
        var result = ""
        var digits = ""
        func flush() {
            guard !digits.isEmpty else { return }
            result += String(repeating: "0", count: max(0, 20 - digits.count)) + digits
            digits = ""
        }
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else {
                flush()
                result.append(character)
            }
        }
        flush()
        return result
    }
}

/// A file that is fused with no other, and why.
struct LeftOut: Error {
    var path: String
    var reason: String
}
