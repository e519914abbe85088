internal import PhotoMetadata
internal import RawImage

// The digests and the history in the XMP packet of a copy.
//
// A source with digests gets a copy with digests. Without any nothing proves that the source is undamaged, so that its
// copy has none either, and its XMP packet is copied byte for byte.

extension DNGTranscoder {
    /// Returns the damage and changes that the copy states: those of the source, and those accepted now.
    func history(of file: DNGFile) -> FileHistory {
        var history = file.history
        guard file.acceptsDamage else { return history }
        var damage = file.tagProblems.map(\.message)
        switch previews {
        case .keep, .first: damage += file.acceptedPreviewDamage
        case .new: break
        }
        history.acceptedDamage += damage.filter { !history.acceptedDamage.contains($0) }
        return history
    }

    /// Sets the XMP packet: `old`, or a new one, with the history if that has changed and with space for digests if the
    /// source has some. A copy without changes keeps the packet of the source.
    func setPacket(_ first: DirectoryNode, _ file: DNGFile, _ metadata: FrameMetadata, old: String?) {
        let new = XMPPacket(metadata: metadata, software: "\(software.name) \(software.version)").text
        let packets = [old, new].compactMap(\.self)
        var packet: String?
        if hasReceipt(file) {
            // Pictures are some of the directories.
            let count = first.all.count
            packet =
                packets.lazy.compactMap {
                    DNGReceipt.reserve(in: $0, pictures: count, history: metadata.history)
                }.first
        } else if metadata.history != file.metadata.history {
            packet = packets.lazy.compactMap { DNGReceipt.adding(metadata.history, to: $0) }.first
        } else if old == nil, isStripped || details != nil {
            packet = new
        }
        if let packet { first.set(.xmp, bytes: Array(packet.utf8)) }
    }

    /// Whether the copy has digests of its parts.
    func hasReceipt(_ file: DNGFile) -> Bool { file.receipt != nil }

    /// Compares all that is copied with its digests; throws if a part is damaged, unless the damage is accepted.
    /// Decoding to codes has compared the raw picture, if it `isDecoded`.
    func checkDigests(of main: DNGImage, _ file: DNGFile, isDecoded: Bool) throws(GscapError) {
        guard file.checksDigests else { return }
        // The samples of a file without digests need not be decoded to codes.
        if !isDecoded, file.receipt != nil || file.statedDigest != nil { _ = try file.storedSamples(main) }
        try file.checkCompanions()
    }
}
