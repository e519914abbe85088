internal import GStreamer
internal import GscapElements
internal import PipelineText
internal import RawImage

extension CaptureDevice {
    /// Reads a virtual device from a text file that describes its cameras, one in each group:
    ///
    /// ```
    /// [wide]
    /// source = v4l2src device=/dev/video0
    /// caps = video/x-bayer,format=rggb10le,width=4056,height=3040,framerate=10/1
    /// focal-length = 4100
    ///
    /// [tele]
    /// device = /dev/video2
    /// size = 4056 3040
    /// focal-length = 8150
    /// position = 12 0 0
    /// ```
    ///
    /// | key | value |
    /// |---|---|
    /// | `source` | the source element with its settings; or: |
    /// | `device` | the identifier of a camera that `discover()` returns |
    /// | `caps` | the Bayer format in which the camera runs; without it the source chooses |
    /// | `name` | the camera's name; by default that of its group |
    /// | `size` | the width and height in pixels of the picture of the calibration; by default those of `caps` |
    /// | `focal-length` | the focal length in pixels, or two, across and down: 1/20 to 1000 longer sides; or: |
    /// | `focal-length-35mm` | the focal length in terms of 35 mm film: 1 to 20,000 mm |
    /// | `principal-point` | the pixel coordinates of the optical axis; by default the centre |
    /// | `radial-distortion`, `tangential-distortion` | Brown's k1, k2 and k3, and p1 and p2; by default 0 |
    /// | `rotation` | the matrix from the device's axes to the camera's, nine numbers row by row; by default none |
    /// | `position` | the lens's position in millimetres along the device's axes: right, down, forward; by default 0 |
    ///
    /// The names of the groups are the cameras' identifiers, and the path is the device's. Throws for a file that
    /// cannot be read, has an unknown key or an invalid value, such as a distortion that folds the picture, names an
    /// element that is not installed, or describes cameras that cannot form a virtual device, such as a source that is
    /// not live.
    public init(contentsOf path: String) throws(CaptureError) {
        let file: KeyFile
        do throws(GscapError) {
            file = try KeyFile(path: path)
        } catch {
            throw CaptureError(.virtualDeviceInvalid, error.message, place: path)
        }
        if let name = file.repetition {
            throw CaptureError(.virtualDeviceInvalid, "\(name) appears twice; write it once", place: path)
        }
        var constituents: [Constituent] = []
        for group in file.groups { constituents.append(try CameraDescription(group, in: path).constituent()) }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        do throws(CaptureError) {
            try self.init(uniqueID: path, localizedName: name, constituents: constituents)
        } catch {
            throw CaptureError(error.code, error.message, place: path)
        }
    }
}

/// The description of a camera in a file.
private struct CameraDescription {
    private static let keys = [
        "source", "device", "caps", "name", "size", "focal-length", "focal-length-35mm", "principal-point",
        "radial-distortion", "tangential-distortion", "rotation", "position",
    ]

    private let group: KeyFile.Group
    private let path: String

    init(_ group: KeyFile.Group, in path: String) throws(CaptureError) {
        (self.group, self.path) = (group, path)
        guard let unknown = group.values.keys.sorted().first(where: { !Self.keys.contains($0) }) else { return }
        throw invalid("there is no key \(unknown); the keys are \(Self.keys.joined(separator: ", "))")
    }

    func constituent() throws(CaptureError) -> CaptureDevice.Constituent {
        let device = try device()
        let calibration = try calibration(device.activeFormat)
        if !device.isLive {
            throw invalid("source: its element is not live, as all cameras of a device must be; set is-live=true")
        }
        return CaptureDevice.Constituent(device: device, calibration: calibration)
    }

    private func device() throws(CaptureError) -> CaptureDevice {
        var device: CaptureDevice
        switch (group.values["source"], group.values["device"]) {
        case (let source?, nil):
            let description = try parsed(source)
            device = CaptureDevice(uniqueID: group.name, localizedName: group.name, source: try named(source))
            device.isLive = description.isLive
        case (nil, let id?):
            let all = try CaptureDevice.discover()
            guard let found = all.first(where: { $0.uniqueID == id }) else {
                throw invalid(
                    "there is no camera \(id); the cameras are \(all.map(\.uniqueID).joined(separator: ", "))")
            }
            device = found
            device.uniqueID = group.name
        default: throw invalid("state the camera by either source or device")
        }
        device.localizedName = group.values["name"] ?? device.localizedName
        if let text = group.values["caps"] { device.activeFormat = try format(text) }
        return device
    }

    /// Parses a source's text. Throws if it has a mistake, so that the error quotes the text as it is in the file.
    private func parsed(_ source: String) throws(CaptureError) -> PipelineDescription {
        try GscapPlugin.register()
        do throws(GscapError) {
            let description = try PipelineDescription(parsing: source)
            if let error = description.errors(against: RegistryCatalogue()).first { throw error }
            return description
        } catch {
            let excerpt = error.excerpt.map { "\n" + $0.underlined } ?? ""
            let isMissing = error.code == .unknownElement
            throw invalid("source: " + error.message + excerpt, isMissing ? .missingElement : .virtualDeviceInvalid)
        }
    }

