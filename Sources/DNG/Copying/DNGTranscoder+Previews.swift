internal import PhotoMetadata

extension DNGTranscoder {
    /// Removes unwanted previews, masks and depth maps, and sets the new preview.
    func setPreviews(_ first: DirectoryNode, _ raw: DirectoryNode, _ file: DNGFile) throws(GscapError) {
        let kinds = Dictionary(file.images.map { ($0.offset, $0.kind) }) { first, _ in first }
        func kind(_ node: DirectoryNode) -> DNGImage.Kind? { node.sourceOffset.flatMap { kinds[$0] } }
        if isStripped {
            first.removeDirectories { kind($0) == .mask || kind($0) == .depth }
            first.remove([.depthFormat, .depthNear, .depthFar, .depthUnits, .depthMeasureType])
        }
        switch previews {
        case .keep: break
        case .first:
            let kept = file.images.first { $0.kind == .preview }?.offset
            first.removeDirectories { kind($0) == .preview && $0.sourceOffset != kept }
        case .new(let preview):
            first.removeDirectories { kind($0) == .preview }
            let compressed = try preview.compressed(quality: 90)
            if kind(first) == .preview {
                setPreview(compressed, of: first, file)
            } else {
                // IFD0 contains the raw picture, so the preview goes into a subdirectory.
                let node = DirectoryNode(isBigEndian: first.isBigEndian)
                setPreview(compressed, of: node, file)
                first.children[.subIFDs, default: []].append(node)
            }
        }
    }

    /// The tags of a preview, which a new preview replaces.
    private static let previewTags: [TIFFTag] = [
        .imageWidth, .imageLength, .bitsPerSample, .photometric, .fillOrder, .samplesPerPixel, .planarConfiguration,
        .sampleFormat, .jpegOffset, .jpegByteCount, .yCbCrCoefficients, .yCbCrSubSampling, .yCbCrPositioning,
        .referenceBlackWhite,
        .previewApplicationName, .previewApplicationVersion, .previewSettingsName, .previewSettingsDigest,
        .previewColorSpace, .previewDateTime,
    ]

    private func setPreview(_ preview: DNGPreview, of node: DirectoryNode, _ file: DNGFile) {
        node.removePixels()
        node.remove(Self.previewTags)
        node.set(.newSubFileType, longs: [1])
        node.set(.imageWidth, longs: [preview.width])
        node.set(.imageLength, longs: [preview.height])
        node.set(.bitsPerSample, shorts: [8, 8, 8])
        node.set(.compression, shorts: [DNGCompression.jpeg.rawValue])
        node.set(.photometric, shorts: [Int(Photometric.yCbCr)])
        node.set(.samplesPerPixel, shorts: [3])
        node.set(.planarConfiguration, shorts: [1])
        node.set(.rowsPerStrip, longs: [preview.height])
        if let sampling = preview.chromaSampling {
            node.set(.yCbCrSubSampling, shorts: [sampling.across, sampling.down])
        }
        node.set(.previewApplicationName, text: software.name)
        node.set(.previewApplicationVersion, text: software.version)
        // PreviewColorSpace 2 is sRGB.
        node.set(.previewColorSpace, longs: [2])
        if let time = file.metadata.civilTime { node.set(.previewDateTime, text: time.iso8601) }
        node.pieces.append(
            DirectoryNode.Pieces(offsets: .stripOffsets, counts: .stripByteCounts, pieces: [.new(preview.jpeg)]))
        node.set(.stripByteCounts, longs: [preview.jpeg.count])
    }
}
