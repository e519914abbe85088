internal import PhotoMetadata
internal import PictureCodecs
internal import RawImage

/// A JPEG file: metadata segments, the picture, and a gain map if there is an HDR rendition.
struct JPEGFile {
    let properties: EncodingProperties
    let monitor: EncodingMonitor
    /// The memory layout of the pixels.
    let layout: PixelLayout
    /// A function that passes the pixels of a range of rows (first argument) to a consumer (third), in pieces of a
    /// number of rows (second).
    let provideRows: (Range<Int>, Int, JPEGBands.RowConsumer) -> Void
    /// The gain map from the picture to its HDR rendition; nil for SDR only.
    var gainMap: GainMap?
    /// The thumbnail, sampled already; nil to sample the pixels, which are then in the colours of `properties`.
    var sampled: ThumbnailSampler?

    private static let maximumSide = 65_500

    /// Encodes the file and returns its bytes as consecutive pieces.
    func encode() throws(GscapError) -> [[UInt8]] {
        guard properties.width <= Self.maximumSide, properties.height <= Self.maximumSide else {
            throw GscapError(
                .unsupported, "a JPEG is at most \(Self.maximumSide) pixels wide and high; use another format")
        }
        let isSampled = sampled != nil
        let sampler =
            sampled
            ?? properties.exif.flatMap { _ in
                ThumbnailSampler(width: layout.width, height: layout.height, color: properties.color)
            }
        let jpeg = try JPEGBands.compress(
            layout, quality: Self.quality(properties.encoding.quality), monitor: monitor
        ) { rows, pieceHeight, consume in
            guard let sampler, !isSampled else { return provideRows(rows, pieceHeight, consume) }
            var piece = rows.lowerBound..<min(rows.lowerBound + pieceHeight, rows.upperBound)
            provideRows(rows, pieceHeight) { pixels in
                sampler.add(pixels, layout, rows: piece)
                piece = piece.upperBound..<min(piece.upperBound + pieceHeight, rows.upperBound)
                consume(pixels)
            }
        }
        let thumbnail = try sampler?.jpeg()
        guard let gainMap else { return jpeg.pieces(try segments(mapSize: nil, thumbnail)) }
        let map = try gainMapFile(gainMap)
        let segments = try segments(mapSize: map.count, thumbnail)
        let sizes = MultiPicture(
            mapSize: map.count, primarySize: jpeg.byteCount(segments: segments.count + MultiPicture.segmentSize),
            offset: 2 + segments.count)
        return jpeg.pieces(segments + (try Self.segment(0xE2, sizes.bytes))) + [map]
    }

    /// Converts a quality in 0…1 to libjpeg's 1…100.
    private static func quality(_ quality: Double) -> Int { max(1, Int((quality * 100).rounded())) }

    /// Returns the metadata segments: Exif, XMP and ICC profile. `mapSize` is the size in bytes of the gain map's JPEG,
    /// nil without one. Exif too long for a segment is stored without its largest parts.
    private func segments(mapSize: Int?, _ thumbnail: ExifThumbnail?) throws(GscapError) -> [UInt8] {
        var segments: [UInt8] = []
        if var exif = properties.exif {
            exif.thumbnail = thumbnail
            let name = Array("Exif".utf8) + [0, 0]
            exif.shorten(to: Self.maximumPayload - name.count)
            segments += try Self.segment(0xE1, name + exif.bytes)
        }
        if let mapSize {
            let packet = properties.xmp ?? XMPPacket(metadata: FrameMetadata(), software: properties.encoding.software)
            segments += try Self.segment(GainMap.directory(packet, mapSize: mapSize))
        } else if let xmp = properties.xmp {
            segments += try Self.segment(xmp)
        }
        segments += try Self.profileSegments(properties.profile)
        if mapSize != nil { segments += try Self.segment(0xE2, GainMap.identifier + GainMap.version) }
        return segments
    }

    /// Returns the segments of an ICC profile: chunks, each with its number and their count.
    private static func profileSegments(_ profile: [UInt8]) throws(GscapError) -> [UInt8] {
        let name = Array("ICC_PROFILE".utf8) + [0]
        let chunks = (0..<profile.count).parts(of: maximumPayload - name.count - 2)
        guard chunks.count <= 255 else {
            throw GscapError(
                .unsupported, "the ICC profile has \(profile.count) bytes, more than a JPEG holds; use TIFF")
        }
        var segments: [UInt8] = []
        for (number, chunk) in chunks.enumerated() {
            segments += try segment(0xE2, name + [UInt8(number + 1), UInt8(chunks.count)] + profile[chunk])
        }
        return segments
    }

    /// Encodes the gain map as a separate JPEG file with its own metadata.
    private func gainMapFile(_ map: GainMap) throws(GscapError) -> [UInt8] {
        let rowCount = map.width * 3
        let jpeg = try JPEGBands.compress(
            PixelLayout(width: map.width, height: map.height, order: .rgb), quality: 90, monitor: nil
        ) { rows, pieceHeight, consume in
            for piece in rows.parts(of: pieceHeight) {
                consume(map.bytes.span.extracting(piece.lowerBound * rowCount..<piece.upperBound * rowCount))
            }
        }
        let packet = map.packet(XMPPacket(metadata: FrameMetadata(), software: properties.encoding.software))
        let segments = try Self.segment(packet) + Self.segment(0xE2, GainMap.identifier + map.isoBytes)
        return [UInt8](joining: jpeg.pieces(segments))
    }

    /// Returns the APP1 segment of an XMP packet. A packet too long for it is stored without the fusion report.
    private static func segment(_ packet: XMPPacket) throws(GscapError) -> [UInt8] {
        let name = Array("http://ns.adobe.com/xap/1.0/".utf8) + [0]
        let text = Array(packet.text.utf8)
        if name.count + text.count <= maximumPayload { return try segment(0xE1, name + text) }
        return try segment(0xE1, name + Array(packet.withoutFusion.text.utf8))
    }

    /// The largest payload of a JPEG segment in bytes: 65,535 less the two bytes of its length.
    private static let maximumPayload = 65_533

    static func segment(_ marker: UInt8, _ bytes: [UInt8]) throws(GscapError) -> [UInt8] {
        guard bytes.count <= maximumPayload else {
            throw GscapError(
                .unsupported,
                "the metadata has \(bytes.count) bytes, but a JPEG segment holds \(maximumPayload); shorten its texts")
        }
        return [0xFF, marker] + UInt16(bytes.count + 2).bigEndianBytes + bytes
    }
}

extension XMPPacket {
    /// The packet without the fusion report, its longest part.
    fileprivate var withoutFusion: XMPPacket {
        var metadata = metadata
        metadata.fusion = nil
        var packet = XMPPacket(metadata: metadata, software: software)
        (packet.properties, packet.namespaces, packet.attributes) = (properties, namespaces, attributes)
        return packet
    }
}
