internal import PhotoMetadata

/// The metadata of a gain map, in two forms: ISO 21496-1 and the older Ultra HDR (XMP).
extension GainMap {
    /// The XMP namespace of Ultra HDR.
    static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"
    /// The identifier of ISO 21496-1 at the start of an APP2 segment.
    static let identifier = Array("urn:iso:std:iso:ts:21496:-1".utf8) + [0]
    /// The ISO 21496-1 minimum and writer versions, both 0, in two bytes each. The primary picture has no other ISO
    /// metadata.
    static let version: [UInt8] = [0, 0, 0, 0]

    /// The gain map's metadata as ISO 21496-1 encodes it.
    var isoBytes: [UInt8] {
        // After the versions: flags for three channels, in the colour space of the base picture.
        var bytes = Self.version + [0xC0]
        bytes += Self.unsigned(0) + Self.unsigned(headroom)
        for _ in 0..<3 {
            bytes += Self.signed(least) + Self.signed(most) + Self.unsigned(1)
            bytes += Self.signed(Self.offset) + Self.signed(Self.offset)
        }
        return bytes
    }

    /// Returns the XMP packet with the gain map's metadata (Ultra HDR) added.
    func packet(_ packet: XMPPacket) -> XMPPacket {
        var packet = packet
        packet.namespaces = ["hdrgm": Self.namespace]
        packet.attributes = [
            "hdrgm:Version": "1.0", "hdrgm:BaseRenditionIsHDR": "False", "hdrgm:Gamma": "1",
            "hdrgm:GainMapMin": Self.text(least), "hdrgm:GainMapMax": Self.text(most),
            "hdrgm:OffsetSDR": Self.text(Self.offset), "hdrgm:OffsetHDR": Self.text(Self.offset),
            "hdrgm:HDRCapacityMin": "0", "hdrgm:HDRCapacityMax": Self.text(headroom),
        ]
        return packet
    }

    /// Returns the primary picture's XMP packet with the container directory (Ultra HDR), which gives the size of the
    /// gain map that follows.
    static func directory(_ packet: XMPPacket, mapSize: Int) -> XMPPacket {
        var packet = packet
        packet.namespaces = [
            "hdrgm": namespace, "Container": "http://ns.google.com/photos/1.0/container/",
            "Item": "http://ns.google.com/photos/1.0/container/item/",
        ]
        packet.attributes = ["hdrgm:Version": "1.0"]
        packet.properties.append(
            """
               <Container:Directory>
                <rdf:Seq>
                 <rdf:li rdf:parseType="Resource">
                  <Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/>
                 </rdf:li>
                 <rdf:li rdf:parseType="Resource">
                  <Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="\(mapSize)"/>
                 </rdf:li>
                </rdf:Seq>
               </Container:Directory>
            """)
        return packet
    }

    private static func text(_ value: Double) -> String { XMPText.number(value, digits: 6) }

    private static let denominator = 1_000_000

    private static func signed(_ value: Double) -> [UInt8] {
        Int32((value * Double(denominator)).rounded()).bigEndianBytes + UInt32(denominator).bigEndianBytes
    }

    private static func unsigned(_ value: Double) -> [UInt8] {
        UInt32((value * Double(denominator)).rounded()).bigEndianBytes + UInt32(denominator).bigEndianBytes
    }
}
