internal import DNG
internal import GSCapture
internal import GscapElements

/// The conversion of one DNG after another with the same options.
struct FileConversion {
    let conversion: DNGConversion
    /// Whether the chosen predictor is reported.
    let namesPredictor: Bool
    let acceptsDamage: Bool
    let replacesFiles: Bool
    let console: Console

    /// Converts a file and reports the new one. `folder` is created if it does not exist.
    func convert(
        _ source: String, to target: String, in folder: String? = nil, _ fields: [(String, JSON)] = []
    ) throws {
        let file = try DNGInput.open(source, acceptsDamage: acceptsDamage)
        do {
            if let warning = conversion.customization.readerWarning(bits: file.valueBits) { console.note(warning) }
            let data = try conversion.encode(file)
            for damage in file.acceptedDamage { console.note("\(source): \(damage)") }
            if let remark = file.levelRemark { console.note("\(source): \(remark)") }
            if let folder { try PhotoFolder.prepare(folder) }
            let output = OutputFile(path: target, replacing: replacesFiles)
            try data.withBytes { bytes in try output.write(bytes) }
            if output.isStandardOutput { return }
            report(target, of: source, bytes: data.count, before: file.byteCount, try predictor(data), fields)
        } catch let error as DNGError {
            throw Failure(ExitCode(error), "\(source): \(error.message)", file: source)
        }
    }

    private func predictor(_ data: DNGData) throws -> Int? {
        namesPredictor ? try DNGFile(data).predictor : nil
    }

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
