internal import DNG
internal import GSCapture
internal import GscapElements
internal import JSON

/// The conversion of one DNG after another with the same options.
struct FileConversion {
    let conversion: DNGConversion
    /// Whether the chosen predictor is reported.
    let namesPredictor: Bool
    /// Whether the new file contains the file that it is made from.
    let embedsOriginal: Bool
    /// Whether the photo of a camera's own raw file, whose previews are not read, gets a rendered preview.
    let rendersPreview: Bool
    let acceptsDamage: Bool
    let replacesFiles: Bool
    let console: Console

    /// Converts a file and reports the new one. `folder` is created if it does not exist.
    func convert(
        _ source: String, to target: String, in folder: String? = nil, _ fields: [(String, JSON)] = []
    ) throws {
        let file = try DNGInput.open(source, acceptsDamage: acceptsDamage)
        // A DNG may be replaced by its conversion, which contains the same photo. A camera's own file would be lost.
        let output = OutputFile(
            path: target, replacing: replacesFiles, sources: SourceFiles(file.cameraRaw == nil ? [] : [source]))
        do {
            let data = try encode(file, source)
            let copy = try DNGFile(data)
            if let warning = conversion.customization.readerWarning(of: copy) { console.note(warning) }
            for damage in file.acceptedDamage { console.note("\(source): \(damage)") }
            if let folder { try PhotoFolder.prepare(folder) }
            console.progress("writing \(target)")
            try data.withBytes { bytes in try output.write(bytes) }
            if output.isStandardOutput { return }
            let damage: [(String, JSON)] =
                file.acceptedDamage.isEmpty ? [] : [("damaged", .list(file.acceptedDamage.map(JSON.text)))]
            report(target, of: source, bytes: data.count, before: file.byteCount, predictor(copy), damage + fields)
        } catch let error as Failure {
            throw Failure(error, of: source, file: source)
        }
    }

    private func encode(_ file: DNGFile, _ source: String) throws -> DNGData {
        var conversion = conversion
        if file.cameraRaw != nil, rendersPreview, case .keep = conversion.preview { conversion.preview = .half }
        let data = try conversion.encode(file) { console.note("\(source): \($0)") }
        let serial = conversion.isStripped ? "" : file.cameraRaw?.serial ?? ""
        return try data.embedding(embedsOriginal ? OriginalRawFile(path: source) : nil, serial: serial)
    }

    private func predictor(_ copy: DNGFile) -> Int? { namesPredictor ? copy.predictor : nil }

    private func report(
        _ target: String, of source: String, bytes: Int, before: Int, _ predictor: Int?, _ fields: [(String, JSON)]
    ) {
        let sizes: [(String, JSON)] = [("bytes", .integer(bytes)), ("bytesBefore", .integer(before))]
        let choice: [(String, JSON)] = predictor.map { [("predictor", .integer($0))] } ?? []
        console.event("file", [("file", .text(target)), ("from", .text(source))] + sizes + choice + fields)
        if console.isJSON { return }
        let words = predictor.map { ", predictor \($0)" } ?? ""
        console.print("\(target)  \(TextFormat.size(bytes)), was \(TextFormat.size(before))\(words)")
    }
}
