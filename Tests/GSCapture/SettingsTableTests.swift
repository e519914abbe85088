import CaptureSettings
import DNG
import Foundation
import GStreamer
import JSON
import RandomSequences
import RawImage
import Testing

@testable import GSCapture

/// The table of settings: what it says is what `PhotoSettings` reads and writes.
@Suite struct SettingsTableTests {
    /// Returns a random value that a setting allows and that is not its default.
    private static func value(of setting: PhotoSetting, _ random: inout SeededRandom) -> JSON {
        switch setting.kind {
        case .truth: return .truth(setting.standard == "false" || Bool.random(using: &random))
        case .integer(let range):
            return .integer(Int.random(in: range.lowerBound...min(range.upperBound, 1 << 30), using: &random))
        case .number(let range):
            // Multiples of 1/512 s are whole nanoseconds, which a tolerance is rounded to.
            let finite = max(-1e6, range.lowerBound)...min(1e6, range.upperBound)
            return .number((Double.random(in: finite, using: &random) * 512).rounded() / 512)
        case .positive: return .number(Double.random(in: 1e-6...1e6, using: &random))
        case .text: return .text(["Ada", "é\"\\", "a, b"].randomElement(using: &random) ?? "")
        case .choice(let words):
            // The settings below request Bayer RAW, with which the default effort is speed.
            let standard = setting.name == PhotoSetting.effort.name ? "speed" : setting.standard
            return .text(words.filter { !standard.hasPrefix($0) }.randomElement(using: &random) ?? "")
        case .texts(let words):
            let list = (words.isEmpty ? ["wide", "tele", "café"] : words).shuffled(using: &random).prefix(2)
            return .list(list.map(JSON.text).sorted { $0.line < $1.line })
        case .objects(let fields):
            return .list(
                (0..<3).map { _ in
                    let bias = fields.filter { $0.name == PhotoSetting.exposureBias.name }
                    let single = Bool.random(using: &random) ? bias : fields.filter { $0.name != bias[0].name }
                    return .object(single.map { ($0.name, value(of: $0, &random)) })
                })
        case .table(let names, let fields):
            let some = names.shuffled(using: &random).prefix(2).sorted()
            return .object(some.map { ($0, .object(fields.map { ($0.name, value(of: $0, &random)) })) })
        case .unsigned, .numbers, .properties: return .null
        }
    }

    /// Returns a random object with some of the fields, or with those that one field needs.
    private static func object(_ random: inout SeededRandom, with setting: PhotoSetting) -> [(String, JSON)] {
        let chosen = PhotoSetting.all.filter { row in
            row.name == setting.name || row.name == PhotoSetting.raw.name || Bool.random(using: &random)
        }
        let needed = Set(chosen.flatMap(\.needs))
        return PhotoSetting.all.filter { row in needed.contains(row.name) || chosen.contains { $0.name == row.name } }
            .map { row in (row.name, value(of: row, &random)) }
    }

    /// The properties of settings that are read from them, without the ticket.
    private static func contents(_ settings: PhotoSettings) -> [String: AnyHashable] {
        let children = Mirror(reflecting: settings).children.compactMap { child in
            child.label.flatMap { label in (child.value as? AnyHashable).map { (label, $0) } }
        }
        return Dictionary(uniqueKeysWithValues: children.filter { $0.0 != "uniqueID" })
    }

    /// Each setting keeps its value through JSON and through a structure, whatever the others are.
    @Test(arguments: PhotoSetting.all.map(\.name)) func valuesSurviveJSONAndStructures(name: String) throws {
        let setting = try #require(PhotoSetting.all.first { $0.name == name })
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededRandom(seed)
            let object = Self.object(&random, with: setting)
            let settings = try PhotoSettings(json: JSON.object(object).line)
            let written = try #require(try JSON(reading: settings.json).object)
            let given = try #require(object.first { $0.0 == name }?.1)
            #expect(written.first { $0.0 == name }?.1.line == given.line, "seed \(seed)")
            #expect(Set(written.map(\.0)).isSubset(of: object.map(\.0)), "seed \(seed)")
            let structure = settings.structure("settings")
            #expect(structure[name] != nil)
            let copies = try [PhotoSettings(json: settings.json), PhotoSettings(structure)]
            for copy in copies { #expect(Self.contents(copy) == Self.contents(settings), "seed \(seed)") }
        }
    }

    /// Settings without changes have no fields, so that each field is one that somebody chose.
    @Test func defaultsAreLeftOut() throws {
        #expect(PhotoSettings().json == "{}")
        #expect(PhotoSettings(raw: [.bayer]).json == #"{"raw":["bayer"]}"#)
        #expect(try PhotoSettings(json: #"{"raw":["bayer"],"iso":null}"#).photoQualityPrioritization == .speed)
        #expect(try PhotoSettings(json: #"{"raw":["proRAW"]}"#).photoQualityPrioritization == .balanced)
    }

