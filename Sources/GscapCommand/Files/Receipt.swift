internal import RawImage

/// What the command says of a fusion: for programs, and for people.
struct Receipt {
    let report: FusionReport
    /// What the frames are called, by their place in the burst; without it they are counted.
    var names: [String] = []

    init(_ report: FusionReport, names: [String] = []) {
        self.report = report
        self.names = names
    }

    private func name(of frame: FusionReport.Frame) -> String {
        names.indices.contains(frame.index) ? names[frame.index] : "frame \(frame.index)"
    }

    /// "7 of 8 frames, as clean as the mean of 6.2".
    var summary: String {
        "\(report.usedFrames) of \(report.frames.count) frames, as clean as the mean of "
            + Words.decimal(report.effectiveFrames, 1)
    }

    /// A sentence for each frame that was left out.
    var rejections: [String] {
        report.frames.compactMap { frame in frame.rejection.map { "\(name(of: frame)) was left out: \($0)" } }
    }
}

// MARK: - For programs

extension Receipt {
    var json: JSON { .object(fields) }

    var fields: [(String, JSON)] {
        let map = report.effectiveFramesMap.coarse()
        var fields: [(String, JSON)] = [
            ("reference", .integer(report.reference)), ("framesUsed", .integer(report.usedFrames)),
            ("headroom", .number(report.headroom)), ("effectiveFrames", .number(report.effectiveFrames)),
            ("leastEffectiveFrames", .number(report.leastEffectiveFrames)),
            ("expectedNoiseGain", .number(report.expectedNoiseGain)),
            ("measuredNoiseGain", report.measuredNoiseGain.map(JSON.number) ?? .null),
            ("repairedPixels", .integer(report.repairedPixels)),
            ("detailShare", report.detailShare.map(JSON.number) ?? .null),
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
                ("index", .integer(frame.index)), ("rejection", frame.rejection.map(JSON.text) ?? .null),
                ("motion", [.number(frame.motion.x), .number(frame.motion.y)]),
                ("mergedShare", .number(frame.mergedShare)),
            ])
    }
}

// MARK: - For people

extension Receipt {
    /// Lines of a table: a fact and what it is.
    var facts: [[String]] {
        var facts = [
            ["frames", "\(report.usedFrames) of \(report.frames.count), aligned with frame \(report.reference)"],
            [
                "effective frames",
                "\(Words.decimal(report.effectiveFrames, 1)), at least \(Words.decimal(report.leastEffectiveFrames, 1)) "
                    + "in 95 of 100 places",
            ],
        ]
        if report.expectedNoiseGain != 0 || report.measuredNoiseGain != nil {
            let measured = report.measuredNoiseGain.map { ", measured \(Words.decimal($0, 1)) dB" } ?? ""
            facts.append(["less noise", "expected \(Words.decimal(report.expectedNoiseGain, 1)) dB" + measured])
        }
        if report.headroom > 0 { facts.append(["highlights", "\(Words.decimal(report.headroom, 1)) EV more"]) }
        if report.repairedPixels > 0 { facts.append(["repaired pixels", "\(report.repairedPixels)"]) }
        if let share = report.detailShare { facts.append(["finer detail", percent(share)]) }
        if !report.stages.isEmpty {
            let times = report.stages.map { "\($0.name) \(Words.decimal($0.seconds, 2)) s" }
            facts.append(["time", times.joined(separator: ", ")])
        }
        return facts
    }

    /// Lines of a table: each frame and what became of it.
    var rows: [[String]] {
        report.frames.map { frame in
            let motion = "moved by (\(Words.decimal(frame.motion.x, 2)), \(Words.decimal(frame.motion.y, 2)))"
            let fate = frame.rejection.map { "left out: \($0)" } ?? "\(percent(frame.mergedShare)) merged"
            let isReference = frame.index == report.reference
            return [name(of: frame), isReference ? "the reference" : motion, isReference ? "" : fate]
        }
    }

    private func percent(_ share: Double) -> String { "\(Words.decimal(share * 100, 1)) %" }
}
