internal import PhotoMetadata
package import RawImage

extension DNGData {
    /// Returns the file with what another DNG, one of the frames that it was made from, states about the camera and
    /// the photo and this file does not: all tags of IFD0, Exif and GPS except those about pixels, their digests and
    /// the look, the XMP properties, and the crop to show, unless `keepsCrop` is set. The pixels of both files are the
    /// same area of the sensor.
    package func inheriting(from frame: DNGFile, keepsCrop: Bool = false) throws(GscapError) -> DNGData {
        let own = try DNGFile(self)
        guard let main = own.main, let source = frame.main else { return self }
        let (tree, other) = (try DirectoryTree(own.container), try DirectoryTree(frame.container))
        tree.first.inherit(other.first, without: Self.pictureTags)
        for tag in [TIFFTag.uniqueCameraModel] where other.first.values[tag] != nil {
            tree.first.take(tag, from: other.first)
        }
        tree.first.inheritProperties(of: other.first, keepsCrop: keepsCrop)
        if main.kind != .linear { tree.first.takeProfileTags(of: other.first) }
        for (pointer, excluded) in [(TIFFTag.exifIFD, Self.exifSizes), (.gpsIFD, [])] {
            guard let node = other.first.children[pointer]?.first else { continue }
            if let known = tree.first.children[pointer]?.first {
                known.inherit(node, without: excluded)
            } else {
                let copy = DirectoryNode(isBigEndian: tree.first.isBigEndian)
                copy.inherit(node, without: excluded)
                tree.first.children[pointer] = [copy]
            }
        }
        tree.first.children[.exifIFD]?.first?.takeFlash(from: other.first.children[.exifIFD]?.first)
        tree.first.children[.exifIFD]?.first?.scalePositions(from: source.activeArea, to: main.activeArea)
        if let raw = tree.first.all.first(where: { $0.sourceOffset == main.offset }),
            let node = other.first.all.first(where: { $0.sourceOffset == source.offset })
        {
            for tag in Self.rawTags where node.values[tag] != nil { raw.take(tag, from: node) }
            // A frame without a crop shows its whole area, while a new mosaic does not show its edge.
            if !keepsCrop {
                raw.setCrop(source, scaledTo: main)
                tree.first.takeDigitalZoom(from: other.first)
            }
        }
        return try rewritten(tree.first, capacity: count + frame.container.first + 65_536)
    }

    /// Returns the file with other directories, whose data is that of this file.
    package func rewritten(_ first: DirectoryNode, capacity: Int) throws(GscapError) -> DNGData {
        let writer = DirectoryWriter(first, source: ByteSource(self), capacity: capacity)
        try writer.write { _, _ in }
        let data = try writer.takeData()
        try DNGReceipt.sealAgain(data)
        return data
    }

    /// Returns the file with the tags in the metadata of its photo that come from the file of a frame (`sourceTags`).
    /// The crop of a zoom stays.
    package func inheriting(_ metadata: FrameMetadata) throws(GscapError) -> DNGData {
        if metadata.sourceTags.isEmpty { return self }
        return try inheriting(from: DNGFile(bytes: metadata.sourceTags), keepsCrop: metadata.cropFactor > 1)
    }

    /// DefaultScale, ChromaBlurRadius, AntiAliasStrength and DefaultUserCrop: tags of the raw directory that hold for
    /// all frames of a camera.
    fileprivate static let rawTags = [50718, 50737, 50738, 51125].map { TIFFTag($0) }

    /// The size of a picture in Exif, which is that of the frame.
    private static let exifSizes: Set<TIFFTag> = [TIFFTag(40962), TIFFTag(40963)]