    @Test(arguments: [
        ("[]", "not a JSON object"), ("{\"iso\": 1", "line 1, column 10"),
        (#"{"ios":1,"isso":2}"#, #"there are no fields "ios" and "isso": use raw, "#),
        (#"{"iso":0}"#, "iso is not a number above 0: 0"),
        (#"{"iso":"high"}"#, #"iso is not a number above 0: "high""#),
        (
            #"{"frames":65,"orientation":1.5}"#,
            "frames is not an integer from 1 to 64: 65; orientation is not an integer"
        ),
        (#"{"exposure-bias":-20.5}"#, "exposure-bias is not a number from -20 to 20 EV: -20.5"),
        (#"{"flash":"torch"}"#, #"flash is not one of off, on, auto: "torch""#),
        (#"{"raw":["bayer","nef"]}"#, "raw is not a list of bayer, proRAW"), (#"{"deferred":1}"#, "deferred is not a"),
        (#"{"bracket":[{"exposure-bias":0},{"iso":-1,"ev":2}]}"#, "bracket[1].iso is not a number above 0: -1"),
        (#"{"bracket":[{"exposure-bias":0},{"ev":2}]}"#, #"there is no field "bracket[1].ev": use exposure-time, iso"#),
        (
            #"{"processed-options":{"jpeg":{"quality":2}}}"#,
            "processed-options.jpeg.quality is not a number from 0 to 1"
        ),
        (#"{"processed-options":{"gif":{}}}"#, #"there is no field "processed-options.gif""#),
        (#"{"processed-options":{"jpeg":1}}"#, "processed-options.jpeg is not an object: 1"),
        (#"{"latitude":1}"#, "latitude has no meaning without longitude"),
        (#"{"white-tint":1}"#, "white-tint has no meaning without white-temperature"),
    ])
    func wrongJSONIsRefused(text: String, message: String) throws {
        let error = try #require(throws: CaptureError.self) { try PhotoSettings(json: text) }
        #expect(error.code == .settingsMalformed)
        #expect(error.message.contains(message), "\(error)")
    }

    /// Settings that a program sends as JSON reach the file.
    @Test func postedKeywordsAreInTheFile() async throws {
        let (session, output) = (CaptureSession(), PhotoOutput())
        try session.add(CaptureDeviceInput(device: .simulated(width: 64, height: 48, framesPerSecond: 30)))
        try session.add(output)
        try await session.startRunning()
        let settings = try PhotoSettings(json: #"{"raw":["bayer"],"frames":1,"keywords":["lake","A, B"]}"#)
        let photo = try #require(try await output.capturePhoto(with: settings).photos.first)
        await session.stopRunning()
        #expect(try DNGFile(bytes: #require(photo.fileBytes())).metadata.details.keywords == ["lake", "A, B"])
    }

    /// An error of a setting names it by the words of each interface.
    @Test func errorsCarryTheirSetting() throws {
        var settings = PhotoSettings(processed: [.jpeg])
        settings.bracket = [.bias(-1), .bias(1)]
        settings.iso = 100
        let error = try #require(CaptureRules.broken(by: settings, plan: nil, CaptureConditions()))
        #expect(error.place == "bracket" && error.message.hasSuffix("leave out exposureTime, iso and exposureBias"))
        let problem = try #require(error.cause as? SettingProblem)
        #expect(problem.setting.option == "--bracket")
        #expect(problem.text.text(\.option).hasSuffix("leave out --shutter, --iso and --ev"))
    }

    /// Library/settings.json, from which Tools/generate/names makes the C library, the Python module and the pages, has
    /// the rows of the table. With GSCAP_UPDATE the test writes it.
    @Test func theDumpHasTheRowsOfTheTable() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Library/settings.json")
        let rows =
            PhotoSetting.request
            + PhotoSetting.all.filter { row in
                !PhotoSetting.request.contains { $0.name == row.name }
            }
        let text = "[\n" + rows.map { Self.dump($0).line }.joined(separator: ",\n") + "\n]\n"
        if ProcessInfo.processInfo.environment["GSCAP_UPDATE"] != nil {
            try text.write(to: file.standardizedFileURL, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "run `make names`")
    }

    private static func dump(_ row: PhotoSetting) -> JSON {
        let type: String =
            switch row.kind {
            case .truth: "truth"
            case .integer: "integer"
            case .number, .positive: "number"
            case .unsigned: "unsigned"
            case .text, .choice: "text"
            case .texts: "texts"
            case .numbers: "numbers"
            case .objects: "objects"
            case .table: "table"
            case .properties: "properties"
            }
        return [
            "name": .text(row.name), "type": .text(type), "allowed": .text(row.allowed), "unit": .text(row.unit),
            "default": .text(row.standard), "sentence": .text(row.sentence), "property": .text(row.property),
            "option": .text(row.option), "placeholder": .text(row.placeholder),
            "request": .truth(PhotoSetting.request.contains { $0.name == row.name }),
            "photo": .truth(PhotoSetting.all.contains { $0.name == row.name }),
        ]
    }
}
