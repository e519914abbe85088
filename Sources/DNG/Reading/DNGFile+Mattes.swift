public import RawImage

extension DNGFile {
    /// Decodes all semantic masks of the file, up to 256 MB in total.
    public func mattes() throws(GscapError) -> [Matte] {
        var mattes: [Matte] = []
        var total = 0
        for image in images where image.kind == .mask {
            let matte = try matte(image)
            total += matte.shares.count
            guard total <= Self.maximumTotalBytes else {
                throw GscapError(.unsupported, "the mattes exceed 256 MB; read them one by one with matte(_:)")
            }
            mattes.append(matte)
        }
        return mattes
    }

    private static let maximumTotalBytes = 1 << 28

    /// Decodes one semantic mask, padded with 0 to its whole size if only a sub-area is stored.
    public func matte(_ image: DNGImage) throws(GscapError) -> Matte {
        let image = try picture(image, of: .mask)
        guard image.samplesPerPixel == 1, image.bitsPerSample == 8 else {
            throw GscapError(
                .malformed,
                "\(image.place) has \(image.samplesPerPixel) samples of \(image.bitsPerSample) bits; "
                    + "a matte has one of 8"
            )
        }
        let directory = try container.directory(at: image.offset)
        let shares = try PixelReader(self, image).storedSamples().map { UInt8(truncatingIfNeeded: $0) }
        let whole = try wholeSize(of: image, directory)
        return try GscapError.recoding(
            as: .malformed,
            try Matte(
                kind: Matte.Kind(rawValue: image.name), instance: directory.text(.semanticInstanceID) ?? "",
                width: whole.width, height: whole.height, shares: Self.place(shares, of: image, into: whole)))
    }

    /// Returns the origin of the stored area within the whole mask, and the whole mask's size, from MaskSubArea.
    private func wholeSize(of image: DNGImage, _ directory: TIFFDirectory) throws(GscapError) -> PixelRectangle {
        let numbers = directory.integers(.maskSubArea)
        if numbers.isEmpty || numbers == [0, 0, 0, 0] {
            return PixelRectangle(left: 0, top: 0, width: image.width, height: image.height)
        }
        let sides = 0...MosaicFormat.maximumSide
        guard numbers.count == 4, numbers.allSatisfy(sides.contains), numbers[0] + image.height <= numbers[3],
            numbers[1] + image.width <= numbers[2]
        else {
            throw GscapError(
                .malformed, "\(TIFFTag.maskSubArea) of \(image.place) is \(numbers), which does not match its size",
                at: TIFFLocation(directory, .maskSubArea))
        }
        let area = PixelRectangle(left: numbers[1], top: numbers[0], width: numbers[2], height: numbers[3])
        // Limit a mask to the main picture's size, whose pixels the file must hold: otherwise a few bytes could demand
        // gigabytes.
        var largest = image.width * image.height
        if let main {
            _ = try PixelReader(self, main)
            largest = max(largest, main.width * main.height)
        }
        guard area.width * area.height <= largest else {
            throw GscapError(
                .malformed,
                "\(TIFFTag.maskSubArea) of \(image.place) gives \(area.width)×\(area.height) pixels, "
                    + "more than the picture", at: TIFFLocation(directory, .maskSubArea))
        }
        return area
    }

    private static func place(_ shares: [UInt8], of image: DNGImage, into whole: PixelRectangle) -> [UInt8] {
        if whole.width == image.width && whole.height == image.height { return shares }
        var result = [UInt8](repeating: 0, count: whole.width * whole.height)
        for row in 0..<image.height {
            let start = (whole.top + row) * whole.width + whole.left
            result.replaceSubrange(
                start..<start + image.width, with: shares[row * image.width..<(row + 1) * image.width])
        }
        return result
    }

    /// Decodes the file's depth map; nil if there is none.
    public func depthMap() throws(GscapError) -> DepthMap? {
        guard let image = images.first(where: { $0.kind == .depth }) else { return nil }
        guard image.samplesPerPixel == 1, image.bitsPerSample == 8 || image.bitsPerSample == 16 else {
            throw GscapError(
                .malformed,
                "\(image.place) has \(image.samplesPerPixel) samples of \(image.bitsPerSample) bits; "
                    + "depth has one of 8 or 16"
            )
        }
        let codes = try PixelReader(self, image).storedSamples()
        let isInMetres = first.integer(.depthUnits) == 1
        func distance(_ tag: TIFFTag) -> Double? {
            let value = first.numbers(tag).first
            return isInMetres ? value.flatMap { $0.isNaN ? nil : $0 } : nil
        }
        return try GscapError.recoding(
            as: .malformed,
            try DepthMap(
                width: image.width, height: image.height, bitDepth: image.bitsPerSample, codes: codes,
                scale: DepthMap.Scale(rawValue: UInt16(clamping: first.integer(.depthFormat) ?? 0)) ?? .unknown,
                measure: DepthMap.Measure(rawValue: UInt16(clamping: first.integer(.depthMeasureType) ?? 0))
                    ?? .unknown,
                near: distance(.depthNear), far: distance(.depthFar)))
    }
}
