internal import RawImage

extension DNGImage {
    /// Parses a picture's dimensions, format and areas from its directory. `mayBeMain` is false once a main picture has
    /// been found. With `takesGrey`, a grey picture (BlackIsZero) is the raw one of a monochrome camera.
    init(_ directory: TIFFDirectory, mayBeMain: Bool, takesGrey: Bool = false) throws(DNGError) {
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
        xTransPattern =
            photometric == Photometric.cfa ? Self.xTransPattern(directory, activeArea: activeArea) : nil
        fourColorPlanes =
            photometric == Photometric.cfa ? Self.fourColorPlanes(directory, activeArea: activeArea) : []
        let subFileType = directory.integer(.newSubFileType) ?? 0
        kind =
            switch photometric {
            case Photometric.cfa where pattern != nil && samplesPerPixel == 1: .bayer
            case Photometric.cfa where xTransPattern != nil && samplesPerPixel == 1: .xTrans
            case Photometric.cfa where !fourColorPlanes.isEmpty && samplesPerPixel == 1: .fourColor
            case Photometric.cfa where Self.hasOneColor(directory) && samplesPerPixel == 1: .linear
            case Photometric.linearRaw where [1, 3, 4].contains(samplesPerPixel): .linear
            case Photometric.gray where takesGrey && samplesPerPixel == 1 && subFileType == 0: .linear
            case Photometric.depth: .depth
            case Photometric.mask: .mask
            case _ where subFileType & 1 == 1: .preview
            default: .other
            }
        isMain = mayBeMain && subFileType == 0 && kind.isRaw
    }

    /// Returns the planes of a 2×2 pattern of four colours whose order CFAPlaneColor gives; empty for other patterns.
    private static func fourColorPlanes(_ directory: TIFFDirectory, activeArea: PixelRectangle) -> [Int] {
        guard directory.integers(.cfaRepeatPatternDim) == [2, 2] else { return [] }
        let (colors, order) = (directory.integers(.cfaPattern), directory.integers(.cfaPlaneColor))
        let planes = colors.compactMap(order.firstIndex)
        guard colors.count == 4, order.count == 4, Set(planes) == [0, 1, 2, 3] else { return [] }
        // The pattern's origin is the active area's top left corner; shift it to the picture's.
        let (down, across) = (activeArea.top % 2, activeArea.left % 2)
        return (0..<4).map { planes[($0 / 2 + down) % 2 * 2 + ($0 % 2 + across) % 2] }
    }

    private static func xTransPattern(_ directory: TIFFDirectory, activeArea: PixelRectangle) -> XTransPattern? {
        guard directory.integers(.cfaRepeatPatternDim) == [6, 6] else { return nil }
        return XTransPattern(directory.integers(.cfaPattern))?
            .shifted(rows: -activeArea.top, columns: -activeArea.left)
    }

    /// Whether all pixels of a colour filter array have the same colour: the picture is monochrome.
    private static func hasOneColor(_ directory: TIFFDirectory) -> Bool {
        let sides = directory.integers(.cfaRepeatPatternDim)
        let colors = directory.integers(.cfaPattern)
        return sides.count == 2 && sides.allSatisfy((1...8).contains) && colors.count == sides[0] * sides[1]
            && Set(colors).count == 1
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
