internal import RawImage

/// The words about a photo, as XMP: who took it, whose it is, what it shows, which frames of the sensor it was made
/// of, and how.
struct XMPPacket {
    let metadata: FrameMetadata
    let software: String

    /// The namespace of the project's own words.
    static let namespace = "urn:gscap:xmp:1.0"

    /// The packet, as tag 700 holds it.
    var text: String {
        let properties =
            [
                XMPText.element("xmp:CreatorTool", software),
                XMPText.list("dc:creator", in: "Seq", [metadata.details.artist]),
                XMPText.alternative("dc:rights", metadata.details.copyright),
                XMPText.alternative("dc:description", metadata.details.title),
                metadata.fusedFrames > 1 ? XMPText.element("gscap:FusedFrames", "\(metadata.fusedFrames)") : "",
                XMPText.list("gscap:SensorDigests", in: "Seq", metadata.sensorDigests),
            ] + (metadata.fusion?.xmp ?? [])
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
                xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:gscap="\(Self.namespace)">
            \(properties.filter { !$0.isEmpty }.joined(separator: "\n"))
              </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>
            """
    }

    /// The digests of the sensor's frames that a packet names.
    static func sensorDigests(in packet: XMPReader) -> [String] {
        packet.list("gscap:SensorDigests", most: 1024).filter { digest in
            digest.utf8.count == 32 && digest.allSatisfy { $0.isHexDigit && $0.isASCII }
        }
    }
}
