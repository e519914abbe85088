internal import JSON
internal import RawImage

/// Presents the report of a fusion as JSON and as text.
struct FusionReportText {
    let report: FusionReport
    /// The frames' file names by their index in the burst. Frames without a name are called "frame" and their number.
    var names: [String] = []

    init(_ report: FusionReport, names: [String] = []) {
        self.report = report
        self.names = names
    }

    private func name(ofFrame index: Int) -> String {
        names.indices.contains(index) ? names[index] : "frame \(index)"
    }

    /// The reason why a frame was left out, with the name of the frame of which it is a copy.
    private func rejection(of frame: FusionReport.Frame) -> String? {
        frame.sameAs.map { FusionReport.Frame.copyReason(name(ofFrame: $0)) } ?? frame.rejection
    }

    /// The result in one line, with the numbers of merged and of all frames, the noise reduction, and the fraction of
    /// the picture in which a tele camera was used: "7 of 8 frames, 6.2 dB less noise; tele camera in 22.5 % of the
    /// picture".
    var summary: String {
        let tele = report.teleUsedFraction.map { "tele camera in \(percent($0)) of the picture" }
        if report.isOfTeleAlone { return tele ?? "" }
        return "\(report.usedFrames) of \(report.frames.count) frames, " + noiseReduction
            + (report.noiseSource.map { $0 == .stated } ?? true ? "" : "; noise estimated from the frames")
            + (tele.map { "; " + $0 } ?? "")
    }

    /// The noise reduction as measured in flat areas, or as expected from the frames' agreement if the photo has too
    /// few of them: "6.2 dB less noise".
    private var noiseReduction: String {
        guard let measured = report.measuredNoiseGain else {
            return "\(TextFormat.decimal(report.expectedNoiseGain, 1)) dB less noise expected"
        }
        let amount = TextFormat.decimal(abs(measured), 1)
        return "\(amount) dB \(measured < 0 && amount != "0.0" ? "more" : "less") noise"
    }

    /// The warnings: wrong noise profiles, and each frame that was left out.
    var warnings: [String] { [report.noiseWarning].compactMap(\.self) + replacedProfiles + rejections }

    /// A message for each frame with a wrong noise profile of its own.
    private var replacedProfiles: [String] {
        report.frames.filter { $0.hasReplacedNoise == true }.map { frame in
            "\(name(ofFrame: frame.index)) states a NoiseProfile that is wrong by more than 2 times beside the first "
                + "frame's: the first frame's is used"
        }
    }

    /// A message for each frame that was left out, with the reason.
    var rejections: [String] {
        report.frames.compactMap { frame in
            rejection(of: frame).map { "\(name(ofFrame: frame.index)) was left out: \($0)" }
        }
    }
}

// MARK: - JSON

extension FusionReportText {
    /// The fusion report as one JSON object.
    var json: JSON { .object(fields) }

    /// The fusion report as the fields of a JSON object.
    var fields: [(String, JSON)] {
        let map = report.effectiveFramesMap.coarse()
        var fields: [(String, JSON)] = [
            ("reference", .integer(report.reference)), ("framesUsed", .integer(report.usedFrames)),
            ("headroom", .number(report.headroom)), ("effectiveFrames", .number(report.effectiveFrames)),
            ("leastEffectiveFrames", .number(report.leastEffectiveFrames)),
            ("expectedNoiseGain", .number(report.expectedNoiseGain)),
            ("measuredNoiseGain", report.measuredNoiseGain.map(JSON.number) ?? .null),
            ("noiseSource", (report.noiseSource?.rawValue).map(JSON.text) ?? .null),
            ("statedNoiseRatio", report.statedNoiseRatio.map(JSON.number) ?? .null),
            ("repairedPixels", .integer(report.repairedPixels)),
            ("superResolvedFraction", report.superResolvedFraction.map(JSON.number) ?? .null),
            ("superResolutionScale", report.superResolutionScale.map(JSON.number) ?? .null),
            ("denoising", report.denoising.map(JSON.number) ?? .null),
            ("teleUsedFraction", report.teleUsedFraction.map(JSON.number) ?? .null),
            ("teleEnlargement", report.teleEnlargement.map(JSON.number) ?? .null),
            ("seconds", .object(report.stages.map { ($0.name, .number($0.seconds)) })),
            ("frames", .list(report.frames.map(json))),
        ]
        if map.isWhole {
            let values = map.values.map { JSON.number((Double($0) * 100).rounded() / 100) }
            fields.append(
                ("map", ["columns": .integer(map.columns), "rows": .integer(map.rows), "values": .list(values)]))
        }
        return fields
    }

