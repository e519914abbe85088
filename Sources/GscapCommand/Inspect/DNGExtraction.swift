internal import CameraRaw
internal import DNG
internal import GSCapture
internal import JSON
internal import PictureFiles
internal import RawImage

/// Extracts the preview, mattes, depth map and original raw file of a DNG into separate files:
/// `gscap inspect FILE.dng --extract preview`.
struct DNGExtraction {
    /// The words of `--extract`.
    enum Part: String, CaseIterable {
        case preview, mattes, depth, original

        /// Reads `--extract`; nil without it.
        init?(_ options: Options) throws(Failure) {
            let word = try Suggestions.choice("--extract", options, among: Self.allCases.map(\.rawValue))
            guard let word else { return nil }
            self.init(rawValue: word)
        }
    }

    let path: String
    let file: DNGFile
    /// The output file, or for mattes the folder; nil to store the pictures beside the DNG.
    let output: String?
    let replacesFiles: Bool
    let console: Console

    /// Stores a part.
    func store(_ part: Part) throws {
        switch part {
        case .preview: try storePreview()
        case .mattes: try storeMattes()
        case .depth: try storeDepth()
        case .original: try storeOriginal()
        }
    }

    /// Stores the DNG's first preview, or the largest JPEG in a camera's own raw file, as a JPEG file; throws if it is
    /// not stored as a JPEG.
    private func storePreview() throws {
        let jpeg = try file.cameraRaw == nil ? file.previewJPEG() : DNGFile.previewJPEG(rawFile: path)
        guard let jpeg else {
            let words =
                file.cameraRaw == nil ? "its preview is not stored as a JPEG" : "the camera stored no JPEG in it"
            throw Failure(.badInput, "\(path): \(words); gscap develop renders the photo")
        }
        try store(jpeg, as: output ?? stem + "-preview.jpg")
    }

    /// Stores each matte (a mask such as that of the sky) as a grey PNG with a number and the matte's kind in its name.
    private func storeMattes() throws {
        let mattes = try file.mattes()
        if let output, StandardFile.isOutput(output) {
            throw Failure(.usage, "mattes are several files: name a folder for them, ./\(output) if it is called so")
        }
        if mattes.isEmpty { throw Failure(.badInput, "\(path): the file contains no mattes") }
        for (index, matte) in mattes.enumerated() {
            // The last part of a semantic name such as urn:…:semanticskymatte.
            let name = matte.kind.rawValue.split(separator: ":").last.map(String.init) ?? "matte"
            let base = output.map { "\($0)/\(stem.split(separator: "/").last ?? "photo")" } ?? stem
            let bytes = try GreyPNG.encode(matte.shares, width: matte.width, height: matte.height)
            try store(bytes, as: "\(base)-\(index + 1)-\(name.filter { $0.isLetter || $0.isNumber }).png")
        }
    }

    /// Stores the depth map as a grey PNG of 8 or 16 bits.
    private func storeDepth() throws {
        guard let map = try file.depthMap() else { throw Failure(.badInput, "\(path): the file contains no depth map") }
        let bytes =
            map.bitDepth == 8
            ? try GreyPNG.encode(map.codes.map { UInt8(truncatingIfNeeded: $0) }, width: map.width, height: map.height)
            : try GreyPNG.encode(map.codes, width: map.width, height: map.height)
        try store(bytes, as: output ?? stem + "-depth.png")
    }

    /// Stores the raw file that the DNG was converted from, under its own name.
    private func storeOriginal() throws {
        let original = try file.originalRawFile()
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        try store(original.bytes, as: output ?? folder + original.name)
    }

    /// The path without the file extension of a DNG or of a camera's raw file.
    private var stem: String {
        if path == StandardFile.name { return "photo" }
        if path.hasSuffix(".dng") || path.hasSuffix(".DNG") { return String(path.dropLast(4)) }
        guard DNGFile.isCameraRaw(name: path), let dot = path.lastIndex(of: ".") else { return path }
        return String(path[..<dot])
    }

    private func store(_ bytes: [UInt8], as target: String) throws {
        let output = OutputFile(path: target, replacing: replacesFiles, sources: SourceFiles([path]))
        try output.check(console)
        try output.write(pieces: [bytes])
        if output.isStandardOutput { return }
        console.event("file", [("file", .text(target)), ("bytes", .integer(bytes.count))])
        if !console.isJSON { console.print("\(target)  \(TextFormat.size(bytes.count))") }
    }
}
