internal import GSCapture

/// Captures of both cameras of a virtual device: the times between the instants of the photos of one press.
enum ConstituentBenchmark {
    /// Takes this many captures, prints how far apart the instants of their photos are, and returns the exit status: 0
    /// if all captures are complete and their instants within half a frame period of the slower camera.
    static func run(captures: Int) async throws -> Int32 {
        let rate = 30
        let half = 0.5 / Double(rate - 1)
        // The tele camera is a little slower, so that every shift between the cameras' frames occurs.
        var constituents = try CaptureDevice.simulatedWideAndTele(width: 640, height: 480, framesPerSecond: rate)
            .constituents
        constituents[1] = try CaptureDevice.simulatedWideAndTele(width: 640, height: 480, framesPerSecond: rate - 1)
            .constituents[1]
        let device = try CaptureDevice(
            uniqueID: "two-rates", localizedName: "Cameras of Two Rates", constituents: constituents)
        let (session, output) = (CaptureSession(), PhotoOutput())
        try session.add(CaptureDeviceInput(device: device))
        try session.add(output)
        try await session.startRunning()
        try await Task.sleep(for: .seconds(1))
        var differences: [Double] = []
        for _ in 0..<captures {
            // Presses at any time between two frames.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...66)))
            var settings = PhotoSettings(raw: [.bayer])
            settings.constituents = Set(device.constituents.map(\.device.uniqueID))
            // Failed photos have no instant: their captures count as incomplete.
            let instants = (try? await output.capturePhoto(with: settings).photos)?.compactMap(\.instant) ?? []
            guard instants.count == 2, let first = instants.min(), let last = instants.max() else { continue }
            let (seconds, attoseconds) = (last - first).components
            differences.append(Double(seconds) + Double(attoseconds) / 1e18)
        }
        await session.stopRunning()
        differences.sort()
        let median = differences.isEmpty ? 0 : differences[differences.count / 2]
        let within = differences.count { $0 <= half }
        print(
            """
            \(captures) captures of a wide and a tele camera at \(rate) and \(rate - 1) frames per second: \
            \(differences.count) complete
                instants apart: median \((1000 * median).twoPlaces) ms, \
            at most \((1000 * (differences.last ?? 0)).twoPlaces) ms; \(within) within half a period, \
            \((1000 * half).twoPlaces) ms
            """)
        return within == captures ? 0 : 1
    }
}
