internal import CameraRaw
internal import DNG
internal import Glibc
internal import RawImage

/// A frame on disk with the metadata that assigns it to a burst. Its pixels are not read.
struct BurstCandidate {
    let path: String
    /// The properties that all frames of a burst have in common, joined by newlines: folder and beginning of the name,
    /// camera, size, CFA pattern, bits per sample and orientation.
    let kind: String
    /// The time of capture in microseconds since 1970; nil if the file has none.
    let time: Int64?
    /// The exposure time in seconds.
    let exposureTime: Double
    /// The exposure in EV: the base-2 logarithm of exposure time × ISO; nil if unknown. Differences are stops.
    let exposure: Double?

    /// Reads a file's metadata. Throws if the file is not a DNG; returns the reason if the DNG is not a frame of a
    /// burst.
    static func read(_ path: String) throws(Failure) -> Result<BurstCandidate, ExcludedFile> {
        let header = try DNGInput.header(of: path)
        guard let format = header.format else {
            let reason =
                header.isXTrans
                ? "the file contains an X-Trans mosaic; only Bayer mosaics are fused"
                : "the file contains no Bayer image"
            return .failure(ExcludedFile(path: path, reason: reason))
        }
        let metadata = header.metadata
        guard metadata.fusedFrames <= 1 else {
            return .failure(ExcludedFile(path: path, reason: "the photo is fused already"))
        }
        let kind = [
            FileNames.series(of: path), metadata.make, metadata.model, header.uniqueCameraModel,
            "\(format.width)x\(format.height)", format.colorName, "\(format.bitDepth)",
            "\(metadata.orientation)",
        ]
        return .success(BurstCandidate(path: path, kind: kind.joined(separator: "\n"), metadata))
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

    /// Returns the base-2 logarithm, or nil if it is not finite.
    private static func logarithm(_ value: Double) -> Double? {
        let result = log2(value)
        return result.isFinite ? result : nil
    }

    /// The file's name without its folder and extension.
    var stem: String { FileNames.stem(of: path) }

    /// The path with all its numbers padded to 20 digits, so that paths sort by their numbers: a-2 before a-10.
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

/// A file that is not fused, and the reason.
struct ExcludedFile: Error {
    var path: String
    var reason: String
}
