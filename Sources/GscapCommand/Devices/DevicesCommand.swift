internal import Cameras
internal import GSCapture
internal import GStreamer
internal import JSON
internal import RawImage

/// `gscap devices`: lists the cameras of the machine, and the simulated ones.
enum DevicesCommand: Subcommand {
    static let name = CommandName.devices
    static let help = CommandHelp(
        usage: [("gscap devices [--watch] [--json]", "")],
        summary: "list the cameras",
        details: """
            Lists the cameras of this machine and the built-in simulated ones: the identifier for --device, which stays
            the same at the next start, the name, the place, and the largest of the formats. --json has all formats and
            controls, and the pipeline text that opens each. A virtual device consists of several cameras; files
            describe others. Advice about cameras that cannot be used goes to standard error; gscap doctor checks the
            rest of the machine.
            """)
    static let printsResult = true

    static func run(_ options: Options, _ console: Console) async throws -> ExitCode {
        try options.requireOperands(atMost: 0)
        if options.has("--watch") { return await watch(console) }
        let devices: [CaptureDevice]
        do {
            devices = try CaptureDevice.discover() + [.simulatedWideAndTele()]
        } catch {
            throw Failure(.unavailable, error.description)
        }
        for device in devices { console.event("device", fields(device)) }
        if !console.isJSON { printTable(devices.map(columns), console) }
        for finding in CameraFindings.all(devices) {
            console.event(finding)
            if let advice = finding.advice { console.note("\(finding.subject): \(finding.text); \(advice)") }
        }
        return .done
    }

    // MARK: - The table

    private static func columns(_ device: CaptureDevice) -> [String] {
        let size = (device.activeFormat ?? device.formats.first).map { "\($0.width)x\($0.height)" } ?? ""
        let codes = device.camera?.formats.first?.codes.name ?? ""
        let format = [size, codes].filter { !$0.isEmpty }.joined(separator: " ")
        let place = device.isVirtual ? "\(device.constituents.count) cameras" : device.place
        return [device.uniqueID, device.localizedName, place, device.problem == nil ? format : "cannot be used"]
    }

    private static func printTable(_ rows: [[String]], _ console: Console) {
        let all = [["ID", "CAMERA", "PLACE", "LARGEST FORMAT"]] + rows
        let widths = (0..<4).map { column in all.map { $0[column].count }.max() ?? 0 }
        for row in all {
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            console.print(String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed()))
        }
    }

    // MARK: - JSON

    private static func fields(_ device: CaptureDevice) -> [(String, JSON)] {
        [
            ("id", .text(device.uniqueID)), ("name", .text(device.localizedName)), ("place", .text(device.place)),
            ("pipeline", .text(device.pipelineText)), ("caps", device.caps.map { .text($0.description) } ?? .null),
            ("cameras", .list(device.constituents.map { .text($0.device.uniqueID) })),
            ("problem", device.problem.map(JSON.text) ?? .null),
        ] + (device.camera.map(fields) ?? [])
    }

    private static func fields(_ camera: Camera) -> [(String, JSON)] {
        [
            ("address", .text(camera.address)), ("backend", .text(camera.backend)), ("sensor", .text(camera.sensor)),
            ("facing", .text(camera.facing.rawValue)), ("rotation", .integer(camera.rotation)),
            ("formats", .list(camera.formats.map(JSON.init))), ("controls", .list(camera.controls.map(JSON.init))),
            ("refusedFormats", .list(camera.refusedFormats.map(JSON.text))),
        ]
    }

    // MARK: - Watching

    /// Prints the cameras that are there, and then those that come, change and go, until a signal ends the command.
    private static func watch(_ console: Console) async -> ExitCode {
        for await event in CameraSystem.events() {
            let (word, camera) =
                switch event {
                case .added(let camera): ("added", camera)
                case .changed(let camera): ("changed", camera)
                case .removed(let camera): ("removed", camera)
                }
            let device = CaptureDevice(camera)
            console.event("device-" + word, fields(device))
            let row = columns(device).filter { !$0.isEmpty }.joined(separator: "  ")
            if !console.isJSON { console.print(word + "  " + row) }
            if let problem = camera.problem, word != "removed" { console.note("\(camera.id): \(problem)") }
        }
        return .done
    }
}

extension JSON {
    fileprivate init(_ format: CameraFormat) {
        let rates: JSON = format.rates.map { .list([.number($0.least.number), .number($0.most.number)]) } ?? .null
        self = .object([
            ("code", .text(format.code)), ("format", .text(format.codes.name)),
            ("bits", .integer(format.codes.bitDepth)), ("width", Self(format.width)), ("height", Self(format.height)),
            ("rates", rates),
        ])
    }

    private init(_ side: CameraFormat.Side) {
        self = side.least == side.most ? .integer(side.most) : .list([.integer(side.least), .integer(side.most)])
    }

    fileprivate init(_ control: CameraControl) {
        self = .object([
            ("control", .text(control.kind.rawValue)), ("least", .number(control.range.lowerBound)),
            ("most", .number(control.range.upperBound)), ("step", .number(control.step)),
            ("default", .number(control.standard)), ("unit", .text(control.kind.unit)),
            ("choices", .list(control.choices.map(JSON.text))),
        ])
    }
}