    /// Returns a source's text with the name by which its controls are found, added after the first word.
    private func named(_ source: String) throws(CaptureError) -> String {
        let words = source.prefix { $0 != "!" }.split(separator: " ")
        guard let name = words.first(where: { $0.hasPrefix("name=") }) else {
            let word = source.prefix { !$0.isWhitespace }
            return word + " name=camera" + source.dropFirst(word.count)
        }
        guard name == "name=camera" else { throw invalid("source: its element is named camera; leave out \(name)") }
        return source
    }

    private func format(_ text: String) throws(CaptureError) -> CaptureDevice.Format {
        let caps: Caps
        do throws(GscapError) { caps = try Caps(text) } catch { throw invalid("caps: \(error.message)") }
        guard var format = CaptureDevice.Format.all(in: caps).first else {
            throw invalid("caps: \"\(text)\" is no format of video/x-bayer with a width and a height")
        }
        format.mediaCaps = text
        return format
    }

    private func calibration(_ format: CaptureDevice.Format?) throws(CaptureError) -> CameraCalibration {
        let (width, height) = try size(format)
        var calibration = try projection(width, height)
        if let point = try numbers("principal-point", [2]) {
            // The axis of a lens that is shifted may lie outside the picture.
            for (coordinate, length) in zip(point, [width, height].map(Double.init)) {
                try check([coordinate], of: "principal-point", in: -length / 2...length * 1.5, "pixels")
            }
            calibration.principalPoint = SIMD2(point)
        }
        try readDistortion(into: &calibration)
        if let rotation = try numbers("rotation", [9]).flatMap(Matrix3.init) { calibration.rotation = rotation }
        if let position = try numbers("position", [3]) {
            try check(position, of: "position", in: -10_000...10_000, "millimetres")
            calibration.position = SIMD3(position)
        }
        if let problem = calibration.problem { throw invalid(problem) }
        return calibration
    }

    /// Returns the size of the picture that the calibration refers to.
    private func size(_ format: CaptureDevice.Format?) throws(CaptureError) -> (width: Int, height: Int) {
        let stated = try numbers("size", [2])
        let size = stated ?? format.map { [Double($0.width), Double($0.height)] }
        guard let size else { throw invalid("state the size in pixels of the picture that the calibration refers to") }
        try check(size, of: stated == nil ? "caps" : "size", in: 1...65_535, "pixels")
        guard let width = Int(exactly: size[0]), let height = Int(exactly: size[1]) else {
            throw invalid("size: a picture has whole pixels")
        }
        return (width, height)
    }

    /// Returns the calibration of a lens of the stated focal length without distortion.
    private func projection(_ width: Int, _ height: Int) throws(CaptureError) -> CameraCalibration {
        switch (try numbers("focal-length", [1, 2]), try numbers("focal-length-35mm", [1])) {
        case (let pixels?, nil):
            // From a field of view of 168° to one of 0.06°.
            let side = Double(max(width, height))
            try check(pixels, of: "focal-length", in: side / 20...side * 1000, "pixels")
            var calibration = CameraCalibration(width: width, height: height, focalLength: pixels[0])
            calibration.focalLength.y = pixels.last ?? pixels[0]
            return calibration
        case (nil, let millimetres?):
            try check(millimetres, of: "focal-length-35mm", in: 1...20_000, "millimetres")
            return CameraCalibration(width: width, height: height, focalLengthIn35mm: millimetres[0])
        default: throw invalid("state either focal-length, in pixels, or focal-length-35mm")
        }
    }

    private func readDistortion(into calibration: inout CameraCalibration) throws(CaptureError) {
        if let radial = try numbers("radial-distortion", [1, 2, 3]) {
            calibration.radialDistortion = SIMD3(radial + Array(repeating: 0, count: 3 - radial.count))
        }
        if let factors = try numbers("tangential-distortion", [2]) { calibration.tangentialDistortion = SIMD2(factors) }
        guard calibration.hasPlausibleDistortion else {
            let values = ["radial-distortion", "tangential-distortion"].compactMap { key in
                group.values[key].map { "\(key) \"\($0)\"" }
            }
            throw invalid("\(values.joined(separator: ", ")): \(CameraCalibration.implausibleDistortion)")
        }
    }

    /// Throws unless all numbers of a key are in a range.
    private func check(
        _ numbers: [Double], of key: String, in range: ClosedRange<Double>, _ unit: String
    ) throws(CaptureError) {
        guard let wrong = numbers.first(where: { !range.contains($0) }) else { return }
        let values = [wrong, range.lowerBound, range.upperBound].map { value in
            Int(exactly: value).map(String.init) ?? "\(value)"
        }
        throw invalid("\(key): \(values[0]) is not between \(values[1]) and \(values[2]) \(unit)")
    }

    /// Returns the numbers of a key's value, which spaces or commas separate; nil without the key.
    private func numbers(_ key: String, _ counts: [Int]) throws(CaptureError) -> [Double]? {
        guard let text = group.values[key] else { return nil }
        let words = text.split { $0.isWhitespace || $0 == "," }
        let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
        guard numbers.count == words.count, counts.contains(numbers.count) else {
            let expected = counts.map(String.init).joined(separator: " or ")
            throw invalid("\(key) needs \(expected) number\(counts == [1] ? "" : "s"), not \"\(text)\"")
        }
        return numbers
    }

    private func invalid(_ message: String, _ code: CaptureError.Code = .virtualDeviceInvalid) -> CaptureError {
        CaptureError(code, "[\(group.name)] \(message)", place: path)
    }
}