    /// The tags that describe pixels, digests, versions, previews and the look of the frame. This file has its own.
    fileprivate static let pictureTags = Set(
        [
            254...266, 273...273, 277...284, 301...301, 317...330, 338...347, 512...532,  // TIFF
            700...700,  // XMP
            33421...33422, 50706...50707, 50710...50734, 50737...50739,  // CFA, levels, colours, baselines
            50778...50781, 50827...50830, 50931...50934, 50936...50975,  // originals, profiles, previews
            50981...51009, 51022...51022, 51041...51041, 51089...51091, 51107...51112, 51125...51125,  // look, opcodes
            51177...51182, 52525...52551,  // depth, masks, tables of DNG 1.6 and 1.7
        ].flatMap { (range: ClosedRange<UInt32>) in range.map { TIFFTag($0) } })
}

extension FrameMetadata {
    /// The look in the camera profile of the frame's file, which a mosaic keeps; the exposure alone if that profile may
    /// not be embedded or is invalid. Nil if the frame does not come from a file, or if its exposure is invalid.
    package var sourceRecipe: Recipe? {
        guard !sourceTags.isEmpty, let file = try? DNGFile(bytes: sourceTags) else { return nil }
        var recipe = file.recipe
        // ProfileEmbedPolicy 2: the profile may not be embedded.
        if recipe.problem != nil || file.first.integer(.profileEmbedPolicy) == 2 {
            recipe = Recipe(exposure: recipe.exposure)
        }
        // As in development: tables for other calibrations than the file has.
        if recipe.hueSatMaps.count != calibrations.count { recipe.hueSatMaps = Array(recipe.hueSatMaps.prefix(1)) }
        return recipe.problem == nil ? recipe : nil
    }
}

extension FrameMetadata {
    /// The part of a photo of this size that is shown, and its digital zoom: that of the capture, or else the default
    /// crop of the frame's file.
    package func shownPart(width: Int, height: Int) -> (area: PixelRectangle, zoom: Double) {
        let zoomed = (PixelRectangle(width: width, height: height, zoomedBy: cropFactor), cropFactor)
        guard cropFactor <= 1, !sourceTags.isEmpty, let file = try? DNGFile(bytes: sourceTags),
            let crop = file.main?.crop(scaledTo: (width, height)), crop.isWithin(width: width, height: height)
        else { return zoomed }
        return (crop, file.metadata.details.digitalZoomRatio)
    }
}

extension DNGImage {
    /// The default crop in a photo of the active area that has another size.
    fileprivate func crop(scaledTo size: (width: Int, height: Int)) -> PixelRectangle {
        let across = Double(size.width) / Double(max(1, activeArea.width))
        let down = Double(size.height) / Double(max(1, activeArea.height))
        return PixelRectangle(
            left: Int(Double(defaultCrop.left - activeArea.left) * across),
            top: Int(Double(defaultCrop.top - activeArea.top) * down),
            width: Int(Double(defaultCrop.width) * across), height: Int(Double(defaultCrop.height) * down))
    }
}

