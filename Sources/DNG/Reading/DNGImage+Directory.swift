internal import RawImage

extension DNGImage {
    /// Parses a picture's dimensions, format and areas from its directory. `mayBeMain` is false once a main picture has
    /// been found. With `takesGrey`, a grey picture (BlackIsZero) is the raw one of a monochrome camera. Without
    /// `binsQuads` the size and areas of a quad mosaic are those stored.
    init(
        _ directory: TIFFDirectory, mayBeMain: Bool, takesGrey: Bool = false, binsQuads: Bool = true
    ) throws(GscapError) {
        offset = directory.offset
        let width = directory.integer(.imageWidth) ?? 0
        let height = directory.integer(.imageLength) ?? 0
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height) else {
            throw GscapError(
                .malformed, "the picture of the directory at byte \(offset) has a size of \(width)×\(height)",
                at: TIFFLocation(directory))
        }
        samplesPerPixel = directory.integer(.samplesPerPixel) ?? 1
        bitsPerSample = directory.integer(.bitsPerSample) ?? 1
        isFloatingPoint = directory.integer(.sampleFormat) == 3
        compression = DNGCompression(rawValue: directory.integer(.compression) ?? 1)
        isTiled = directory.has(.tileWidth)
        let activeArea = Self.activeArea(directory, width: width, height: height)
        let defaultCrop = Self.defaultCrop(directory, within: activeArea)
        name = directory.text(.semanticName) ?? ""

        photometric = UInt16(clamping: directory.integer(.photometric) ?? 0)
        let quad =
            photometric == Photometric.cfa && bitsPerSample <= 16 && !isFloatingPoint
            ? Self.quadPattern(directory, activeArea: activeArea) : nil
        isQuad = quad != nil
        isBinned = isQuad && binsQuads
        self.width = isBinned ? width / 2 : width
        self.height = isBinned ? height / 2 : height
        self.activeArea = isBinned ? activeArea.halved : activeArea
        self.defaultCrop = isBinned ? defaultCrop.halved : defaultCrop
        pattern = photometric == Photometric.cfa ? quad ?? Self.pattern(directory, activeArea: activeArea) : nil
        xTransPattern =
            photometric == Photometric.cfa ? Self.xTransPattern(directory, activeArea: activeArea) : nil
        fourColorPlanes =
            photometric == Photometric.cfa ? Self.fourColorPlanes(directory, activeArea: activeArea) : []
        longPattern =
            photometric == Photometric.cfa && pattern == nil ? LongPattern(directory, activeArea: activeArea) : nil
        let subFileType = directory.integer(.newSubFileType) ?? 0
        kind =
            switch photometric {
            case Photometric.cfa where pattern != nil && samplesPerPixel == 1: .bayer
            case Photometric.cfa where xTransPattern != nil && samplesPerPixel == 1: .xTrans
            case Photometric.cfa where !fourColorPlanes.isEmpty && samplesPerPixel == 1: .fourColor
            case Photometric.cfa where longPattern != nil && samplesPerPixel == 1: .longPattern
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
        let (sides, all) = (directory.integers(.cfaRepeatPatternDim), directory.integers(.cfaPattern))
        guard [[2, 2], [2, 4], [4, 2]].contains(sides), all.count == sides[0] * sides[1] else { return nil }
        // A larger pattern may repeat the one of its first 2×2 pixels.
        let colors = [0, 1, sides[1], sides[1] + 1].map { all[$0] }
        let repeats = all.indices.allSatisfy { index in
            all[index] == colors[index / sides[1] % 2 * 2 + index % sides[1] % 2]
        }
        guard repeats else { return nil }
        // CFAPattern's origin is the active area's top left corner; shift it to the picture's.
        return BayerPattern.allCases.first { $0.planes == colors }?
            .shifted(rows: -activeArea.top, columns: -activeArea.left)
    }

    /// Returns the Bayer pattern of a quad mosaic, whose colours have 2×2 pixels each, by its averaged pixels; nil for
    /// other patterns.
    private static func quadPattern(_ directory: TIFFDirectory, activeArea: PixelRectangle) -> BayerPattern? {
        let colors = directory.integers(.cfaPattern)
        guard directory.integers(.cfaRepeatPatternDim) == [4, 4], colors.count == 16 else { return nil }
        let groups = [0, 2, 8, 10].map { colors[$0] }
        let isQuad = colors.indices.allSatisfy { (index: Int) -> Bool in
            let (row, column) = (index / 4, index % 4)
            return colors[index] == groups[row / 2 * 2 + column / 2]
        }
        // The groups begin at the active area, so that those of the picture must be whole.
        guard isQuad, activeArea.left % 2 == 0, activeArea.top % 2 == 0, activeArea.width > 1, activeArea.height > 1
        else { return nil }
        return BayerPattern.allCases.first { $0.planes == groups }?
            .shifted(rows: -activeArea.top / 2, columns: -activeArea.left / 2)
    }

    /// Returns the picture with the size and areas of its stored pixels.
    func stored(in directory: TIFFDirectory) throws(GscapError) -> DNGImage {
        isBinned ? try DNGImage(directory, mayBeMain: isMain, binsQuads: false) : self
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

extension PixelRectangle {
    /// The rectangle in a picture of half the width and height.
    var halved: PixelRectangle {
        PixelRectangle(left: left / 2, top: top / 2, width: max(1, width / 2), height: max(1, height / 2))
    }
}
