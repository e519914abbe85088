internal import PhotoMetadata
internal import RawImage

/// A JPEG file: what is told of the picture, the picture, and a gain map behind it where there is an HDR one.
struct JPEGFile {
    let facts: EncodingFacts
    let watch: EncodingWatch
    /// Gives red, green and blue of some rows, in pieces of so many.
    let give: (Range<Int>, Int, JPEGBands.Taker) -> Void
    /// What makes the picture an HDR one.
    var gainMap: GainMap?

    private static let mostSide = 65_500

    /// The file in pieces.
    func encode() throws(PictureFileError) -> [[UInt8]] {
        guard facts.width <= Self.mostSide, facts.height <= Self.mostSide else {
            throw PictureFileError(
                .unsupported, "a JPEG has at most \(Self.mostSide) pixels a side; take another format")
        }
        let jpeg = try JPEGBands.compress(
            width: facts.width, height: facts.height, quality: Self.quality(facts.encoding.quality),
            watch: watch, give)
        guard let gainMap else { return jpeg.pieces(try segments(mapSize: nil)) }
        let map = try mapFile(gainMap)
        let segments = try segments(mapSize: map.count)
        let sizes = MultiPicture(
            mapSize: map.count, primarySize: jpeg.byteCount(segments: segments.count + MultiPicture.segmentSize),
            place: 2 + segments.count)
        return jpeg.pieces(segments + (try Self.segment(0xE2, sizes.bytes))) + [map]
    }

    /// libjpeg's quality.
    private static func quality(_ quality: Double) -> Int { max(1, Int((quality * 100).rounded())) }

    /// The segments that tell of the picture.
    private func segments(mapSize: Int?) throws(PictureFileError) -> [UInt8] {
        var segments: [UInt8] = []
        if let exif = facts.exif { segments += try Self.segment(0xE1, Array("Exif".utf8) + [0, 0] + exif.bytes) }
        if let mapSize {
            let packet = facts.xmp ?? XMPPacket(metadata: FrameMetadata(), software: facts.encoding.software)
            segments += try Self.segment(GainMap.directory(packet, mapSize: mapSize))
        } else if let xmp = facts.xmp {
            segments += try Self.segment(xmp)
        }
        // The first of one piece.
        segments += try Self.segment(0xE2, Array("ICC_PROFILE".utf8) + [0, 1, 1] + facts.profile)
        if mapSize != nil { segments += try Self.segment(0xE2, GainMap.identifier + GainMap.version) }
        return segments
    }

    /// The gain map as a JPEG of its own.
    private func mapFile(_ map: GainMap) throws(PictureFileError) -> [UInt8] {
        let rowCount = map.width * 3
        let jpeg = try JPEGBands.compress(
            width: map.width, height: map.height, quality: 90, watch: nil
        ) { rows, pieceHeight, take in
            for piece in rows.parts(of: pieceHeight) {
                take(map.bytes.span.extracting(piece.lowerBound * rowCount..<piece.upperBound * rowCount))
            }
        }
        let packet = map.packet(XMPPacket(metadata: FrameMetadata(), software: facts.encoding.software))
        let segments = try Self.segment(packet) + Self.segment(0xE2, GainMap.identifier + map.bytesOfStandard)
        return [UInt8](joining: jpeg.pieces(segments))
    }

    /// A packet's segment. One that is too long does without the receipt of the fusion.
    private static func segment(_ packet: XMPPacket) throws(PictureFileError) -> [UInt8] {
        let name = Array("http://ns.adobe.com/xap/1.0/".utf8) + [0]
        let text = Array(packet.text.utf8)
        if name.count + text.count <= most { return try segment(0xE1, name + text) }
        return try segment(0xE1, name + Array(packet.withoutFusion.text.utf8))
    }

    /// What fits into a segment.
    private static let most = 65_533

    static func segment(_ marker: UInt8, _ bytes: [UInt8]) throws(PictureFileError) -> [UInt8] {
        guard bytes.count <= most else {
            throw PictureFileError(
                .unsupported,
                "the metadata takes \(bytes.count) bytes, and a JPEG has room for \(most); shorten its texts")
        }
        return [0xFF, marker] + UInt16(bytes.count + 2).bigEndianBytes + bytes
    }
}

extension XMPPacket {
    /// Without the receipt of the fusion, which is the longest part.
    fileprivate var withoutFusion: XMPPacket {
        var metadata = metadata
        metadata.fusion = nil
        var packet = XMPPacket(metadata: metadata, software: software)
        (packet.properties, packet.namespaces, packet.attributes) = (properties, namespaces, attributes)
        return packet
    }
}
