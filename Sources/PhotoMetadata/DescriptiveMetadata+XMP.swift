package import RawImage

extension DescriptiveMetadata {
    /// Sets rating, label and keywords from an XMP packet; those that the packet does not have stay.
    package mutating func readRating(_ packet: XMPReader) {
        if let number = packet.text("xmp:Rating").flatMap({ Double($0) }), number.isFinite, abs(number) < 100 {
            let stars = Int(number.rounded())
            rating = stars == -1 || (1...5).contains(stars) ? stars : nil
        }
        label = packet.text("xmp:Label") ?? label
        let subjects = packet.list("dc:subject", most: 4096)
        if !subjects.isEmpty { keywords = subjects }
    }
}
