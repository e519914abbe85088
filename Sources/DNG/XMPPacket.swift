internal import RawImage

/// The words about a photo, as XMP: who took it, whose it is, what it shows, and which frames of the sensor it was made of.
struct XMPPacket {
    let metadata: FrameMetadata
    let software: String

    /// The namespace of the project's own words.
    static let namespace = "urn:gscap:xmp:1.0"

    /// The packet, as tag 700 holds it.
    var text: String {
        let properties = [
            element("xmp:CreatorTool", software),
            list("dc:creator", in: "Seq", [metadata.details.artist]),
            alternative("dc:rights", metadata.details.copyright),
            alternative("dc:description", metadata.details.title),
            metadata.fusedFrames > 1 ? element("gscap:FusedFrames", "\(metadata.fusedFrames)") : "",
            list("gscap:SensorDigests", in: "Seq", metadata.sensorDigests),
        ]
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
    static func sensorDigests(in packet: String) -> [String] {
        let name = "gscap:SensorDigests"
        guard let start = packet.firstRange(of: "<" + name), let end = packet.firstRange(of: "</" + name),
            start.upperBound < end.lowerBound
        else { return [] }
        // Between the tags there are words of 32 hexadecimal digits, and markup.
        return packet[start.upperBound..<end.lowerBound].split { !$0.isHexDigit || !$0.isASCII }
            .filter { $0.count == 32 }.map(String.init)
    }

    private func element(_ name: String, _ value: String) -> String {
        value.isEmpty ? "" : "   <\(name)>\(Self.escaped(value))</\(name)>"
    }

    private func list(_ name: String, in kind: String, _ values: [String]) -> String {
        let items = values.filter { !$0.isEmpty }.map { "<rdf:li>\(Self.escaped($0))</rdf:li>" }
        if items.isEmpty { return "" }
        return "   <\(name)><rdf:\(kind)>\(items.joined())</rdf:\(kind)></\(name)>"
    }

    private func alternative(_ name: String, _ value: String) -> String {
        if value.isEmpty { return "" }
        return "   <\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(Self.escaped(value))</rdf:li></rdf:Alt></\(name)>"
    }

    /// Text that means the same inside XML, without what XML cannot hold.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": continue
            case _ where scalar.value == 0xFFFE || scalar.value == 0xFFFF: continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