    private func json(_ frame: FusionReport.Frame) -> JSON {
        let file = names.indices.contains(frame.index) ? [("file", JSON.text(names[frame.index]))] : []
        return .object(
            file + [
                ("index", .integer(frame.index)), ("rejection", rejection(of: frame).map(JSON.text) ?? .null),
                ("motion", [.number(frame.motion.x), .number(frame.motion.y)]),
                ("mergedShare", .number(frame.mergedShare)),
            ])
    }
}

// MARK: - Text

extension FusionReportText {
    /// The fusion report as the rows of a table, each a label and a value.
    var summaryRows: [[String]] {
        var rows = report.isOfTeleAlone ? [] : frameSummaryRows
        if report.expectedNoiseGain != 0 || report.measuredNoiseGain != nil {
            let measured = report.measuredNoiseGain.map { ", measured \(TextFormat.decimal($0, 1)) dB" } ?? ""
            rows.append([
                "noise reduction", "expected \(TextFormat.decimal(report.expectedNoiseGain, 1)) dB" + measured,
            ])
        }
        if let source = report.noiseSource {
            rows.append([
                "noise profile",
                report.noiseWarning ?? (source == .stated ? "stated by the frames" : "estimated from the frames"),
            ])
        }
        if report.headroom > 0 { rows.append(["highlights", "\(TextFormat.decimal(report.headroom, 1)) EV more"]) }
        if report.repairedPixels > 0 { rows.append(["repaired pixels", "\(report.repairedPixels)"]) }
        if let fraction = report.superResolvedFraction {
            let scale = report.superResolutionScale.map { ", at \(TextFormat.decimal($0, 1)) times the frames' size" }
            rows.append(["super-resolution", "\(percent(fraction)) of the picture" + (scale ?? "")])
        }
        if let denoising = report.denoising {
            rows.append(["denoising", "strength \(TextFormat.decimal(denoising, 2))"])
        }
        if let fraction = report.teleUsedFraction {
            rows.append(["tele camera", "used in \(percent(fraction)) of the picture"])
        }
        if !report.stages.isEmpty {
            let times = report.stages.map { "\($0.name) \(TextFormat.decimal($0.seconds, 2)) s" }
            rows.append(["time", times.joined(separator: ", ")])
        }
        return rows
    }

    /// The rows of the numbers of frames and of effective frames.
    private var frameSummaryRows: [[String]] {
        [
            ["frames", "\(report.usedFrames) of \(report.frames.count), aligned with frame \(report.reference)"],
            [
                "effective frames",
                TextFormat.decimal(report.effectiveFrames, 1) + ", at least "
                    + TextFormat.decimal(report.leastEffectiveFrames, 1) + " "
                    + "at 95 % of positions",
            ],
        ]
    }

    /// The frames as the rows of a table: name, motion against the reference frame and how much of the frame was
    /// merged.
    var frameRows: [[String]] {
        report.frames.map { frame in
            let isAligned = frame.rejection == nil || frame.motion != .zero
            // A frame that is left out before the alignment, such as a copy, has no measured motion.
            let motion =
                isAligned
                ? "moved by (\(TextFormat.decimal(frame.motion.x, 2)), \(TextFormat.decimal(frame.motion.y, 2)))" : ""
            let result = rejection(of: frame).map { "left out: \($0)" } ?? "\(percent(frame.mergedShare)) merged"
            let isReference = frame.index == report.reference
            return [name(ofFrame: frame.index), isReference ? "the reference" : motion, isReference ? "" : result]
        }
    }

    private func percent(_ fraction: Double) -> String { "\(TextFormat.decimal(fraction * 100, 1)) %" }
}
