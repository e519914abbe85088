internal import Files
internal import GscapElements
internal import RawImage

extension Photo {
    /// Returns the file with the changes that a customizer asks for.
    ///
    /// The raw picture of a DNG is decoded and encoded again if anything changes; mattes, depth map and look are kept,
    /// and so are the previews, except that a raw picture that becomes lossy gets a new preview of half its size.
    /// Throws for a failed photo, and the error `cannotCustomize` if the file format cannot store a change.
    public func fileBytes(with customizer: any PhotoFileCustomizer) throws(CaptureError) -> [UInt8] {
        if let error { throw error }
        if format.isRAW { return try customizedDNG(customizer) }
        let details = metadata?.details ?? DescriptiveMetadata()
        let replacement = customizer.replacementMetadata(for: self, default: details)
        guard customizer.replacementThumbnailLongestSide(for: self) == nil else {
            throw refusal("a \(format.summary) file has no preview; only DNG files have one")
        }
        if format.isUncompressed, let pixelBuffer {
            return try pixelBuffer.tiff(details: replacement == details ? nil : replacement)
        }
        guard replacement == details else {
            throw refusal(
                "the metadata of a finished \(format.summary) file cannot be replaced; "
                    + "give it with the photo settings, or request a RAW or uncompressed photo")
        }
        guard let bytes = fileBytes() else { throw CaptureError(.branchFailed, "there is no picture to customize") }
        return bytes
    }

    /// Writes the file with the changes that a customizer asks for, atomically, and returns its size in bytes. If the
    /// file exists, this throws unless `replacing` is true.
    @discardableResult
    public func write(
        to path: String, customizedBy customizer: any PhotoFileCustomizer, replacing: Bool = false
    ) throws(CaptureError) -> Int {
        let bytes = try fileBytes(with: customizer)
        try bytes.withBytes { (bytes) throws(CaptureError) in
            try WholeFile.write(bytes, to: path, replacing: replacing)
        }
        return bytes.count
    }

    private func customizedDNG(_ customizer: any PhotoFileCustomizer) throws(CaptureError) -> [UInt8] {
        guard let bytes = fileBytes() else { throw CaptureError(.branchFailed, "there is no picture to customize") }
        let stored = try storing { try StoredDNG(bytes) }
        guard let conversion = try conversion(of: stored, customizer) else { return bytes }
        return try storing { try stored.converted(by: conversion) }
    }

    private func storing<Value>(_ work: () throws -> Value) throws(CaptureError) -> Value {
        do {
            return try work()
        } catch {
            throw CaptureError(
                .cannotCustomize, "the DNG cannot be stored again: \(error)", place: format.name, cause: error)
        }
    }

    /// Returns the conversion that a customizer asks for; nil if it changes nothing.
    private func conversion(
        of stored: StoredDNG, _ customizer: any PhotoFileCustomizer
    ) throws(CaptureError) -> DNGConversion? {
        let compression = try compression(of: stored, customizer)
        let details = customizer.replacementMetadata(for: self, default: stored.details)
        let side = customizer.replacementThumbnailLongestSide(for: self)
        if compression == ProRAWCompression(), details == stored.details, side == nil { return nil }
        var conversion = DNGConversion(bitDepth: compression.bitDepth, quality: compression.quality)
        if details != stored.details { conversion.details = details }
        if let side {
            guard side >= 1 else { throw refusal("a preview of \(side) pixels is not possible; use at least 1") }
            conversion.preview = .render(longestSide: side)
        } else if compression.quality < 1 {
            conversion.preview = .half
        }
        return conversion
    }

    /// Returns the compression that a customizer asks for; throws if it is out of range. That of other photos than
    /// ProRAW does not change.
    private func compression(
        of stored: StoredDNG, _ customizer: any PhotoFileCustomizer
    ) throws(CaptureError) -> ProRAWCompression {
        guard format == .raw(.proRAW) else { return ProRAWCompression() }
        // Lossy files store 8 bits along a curve, which stand for more bits of linear values.
        let most = stored.isLossy ? 12 : stored.bitDepth
        let compression = customizer.replacementCompression(
            for: self, default: ProRAWCompression(), maximumBitDepth: most)
        guard (0...1).contains(compression.quality) else {
            throw refusal("a quality of \(compression.quality) is out of range; use 0 to 1")
        }
        // Lossy compression ignores the bit depth.
        if compression.quality == 1, let bitDepth = compression.bitDepth, !(8...most).contains(bitDepth) {
            throw refusal("a bit depth of \(bitDepth) is out of range; use 8 to \(most)")
        }
        return compression
    }

    private func refusal(_ message: String) -> CaptureError {
        CaptureError(.cannotCustomize, message, place: format.name)
    }
}
