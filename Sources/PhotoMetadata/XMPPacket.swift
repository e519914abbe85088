package import RawImage

/// An XMP packet with the metadata of a photo: artist, copyright, description, sensor digests, geometry of the camera,
/// receipt and fusion report.
package struct XMPPacket {
    package let metadata: FrameMetadata
    package let software: String
    /// Additional properties that the file format needs, each an encoded XML element.
    package var properties: [String] = []
    /// Namespace URIs of the additional properties, by prefix.
    package var namespaces: KeyValuePairs<String, String> = [:]
    /// Additional properties that readers of the file format expect as XML attributes.
    package var attributes: KeyValuePairs<String, String> = [:]

    /// Creates a packet for a photo; `software` is the CreatorTool.
    package init(metadata: FrameMetadata, software: String) {
        self.metadata = metadata
        self.software = software
    }

    /// The namespace URI of this project's own properties (prefix `gscap`).
    package static let namespace = "urn:gscap:xmp:1.0"

    /// The serialised packet, as stored in TIFF tag 700 (XMP).
    package var text: String {
        var properties: [String] = [
            XMPText.element("xmp:CreatorTool", software),
            XMPText.element("xmp:Rating", metadata.details.rating.map { "\($0)" } ?? ""),
            XMPText.element("xmp:Label", metadata.details.label),
            XMPText.list("dc:subject", in: "Bag", metadata.details.keywords),
            XMPText.list("dc:creator", in: "Seq", [metadata.details.artist]),
            XMPText.alternative("dc:rights", metadata.details.copyright),
            XMPText.alternative("dc:description", metadata.details.title),
            metadata.fusedFrames > 1 ? XMPText.element("gscap:FusedFrames", "\(metadata.fusedFrames)") : "",
            metadata.isNoiseEstimated && !metadata.noise.isEmpty
                ? XMPText.element(Self.noiseProperty, Self.estimated) : "",
            XMPText.list("gscap:SensorDigests", in: "Seq", metadata.sensorDigests),
        ]
        properties += metadata.calibration?.xmp ?? []
        properties += metadata.receipt?.xmp ?? []
        properties += metadata.fusion?.xmp ?? []
        properties += metadata.history.xmp + self.properties
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

    /// The property that states the origin of NoiseProfile, and its value for a profile that is not the camera's.
    private static let (noiseProperty, estimated) = ("gscap:NoiseProfile", "estimated")

    /// Returns whether the NoiseProfile beside an XMP packet was estimated from the picture.
    package static func hasEstimatedNoise(_ packet: XMPReader) -> Bool { packet.text(noiseProperty) == estimated }

    /// Returns the MD5 digests of the sensor frames that an XMP packet lists, as hexadecimal text; malformed ones are
    /// skipped.
    package static func sensorDigests(in packet: XMPReader) -> [String] {
        packet.list("gscap:SensorDigests", most: 1024).filter { digest in
            digest.utf8.count == 32 && digest.allSatisfy { $0.isHexDigit && $0.isASCII }
        }
    }
}
