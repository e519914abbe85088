package import RawImage

/// The words about a photo, as XMP: who took it, whose it is, what it shows, which frames of the sensor it was made
/// of, and how.
package struct XMPPacket {
    package let metadata: FrameMetadata
    package let software: String
    /// Properties of one format, pieces of a packet.
    package var properties: [String] = []
    /// The namespaces of those, by their prefixes.
    package var namespaces: KeyValuePairs<String, String> = [:]
    /// Properties of one format that its readers want as attributes.
    package var attributes: KeyValuePairs<String, String> = [:]

    /// A packet about a photo, made by a program.
    package init(metadata: FrameMetadata, software: String) {
        self.metadata = metadata
        self.software = software
    }

    /// The namespace of the project's own words.
    package static let namespace = "urn:gscap:xmp:1.0"

    /// The packet, as tag 700 holds it.
    package var text: String {
        let properties =
            [
                XMPText.element("xmp:CreatorTool", software),
                XMPText.list("dc:creator", in: "Seq", [metadata.details.artist]),
                XMPText.alternative("dc:rights", metadata.details.copyright),
                XMPText.alternative("dc:description", metadata.details.title),
                metadata.fusedFrames > 1 ? XMPText.element("gscap:FusedFrames", "\(metadata.fusedFrames)") : "",
                XMPText.list("gscap:SensorDigests", in: "Seq", metadata.sensorDigests),
            ] + (metadata.fusion?.xmp ?? []) + self.properties
        let more =
            namespaces.map { "\n    xmlns:\($0)=\"\($1)\"" }.joined()
            + attributes.map { "\n    \($0)=\"\($1)\"" }.joined()
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
                xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:gscap="\(Self.namespace)"\(more)>
            \(properties.filter { !$0.isEmpty }.joined(separator: "\n"))
              </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>
            """
    }

    /// The digests of the sensor's frames that a packet names.
    package static func sensorDigests(in packet: XMPReader) -> [String] {
        packet.list("gscap:SensorDigests", most: 1024).filter { digest in
            digest.utf8.count == 32 && digest.allSatisfy { $0.isHexDigit && $0.isASCII }
        }
    }
}
