internal import GSCapture
internal import GStreamer
internal import GscapElements
internal import JSON
internal import Kernels
internal import RawImage

/// `gscap doctor`: says what this machine has for taking photos, and what to install.
enum DoctorCommand: Subcommand {
    static let name = CommandName.doctor
    static let help = CommandHelp(
        usage: [("gscap doctor [--json]", "")],
        summary: "say what this machine lacks",
        details: """
            Checks GStreamer and its elements, the libraries of the file formats, the cameras and the right to open
            them, the display and the processor, and takes a photo with the simulated camera. One of these words begins
            each line, and advice follows what is missing:

              ok       it is there
              missing  only what the line names needs it
              needed   no photo can be taken without it

            The exit code is 0 if photos can be taken, otherwise 69.
            """)

    static func run(_ options: Options, _ console: Console) async throws -> ExitCode {
        try options.requireOperands(atMost: 0)
        let devices = (try? CaptureDevice.discover()) ?? []
        let findings =
            machine + ElementFindings.all() + FormatFindings.all() + CameraFindings.all(devices) + [display]
            + [await photo()]
        show(findings, on: console)
        let reasons = findings.filter { $0.state == .needed }.map { "\($0.subject): \($0.text)" }
        console.event("doctor", [("takesPhotos", .truth(reasons.isEmpty))])
        guard reasons.isEmpty else {
            throw Failure(.unavailable, "no photo can be taken: " + reasons.joined(separator: "; "))
        }
        return .done
    }

    private static func show(_ findings: [Finding], on console: Console) {
        var topic: Finding.Topic?
        for finding in findings {
            console.event(finding)
            guard !console.isJSON else { continue }
            if topic != finding.topic { console.print(finding.topic.rawValue) }
            topic = finding.topic
            let word = finding.state.rawValue
            let advice = finding.advice.map { "; \($0)" } ?? ""
            console.print(
                "  \(word)" + String(repeating: " ", count: 9 - word.count)
                    + "\(finding.subject): \(finding.text)\(advice)")
        }
    }

    /// The versions, and the copy of the kernels that the processor can run.
    private static var machine: [Finding] {
        let kernels = hasWidestVectors ? "AVX-512" : hasWideVectors ? "AVX2" : "the baseline of the architecture"
        return [
            Finding(.machine, "gscap", "version \(GscapPlugin.version)"),
            Finding(.machine, "GStreamer", "version \(GStreamerRuntime.version.filter { !$0.isLetter && $0 != " " })"),
            Finding(.machine, "processor", "\(Processors.count) cores; the kernels for \(kernels) run"),
        ]
    }

    /// Whether a preview can be shown.
    private static var display: Finding {
        if Display.isAvailable { return Finding(.display, "preview", "a Wayland or X server accepts connections") }
        return Display.isNamed
            ? Finding(
                .display, "preview", "the display that DISPLAY or WAYLAND_DISPLAY names refuses connections", .missing,
                advice: "photos are taken without a preview; over SSH use ssh -X")
            : Finding(
                .display, "preview", "there is no display", .missing,
                advice: "photos are taken without a preview")
    }

    /// Takes a photo with the simulated camera, without a file.
    private static func photo() async -> Finding {
        let session = CaptureSession()
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let finding: Finding
        do {
            try session.add(CaptureDeviceInput(device: .simulated(width: 320, height: 240, framesPerSecond: 30)))
            try session.add(output)
            try await session.startRunning()
            let photos = try await output.capturePhoto(with: PhotoSettings(raw: [.proRAW], processed: [.jpeg])).photos
            if let error = photos.lazy.compactMap(\.error).first { throw error }
            let formats = photos.map { "\($0.format.summary) of \($0.fileSize) bytes" }.joined(separator: ", ")
            finding = Finding(.photo, "simulated camera", formats)
        } catch {
            let message = (error as? CaptureError)?.message ?? "\(error)"
            finding = Finding(.photo, "simulated camera", message, .needed)
        }
        await session.stopRunning()
        return finding
    }
}
