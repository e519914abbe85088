/// Changes of a packet that other software may have written.
extension XMPReader {
    /// Returns the packet without the elements of some properties.
    package static func removing(_ names: [String], from packet: String) -> String {
        names.reduce(packet) { packet, name in
            var bytes = Array(packet.utf8)
            while let content = XMPReader(bytes).content(of: name),
                let start = bytes[..<content.inside.startIndex].lastIndex(of: UInt8(ascii: "<"))
            {
                bytes.removeSubrange(start..<content.end)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Returns the packet with a further description of its subject, which has the elements `properties` of this
    /// project's namespace; nil if the packet is not RDF.
    package static func adding(_ properties: [String], to packet: String) -> String? {
        adding(properties, namespaces: [("gscap", XMPPacket.namespace)], to: packet)
    }
}