extension DNGFile {
    /// Returns the tags that a photo made of this file's raw picture inherits, as a DNG file without pixels; empty if
    /// the file has no raw picture. A MakerNote keeps its position if it is near the start of the file.
    package func inheritableTags() throws(GscapError) -> [UInt8] {
        let first = try DirectoryTree(container).first
        guard let main, let raw = first.all.first(where: { $0.sourceOffset == main.offset }) else { return [] }
        // One directory has both the tags of the file and the shape of its picture, to which the crop refers.
        let shape = raw.values.filter { Self.shapeTags.contains($0.key) || DNGData.rawTags.contains($0.key) }
        let shared = first.values.filter {
            !DNGData.pictureTags.contains($0.key) || Self.lookTags.contains($0.key) || $0.key == .dngVersion
        }
        first.values = shared.merging(shape) { _, shape in shape }
        let properties = xmp.flatMap(XMPProperties.init(inheritableFrom:))
        if let properties { first.set(.xmp, bytes: Array(properties.adding(to: XMPReader.emptyPacket).utf8)) }
        // TrimBounds, an opcode, is not inherited.
        if let crop = trimmedCrop {
            first.set(.defaultCropOrigin, longs: [crop.left - main.activeArea.left, crop.top - main.activeArea.top])
            first.set(.defaultCropSize, longs: [crop.width, crop.height])
        }
        first.children = first.children.filter { [.exifIFD, .gpsIFD].contains($0.key) }
        first.next = nil
        for node in first.all { node.pieces = [] }
        for node in first.children.values.joined() { node.children = [:] }
        let writer = DirectoryWriter(first, source: container.source, capacity: 65_536)
        try writer.write { _, _ in }
        return try writer.takeData().withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    /// The tags of the camera profile's look (`sourceRecipe`).
    private static let lookTags: Set<TIFFTag> = [
        .baselineExposure, .baselineSharpness, .profileName, .profileToneCurve, .profileHueSatMapDims,
        .profileHueSatMapData1, .profileHueSatMapData2, .profileHueSatMapData3, .profileHueSatMapEncoding,
        .profileLookTableDims, .profileLookTableData, .profileLookTableEncoding, .baselineExposureOffset,
        .defaultBlackRender, .shadowScale, .profileEmbedPolicy, TIFFTag(50942), .rgbTables, .profileGainTableMap,
        .profileGainTableMap2,
    ]

    /// The tags of the raw directory without which its crop has no meaning, and its gain maps.
    private static let shapeTags: Set<TIFFTag> = [
        .imageWidth, .imageLength, .bitsPerSample, .compression, .photometric, .samplesPerPixel, .cfaRepeatPatternDim,
        .cfaPattern, .cfaPlaneColor, .activeArea, .defaultCropOrigin, .defaultCropSize, .profileGainTableMap,
        .profileGainTableMap2,
    ]
}

extension DirectoryNode {
    /// Takes the digital zoom of a frame's first directory, if there is one, and the focal length in terms of 35 mm
    /// film, which is that of the crop.
    fileprivate func takeDigitalZoom(from frame: DirectoryNode) {
        guard let zoomed = frame.children[.exifIFD]?.first, zoomed.values[.digitalZoomRatio] != nil,
            let exif = children[.exifIFD]?.first
        else { return }
        for tag in [TIFFTag.digitalZoomRatio, .focalLengthIn35mm] { exif.take(tag, from: zoomed) }
    }

    /// Takes all values of another directory that this one lacks, except some.
    fileprivate func inherit(_ other: DirectoryNode, without excluded: Set<TIFFTag>) {
        for tag in other.values.keys
        where values[tag] == nil && children[tag] == nil && !pieces.contains(where: { $0.offsets == tag })
            && !excluded.contains(tag)
        {
            take(tag, from: other)
        }
    }

    /// Takes the tags of a frame's camera profile that the writer does not know, if this mosaic keeps the profile's
    /// look (`sourceRecipe`): ShadowScale, unless the look has no black of its own, ProfileEmbedPolicy and
    /// ProfileCopyright.
    fileprivate func takeProfileTags(of frame: DirectoryNode) {
        if values[.defaultBlackRender] == nil { take(.shadowScale, from: frame) }
        guard let name = values[.profileName]?.bytes, name == frame.values[.profileName]?.bytes else { return }
        take(.profileEmbedPolicy, from: frame)
        take(TIFFTag(50942), from: frame)
    }

    /// Takes the XMP properties of a frame's first directory that this one lacks.
    package func inheritProperties(of frame: DirectoryNode, keepsCrop: Bool) {
        guard let packet = packet, var properties = frame.packet.flatMap(XMPProperties.init(inheritableFrom:)) else {
            return
        }
        if keepsCrop { properties.removeCrop() }
        set(.xmp, bytes: Array(properties.adding(to: packet).utf8))
    }

    /// The XMP packet; nil if there is none.
    private var packet: String? { values[.xmp].map { String(decoding: $0.bytes.prefix { $0 != 0 }, as: UTF8.self) } }

