internal import PhotoMetadata

/// What tells readers of a gain map how to use it: once as ISO 21496-1 says, once in the words of the older Ultra HDR.
extension GainMap {
    /// The namespace of the words.
    static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"
    /// What the bytes of ISO 21496-1 begin with in a JPEG.
    static let identifier = Array("urn:iso:std:iso:ts:21496:-1".utf8) + [0]
    /// What the plain picture says: the version of what the map says.
    static let version: [UInt8] = [0, 0, 0, 0]

    /// What the map says, as ISO 21496-1.
    var bytesOfStandard: [UInt8] {
        // Three channels, in the colours of the plain picture.
        var bytes = Self.version + [0xC0]
        bytes += Self.unsigned(0) + Self.unsigned(headroom)
        for _ in 0..<3 {
            bytes += Self.signed(least) + Self.signed(most) + Self.unsigned(1)
            bytes += Self.signed(Self.offset) + Self.signed(Self.offset)
        }
        return bytes
    }

    /// What the map says, as Ultra HDR.
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

    /// What the plain picture says, as Ultra HDR: that a map of so many bytes follows.
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
