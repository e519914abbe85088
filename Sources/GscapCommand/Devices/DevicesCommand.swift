internal import GSCapture
internal import GStreamer

/// `gscap devices`: the cameras.
enum DevicesCommand {
    static func run(_ words: some Sequence<String>) throws -> ExitCode {
        let options = try Options(words, known: [.flag("--json"), .flag("--help"), .flag("--verbose")])
        if options.has("--help") { return try Command.help("devices") }
        try options.refuseOperands(after: 0)
        let console = Console(isJSON: options.has("--json"))
        let devices: [CaptureDevice]
        do {
            devices = try CaptureDevice.discover()
        } catch {
            throw Failure(.unavailable, error.description)
        }
        for device in devices { show(device, on: console) }
        return .done
    }

    private static func show(_ device: CaptureDevice, on console: Console) {
        console.event(
            "device",
            [
                ("id", .text(device.uniqueID)), ("name", .text(device.localizedName)),
                ("pipeline", .text(device.pipelineText)), ("caps", device.caps.map { .text($0.description) } ?? .null),
            ])
        guard !console.isJSON else { return }
        console.print("\(device.localizedName)  (\(device.uniqueID))")
        console.print(device.pipelineText.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
    }
}
