internal import GSCapture
internal import GStreamer
internal import JSON

/// `gscap devices`: lists the cameras that GStreamer finds, and the simulated camera.
enum DevicesCommand: Subcommand {
    static let name = CommandName.devices
    static let help = CommandHelp(
        usage: [("gscap devices [--json]", "")],
        summary: "list the cameras",
        details: """
            Lists the cameras that GStreamer finds and the built-in simulated ones, each with the pipeline text that
            opens it. A virtual device consists of several cameras. Files describe others, for --device. Advice about
            cameras that cannot be used goes to standard error; gscap doctor checks the rest of the machine.
            """)
    static let printsResult = true

    static func run(_ options: Options, _ console: Console) throws -> ExitCode {
        try options.requireOperands(atMost: 0)
        let devices: [CaptureDevice]
        do {
            devices = try CaptureDevice.discover() + [.simulatedWideAndTele()]
        } catch {
            throw Failure(.unavailable, error.description)
        }
        for device in devices { show(device, on: console) }
        for finding in CameraFindings.all(devices) {
            console.event(finding)
            if let advice = finding.advice { console.note("\(finding.subject): \(finding.text); \(advice)") }
        }
        return .done
    }

    private static func show(_ device: CaptureDevice, on console: Console) {
        console.event(
            "device",
            [
                ("id", .text(device.uniqueID)), ("name", .text(device.localizedName)),
                ("pipeline", .text(device.pipelineText)), ("caps", device.caps.map { .text($0.description) } ?? .null),
                ("cameras", .list(device.constituents.map { .text($0.device.uniqueID) })),
            ])
        guard !console.isJSON else { return }
        console.print("\(device.localizedName)  (\(device.uniqueID))")
        for camera in device.isVirtual ? device.constituents.map(\.device) : [device] {
            console.print(camera.pipelineText.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
        }
    }
}
