package import RawImage

/// Encodes and decodes the geometry of a camera as XMP properties: lists of numbers, separated by spaces.
extension CameraCalibration {
    /// The properties with their counts of numbers, in the order of `numbers`.
    private static let properties = [
        ("Size", 2), ("FocalLength", 2), ("PrincipalPoint", 2), ("RadialDistortion", 3), ("TangentialDistortion", 2),
        ("Rotation", 9), ("Position", 3),
    ]
    private static let prefix = "gscap:Camera"

    /// The XMP properties, each encoded as an XML element.
    package var xmp: [String] {
        var rest = numbers[...]
        return Self.properties.map { name, count in
            let values = rest.prefix(count).map { XMPText.number($0, digits: 9) }
            rest = rest.dropFirst(count)
            return XMPText.element(Self.prefix + name, values.joined(separator: " "))
        }
    }

    /// Decodes the calibration of an XMP packet; nil unless it has one and all of its properties are valid.
    package init?(_ packet: XMPReader) {
        var numbers: [Double] = []
        for (name, count) in Self.properties {
            let words = packet.text(Self.prefix + name)?.split(separator: " ") ?? []
            let values = words.compactMap { Double(String($0)) }
            guard values.count == count else { return nil }
            numbers += values
        }
        self.init(numbers: numbers)
    }
}
