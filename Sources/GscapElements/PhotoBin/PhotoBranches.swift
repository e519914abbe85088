/// The text of the branches behind a shutter that make photos: the one place where sessions and `gscapphotobin` have it
/// from.
///
///     tee "burst" ─┬─ queue ─ dngenc "bayer-encoder" ─ sink "bayer"
///                  └─ queue ─ rawfusion "fusion" ─ tee "photo"
///
///     tee "photo" ─┬─ queue ─ dngenc "proraw-encoder" ─ sink "proraw"
///                  └─ queue ─ rawdevelop "F-look" ─ "F-encoder" ─ sink "F"
package struct PhotoBranches: Sendable {
    /// The formats of the photos, a branch each.
    package var formats: [PhotoBranchFormat]
    /// The properties of the fusion in the text, such as `mode=speed`; empty for none.
    package var fusionProperties = ""
    /// Returns the properties of a format's rawdevelop in the text, such as `color-space=rec2020`; empty for none.
    package var lookProperties: @Sendable (PhotoBranchFormat) -> String = { _ in "" }
    /// Returns the text of a format's sink.
    package var sink: @Sendable (PhotoBranchFormat) -> String
    /// Returns the registered name of a factory.
    package var element: @Sendable (String) -> String = { $0 }

    /// Creates the branches of these formats; `sink` returns the text of a format's sink.
    package init(_ formats: [PhotoBranchFormat], sink: @escaping @Sendable (PhotoBranchFormat) -> String) {
        self.formats = formats
        self.sink = sink
    }

    /// The chains of the text, which begin at a tee named `burst`.
    package var chains: [String] {
        var chains: [String] = []
        if formats.contains(.bayer) { chains.append("burst. ! \(Self.queue(8)) ! \(file(.bayer))") }
        let fused = formats.filter(\.isFused)
        if !fused.isEmpty {
            chains.append(
                "burst. ! \(Self.queue(16)) ! \(element("rawfusion")) name=fusion\(words(fusionProperties)) "
                    + "! tee name=photo")
        }
        for format in fused {
            let look =
                format.isRAW
                ? "" : "\(element("rawdevelop")) name=\(format.lookName)\(words(lookProperties(format))) ! "
            chains.append("photo. ! \(Self.queue(1)) ! \(look)\(file(format))")
        }
        return chains
    }

    private func file(_ format: PhotoBranchFormat) -> String {
        "\(format.encoderText(name: format.encoderName, element: element)) ! \(sink(format))"
    }

    private func words(_ properties: String) -> String { properties.isEmpty ? "" : " " + properties }

    /// Returns a queue limited by frame count; a queue's default limit of 10 MB is smaller than one 12-megapixel frame.
    package static func queue(_ buffers: Int, leaky: Bool = false) -> String {
        "queue max-size-buffers=\(buffers) max-size-bytes=0 max-size-time=0" + (leaky ? " leaky=downstream" : "")
    }
}