    /// Takes Flash from a frame's Exif directory if both agree in bit 0 (the flash fired).
    fileprivate func takeFlash(from frame: DirectoryNode?) {
        guard let frame, let own = integers(.flash).first, let other = frame.integers(.flash).first else { return }
        if own & 1 == other & 1 { take(.flash, from: frame) }
    }

    /// Scales SubjectArea, SubjectLocation and the FocalPlane resolutions, which refer to pixels, from the frame's size
    /// to the photo's.
    fileprivate func scalePositions(from area: PixelRectangle, to photo: PixelRectangle) {
        guard area.width > 0, area.height > 0, area.width != photo.width || area.height != photo.height else { return }
        let across = Double(photo.width) / Double(area.width)
        let down = Double(photo.height) / Double(area.height)
        // SubjectArea, which is a point, a circle (with its diameter) or a rectangle (with its sides); SubjectLocation.
        for tag in [37396, 41492].map({ TIFFTag($0) }) {
            let scaled = integers(tag).enumerated().map { index, value in
                Int(Double(value) * (index % 2 == 0 ? across : down))
            }
            if !scaled.isEmpty { set(tag, shorts: scaled) }
        }
        // FocalPlaneXResolution and FocalPlaneYResolution.
        for (tag, scale) in [(TIFFTag(41486), across), (TIFFTag(41487), down)] where values[tag]?.type == .rational {
            let parts = words(tag, size: 4)
            if parts.count >= 2, parts[1] > 0 { set(tag, ratios: [Double(parts[0]) / Double(parts[1]) * scale]) }
        }
    }

    /// Returns the numbers of a tag of type SHORT or LONG; empty without such a tag.
    private func integers(_ tag: TIFFTag) -> [Int] {
        guard let type = values[tag]?.type, [.short, .long].contains(type) else { return [] }
        return words(tag, size: type.size)
    }

    /// Returns the bytes of a tag as unsigned numbers of this size.
    private func words(_ tag: TIFFTag, size: Int) -> [Int] {
        let bytes = values[tag]?.bytes ?? []
        return stride(from: 0, through: bytes.count - size, by: size).map { start in
            let word = bytes[start..<start + size]
            return (isBigEndian ? Array(word) : word.reversed()).reduce(0) { $0 << 8 | Int($1) }
        }
    }

    /// IPTC metadata: bytes, which many programs declare as 32-bit numbers.
    private static let iptc = TIFFTag(33723)

    /// Takes a value of another directory, whose byte order may differ.
    package func take(_ tag: TIFFTag, from other: DirectoryNode) {
        guard let value = other.values[tag] else { return }
        var bytes = value.bytes
        let size = value.type.numberSize
        if other.isBigEndian != isBigEndian, size > 1, tag != Self.iptc {
            for start in stride(from: 0, through: bytes.count - size, by: size) {
                bytes[start..<start + size].reverse()
            }
        }
        // The offsets in a MakerNote usually count from the start of the file, so that it should keep its position.
        values[tag] = Value(
            type: value.type, count: value.count, bytes: bytes, offset: tag == .makerNote ? value.offset : nil)
    }

    /// Sets the crop to show as in another picture of the same area, which may have another size.
    fileprivate func setCrop(_ source: DNGImage, scaledTo main: DNGImage) {
        guard source.activeArea.width > 0, source.activeArea.height > 0 else { return }
        let crop = source.crop(scaledTo: (main.activeArea.width, main.activeArea.height))
        set(.defaultCropOrigin, longs: [crop.left, crop.top])
        set(.defaultCropSize, longs: [crop.width, crop.height])
    }
}

extension TIFFType {
    /// The number of bytes in a number of a value of this type: 4 for the two of a fraction; 1 for bytes without order.
    fileprivate var numberSize: Int {
        switch self {
        case .rational, .signedRational: 4
        case .undefined, .ascii, .byte, .signedByte: 1
        default: size
        }
    }
}
