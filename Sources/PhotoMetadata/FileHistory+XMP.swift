package import RawImage

/// Encodes and decodes the damage and changes of an image's files as XMP properties.
extension FileHistory {
    /// The property that lists the damaged parts.
    package static let damageProperty = "gscap:AcceptedDamage"
    private static let editedProperty = "gscap:EditedSinceCapture"
    /// The largest number of damaged parts that are decoded.
    private static let mostParts = 1024

    /// The XMP properties, each encoded as an XML element; empty without damage and changes.
    package var xmp: [String] {
        [
            XMPText.list(Self.damageProperty, in: "Seq", acceptedDamage),
            isEdited ? XMPText.element(Self.editedProperty, "true") : "",
        ].filter { !$0.isEmpty }
    }

    /// Decodes the history in an XMP packet.
    package init(_ packet: XMPReader) {
        self.init()
        acceptedDamage = packet.list(Self.damageProperty, most: Self.mostParts)
        isEdited = packet.text(Self.editedProperty) != nil
    }
}
