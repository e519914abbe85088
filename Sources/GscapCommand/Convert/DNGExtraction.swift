internal import DNG
internal import GSCapture
internal import PictureFiles
internal import RawImage

/// `gscap inspect FILE.dng --preview, --mattes, --depth`: the pictures beside the raw one, as files of their own.
struct DNGExtraction {
    let path: String
    let file: DNGFile
    /// Where to; nil for beside the DNG.
    let output: String?
    let console: Console

    /// Stores the first preview.
    func storePreview() throws {
        guard let jpeg = try file.previewJPEG() else {
            throw Failure(.badInput, "\(path): its preview is not stored as a JPEG")
        }
        try store(jpeg, as: output ?? stem + "-preview.jpg")
    }

    /// Stores each matte.
    func storeMattes() throws {
        let mattes = try file.mattes()
        if mattes.isEmpty { throw Failure(.badInput, "\(path): there are no mattes in it") }
        for (index, matte) in mattes.enumerated() {
            // The last word of a name such as urn:…:semanticskymatte.
            let name = matte.kind.rawValue.split(separator: ":").last.map(String.init) ?? "matte"
            let base = output.map { "\($0)/\(stem.split(separator: "/").last ?? "photo")" } ?? stem
            let bytes = try GreyPNG.encode(matte.shares, width: matte.width, height: matte.height)
            try store(bytes, as: "\(base)-\(index + 1)-\(name.filter { $0.isLetter || $0.isNumber }).png")
        }
    }

    /// Stores the depth map.
    func storeDepth() throws {
        guard let map = try file.depthMap() else { throw Failure(.badInput, "\(path): there is no depth map in it") }
        let bytes =
            map.bitDepth == 8
            ? try GreyPNG.encode(map.codes.map { UInt8(truncatingIfNeeded: $0) }, width: map.width, height: map.height)
            : try GreyPNG.encode(map.codes, width: map.width, height: map.height)
        try store(bytes, as: output ?? stem + "-depth.png")
    }

    private var stem: String {
        path.hasSuffix(".dng") || path.hasSuffix(".DNG") ? String(path.dropLast(4)) : path
    }

    private func store(_ bytes: [UInt8], as target: String) throws {
        unsafe try WholeFile.write(bytes.span.bytes, to: target)
        console.event("file", [("file", .text(target)), ("bytes", .integer(bytes.count))])
        if !console.isJSON { console.print("\(target)  \(Words.size(bytes.count))") }
    }
}
