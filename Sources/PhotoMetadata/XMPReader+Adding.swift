/// Changes of a packet that replace single properties and keep the others.
extension XMPReader {
    /// An XMP packet without properties.
    package static let emptyPacket = """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
         </rdf:RDF>
        </x:xmpmeta>
        <?xpacket end="w"?>
        """

    /// Returns the packet without the attributes of some names, as simple properties may be encoded.
    package static func removingAttributes(_ names: [String], from packet: String) -> String {
        var bytes = Array(packet.utf8)
        for name in names {
            let word = Array((name + "=").utf8)
            var index = 1
            while index + word.count < bytes.count {
                let isName =
                    isSpace(bytes[index - 1]) && bytes[index] == word[0] && bytes[index...].starts(with: word)
                guard isName, let end = endOfValue(bytes, from: index + word.count) else {
                    index += 1
                    continue
                }
                bytes.removeSubrange(index - 1..<end)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the index after a quoted value that begins at `start`; nil if there is none.
    private static func endOfValue(_ bytes: [UInt8], from start: Int) -> Int? {
        let quote = bytes[start]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        return bytes[(start + 1)...].firstIndex(of: quote).map { $0 + 1 }
    }

    static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// Returns the packet with a further description of its subject, which has the elements `properties` of the
    /// namespaces with these prefixes; nil if the packet is not RDF.
    package static func adding(
        _ properties: [String], namespaces: [(prefix: String, uri: String)], to packet: String
    ) -> String? {
        guard let end = packet.ranges(of: "</rdf:RDF>").last else { return nil }
        // All descriptions of a packet must name the same subject.
        let subject = XMPReader(packet).attribute("rdf:about") ?? ""
        let prefixes = namespaces.map { " xmlns:\($0.prefix)=\"\($0.uri)\"" }.joined()
        var packet = packet
        packet.replaceSubrange(
            end.lowerBound..<end.lowerBound,
            with: """
                  <rdf:Description rdf:about="\(subject)"\(prefixes)>
                \(properties.joined(separator: "\n"))
                  </rdf:Description>

                """)
        return packet
    }
}
