package import Cameras
internal import GStreamer

extension CaptureDevice {
    /// Creates the device of a camera that a back-end has found, in its largest and deepest format.
    package init(_ camera: Camera) {
        // The session itself waits for a camera that was disconnected.
        self.init(
            uniqueID: camera.id, localizedName: camera.name,
            source: "gscapv4l2src name=camera device=\(camera.id) reconnect=false",
            formats: Format.all(in: Caps(camera.formats.map(\.structure))), caps: Caps(camera.formats.map(\.structure)))
        self.camera = camera
        activeFormat = formats.first
        (place, problem) = (camera.place, camera.problem)
        exposureTimes = camera.controls.first { $0.kind == .exposureTime }?.range
        isos = camera.isoRange
        hasFlash = camera.controls.contains { $0.kind == .flash }
    }

    /// Returns the camera running in a format of this size and rate, as deep as possible. Throws an error that names
    /// what the camera offers if it has none, or if only its source element knows its formats.
    package func running(width: Int?, height: Int?, framesPerSecond rate: Int?) throws(CaptureError) -> CaptureDevice {
        var device = self
        guard let camera else {
            throw CaptureError(
                .formatNotAvailable, "this camera runs in its own format, which a file of cameras states as caps",
                place: uniqueID)
        }
        func fits(_ format: CameraFormat) -> Bool {
            let (wide, high) = (width ?? format.width.most, height ?? format.height.most)
            let isFast = rate.map { rate in format.rates.map { Double(rate) <= $0.most.number + 1e-6 } ?? true } ?? true
            return format.width.contains(wide) && format.height.contains(high) && isFast
        }
        guard let format = camera.formats.first(where: fits) else {
            let offered = camera.formats.map {
                "\($0.width.text)x\($0.height.text)" + ($0.rates.map { " at up to \($0.most.number)/s" } ?? "")
            }
            let wanted = (width.map { "\($0)x\(height ?? 0)" } ?? "frames") + (rate.map { " at \($0)/s" } ?? "")
            throw CaptureError(
                .formatNotAvailable,
                "the camera has no \(wanted); it has " + Self.unique(offered).joined(separator: ", "),
                place: uniqueID)
        }
        var structure = format.structure
        (structure["width"], structure["height"]) = (
            .int(Int32(clamping: width ?? format.width.most)), .int(Int32(clamping: height ?? format.height.most))
        )
        if let rate { structure["framerate"] = .fraction(Fraction(Int32(clamping: rate), 1)) }
        device.activeFormat = Format.all(in: Caps([structure])).first
        return device
    }

    private static func unique(_ words: [String]) -> [String] {
        words.reduce(into: []) { all, word in if !all.contains(word) { all.append(word) } }
    }
}
