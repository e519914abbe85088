public import FoundationEssentials
public import GSCapture

extension Photo {
    /// Returns the photo's file: a DNG with its metadata and further images for RAW, the compressed file for compressed
    /// formats, and a TIFF for uncompressed ones; nil if there is no picture.
    public func fileDataRepresentation() -> Data? {
        withFileBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Data($0) } }
    }

    /// Returns the photo's file with the changes that a customizer asks for. Throws for a failed photo, and the error
    /// `cannotCustomize` if the file format cannot store a change.
    public func fileDataRepresentation(with customizer: any PhotoFileCustomizer) throws(CaptureError) -> Data {
        Data(try fileBytes(with: customizer))
    }

    /// Writes the file atomically to a file URL, and returns its size in bytes. If the file exists, this throws unless
    /// `replacing` is true.
    @discardableResult
    public func write(to url: URL, replacing: Bool = false) throws(CaptureError) -> Int {
        try write(to: Self.path(of: url), replacing: replacing)
    }

    /// Writes the file with the changes that a customizer asks for, atomically, to a file URL, and returns its size in
    /// bytes. If the file exists, this throws unless `replacing` is true.
    @discardableResult
    public func write(
        to url: URL, customizedBy customizer: any PhotoFileCustomizer, replacing: Bool = false
    ) throws(CaptureError) -> Int {
        try write(to: Self.path(of: url), customizedBy: customizer, replacing: replacing)
    }

    private static func path(of url: URL) throws(CaptureError) -> String {
        guard url.isFileURL else {
            throw CaptureError(
                .cannotWrite, "photos are written to file URLs only; upload the data of the file instead",
                place: url.absoluteString)
        }
        return url.path
    }
}

extension PhotoPixelBuffer {
    /// Returns a copy of the bytes of all rows, with the padding at their ends.
    public var data: Data {
        withPixels { bytes in unsafe bytes.withUnsafeBytes { unsafe Data($0) } }
    }
}
