internal import RawImage

extension DNGImage {
    /// Parses a picture's dimensions, format and areas from its directory. `mayBeMain` is false once a main picture has
    /// been found.
    init(_ directory: TIFFDirectory, mayBeMain: Bool) throws(DNGError) {
        offset = directory.offset
        width = directory.integer(.imageWidth) ?? 0
        height = directory.integer(.imageLength) ?? 0
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height) else {
            throw DNGError(
                .malformed, "the picture of the directory at byte \(offset) has a size of \(width)×\(height)",
                at: DNGError.Location(directory))
        }
        samplesPerPixel = directory.integer(.samplesPerPixel) ?? 1
        bitsPerSample = directory.integer(.bitsPerSample) ?? 1
        isFloatingPoint = directory.integer(.sampleFormat) == 3
        compression = DNGCompression(rawValue: directory.integer(.compression) ?? 1)
        isTiled = directory.has(.tileWidth)
        activeArea = Self.activeArea(directory, width: width, height: height)
        defaultCrop = Self.defaultCrop(directory, within: activeArea)
        name = directory.text(.semanticName) ?? ""

        photometric = UInt16(clamping: directory.integer(.photometric) ?? 0)
        pattern = photometric == Photometric.cfa ? Self.pattern(directory, activeArea: activeArea) : nil
        let subFileType = directory.integer(.newSubFileType) ?? 0
        kind =
            switch photometric {
            case Photometric.cfa where pattern != nil && samplesPerPixel == 1: .bayer
            case Photometric.linearRaw where samplesPerPixel == 3: .linear
            case Photometric.depth: .depth
            case Photometric.mask: .mask
            case _ where subFileType & 1 == 1: .preview
            default: .other
            }
        isMain = mayBeMain && subFileType == 0 && (kind == .bayer || kind == .linear)
    }

    private static func pattern(_ directory: TIFFDirectory, activeArea: PixelRectangle) -> BayerPattern? {
        guard directory.integers(.cfaRepeatPatternDim) == [2, 2] else { return nil }
        let colors = directory.integers(.cfaPattern)
        // CFAPattern's origin is the active area's top left corner; shift it to the picture's.
        return BayerPattern.allCases.first { $0.planes == colors }?
            .shifted(rows: -activeArea.top, columns: -activeArea.left)
    }

    private static func activeArea(_ directory: TIFFDirectory, width: Int, height: Int) -> PixelRectangle {
        let edges = directory.integers(.activeArea)
        guard edges.count == 4, edges[0] >= 0, edges[1] >= 0, edges[0] < edges[2], edges[1] < edges[3],
            edges[2] <= height, edges[3] <= width
        else {
            return PixelRectangle(left: 0, top: 0, width: width, height: height)
        }
        return PixelRectangle(left: edges[1], top: edges[0], width: edges[3] - edges[1], height: edges[2] - edges[0])
    }

    private static func defaultCrop(_ directory: TIFFDirectory, within area: PixelRectangle) -> PixelRectangle {
        let numbers = directory.integers(.defaultCropOrigin) + directory.integers(.defaultCropSize)
        guard numbers.count == 4, numbers.allSatisfy({ (0...MosaicFormat.maximumSide).contains($0) }) else {
            return area
        }
        let (left, top, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
        guard width > 0, height > 0, left + width <= area.width, top + height <= area.height else { return area }
        return PixelRectangle(left: area.left + left, top: area.top + top, width: width, height: height)
    }
}
