internal import PhotoMetadata
internal import RawImage

/// A Motion Photo 1.0 (Google): a JPEG file with a movie behind its last picture. The XMP packet states how many bytes
/// at the end of the file the movie has, and the time of the still in it.
package struct MotionPhotoFile {
    /// The JPEG file, with a gain map or without.
    package var jpeg: [UInt8]
    /// The size of the movie, an MP4 file, in bytes.
    package var movieSize: Int
    /// The time of the still in the movie in microseconds.
    package var stillTime: Int64
    /// The name of the software, for a JPEG without an XMP packet.
    package var software: String

    /// Creates a Motion Photo of a JPEG file.
    package init(jpeg: [UInt8], movieSize: Int, stillTime: Int64, software: String) {
        (self.jpeg, self.movieSize, self.stillTime, self.software) = (jpeg, movieSize, stillTime, software)
    }

    private static let camera = "http://ns.google.com/photos/1.0/camera/"
    private static let container = "http://ns.google.com/photos/1.0/container/"
    private static let packetName = Array("http://ns.adobe.com/xap/1.0/".utf8) + [0]

    /// Returns the JPEG file with the XMP packet of a Motion Photo. The movie follows it directly.
    package func still() throws(GscapError) -> [UInt8] {
        let segments = try Self.segments(jpeg)
        let old = segments.first { Self.has(Self.packetName, jpeg, $0) }
        let content = old.map { jpeg[($0.lowerBound + 4 + Self.packetName.count)..<$0.upperBound] }
        let text =
            content.map { String(decoding: $0, as: UTF8.self) }
            ?? XMPPacket(metadata: FrameMetadata(), software: software).text
        guard let packet = packet(text) else {
            throw GscapError(
                .badPicture, "the XMP packet of the JPEG has no description, so it cannot be changed")
        }
        let segment = try JPEGFile.segment(0xE1, Self.packetName + Array(packet.utf8))
        // Without an old packet, the new one follows the Exif segment, or the start of the file.
        let place = old ?? { $0..<$0 }(segments.first { Self.has(Array("Exif".utf8), jpeg, $0) }?.upperBound ?? 2)
        var file = jpeg
        if let index = segments.first(where: { Self.has(MultiPicture.identifier, jpeg, $0) }) {
            MultiPicture.growPrimary(in: &file[index], by: segment.count - place.count)
        }
        file.replaceSubrange(place, with: segment)
        return file
    }

    /// Returns the packet with the properties of a Motion Photo; nil if it has no description to put them in. Readers
    /// expect them in the first description.
    private func packet(_ text: String) -> String? {
        let item = """
                 <rdf:li rdf:parseType="Resource">
                  <Container:Item Item:Semantic="MotionPhoto" Item:Mime="video/mp4" Item:Length="\(movieSize)"/>
                 </rdf:li>

            """
        var attributes =
            " xmlns:GCamera=\"\(Self.camera)\" GCamera:MotionPhoto=\"1\" GCamera:MotionPhotoVersion=\"1\""
            + " GCamera:MotionPhotoPresentationTimestampUs=\"\(stillTime)\""
        var text = text
        if let directory = text.ranges(of: "</Container:Directory>").first,
            let end = text[..<directory.lowerBound].ranges(of: "</rdf:Seq>").last
        {
            // The directory of a gain map.
            let line = text[..<end.lowerBound].lastIndex(of: "\n").map { text.index(after: $0) } ?? end.lowerBound
            text.insert(contentsOf: item, at: line)
        } else {
            attributes += " xmlns:Container=\"\(Self.container)\" xmlns:Item=\"\(Self.container)item/\""
            guard let end = text.ranges(of: "</rdf:Description>").first else { return nil }
            let line = text[..<end.lowerBound].lastIndex(of: "\n").map { text.index(after: $0) } ?? end.lowerBound
            text.insert(
                contentsOf: """
                       <Container:Directory>
                        <rdf:Seq>
                         <rdf:li rdf:parseType="Resource">
                          <Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/>
                         </rdf:li>
                    \(item)    </rdf:Seq>
                       </Container:Directory>

                    """, at: line)
        }
        guard let description = text.ranges(of: "<rdf:Description").first else { return nil }
        text.insert(contentsOf: attributes, at: description.upperBound)
        return text
    }

    /// Returns the ranges of the segments between the start of the file and the first scan, with their markers.
    private static func segments(_ bytes: [UInt8]) throws(GscapError) -> [Range<Int>] {
        var segments: [Range<Int>] = []
        var index = 2
        guard bytes.starts(with: [0xFF, 0xD8]) else { throw GscapError(.badPicture, "the still is no JPEG file") }
        while index + 4 <= bytes.count, bytes[index] == 0xFF, bytes[index + 1] != 0xDA {
            let end = index + 2 + (Int(bytes[index + 2]) << 8 | Int(bytes[index + 3]))
            guard end > index + 3, end <= bytes.count else { break }
            segments.append(index..<end)
            index = end
        }
        return segments
    }

    /// Whether a segment is an APP1 or APP2 segment whose content begins with a name.
    private static func has(_ name: [UInt8], _ bytes: [UInt8], _ segment: Range<Int>) -> Bool {
        let content = bytes[(segment.lowerBound + 4)..<segment.upperBound]
        return [0xE1, 0xE2].contains(bytes[segment.lowerBound + 1]) && content.starts(with: name)
    }
}

extension MultiPicture {
    /// Adds to the size that an index's segment states for the first picture. The offset of the second picture counts
    /// from the index itself, so it stays. Does nothing for an index that other software has written.
    fileprivate static func growPrimary(in segment: inout ArraySlice<UInt8>, by growth: Int) {
        let own = MultiPicture(mapSize: 0, primarySize: 0, offset: 0).bytes
        // The size is the second number of the first entry; the two entries, of 16 bytes each, end the index.
        let place = segment.endIndex - 32 + 4
        guard segment.count == own.count + 4, place > segment.startIndex else { return }
        let old = (0..<4).reduce(0) { $0 | Int(segment[place + $1]) << (8 * $1) }
        segment.replaceSubrange(place..<place + 4, with: UInt32(clamping: old + growth).littleEndianBytes)
    }
}
