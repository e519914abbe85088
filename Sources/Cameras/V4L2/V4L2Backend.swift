internal import CVideo4Linux
package import Errors
internal import Files
internal import Glibc
internal import RawImage

/// The cameras of the kernel's drivers, Video4Linux and its media controller.
package struct V4L2Backend: CameraBackend {
    /// Creates the back-end.
    package init() {}

    /// The name of the back-end.
    package var name: String { "v4l2" }

    /// Returns the device files that deliver raw frames, and those that cannot be opened.
    package func discover() -> [Camera] {
        let paths = (FolderListing.names(in: "/dev") ?? []).filter { Self.isVideoNode($0) }
            .sorted { (Int($0.dropFirst(5)) ?? 0) < (Int($1.dropFirst(5)) ?? 0) }.map { "/dev/" + $0 }
        var cameras: [Camera] = []
        for path in paths {
            guard var camera = Self.camera(path) else { continue }
            // Two nodes of one device may have one name: their order within the device is stable.
            if cameras.contains(where: { $0.id == camera.id }) {
                camera.id += "+" + (Self.system(path, "index") ?? "\(cameras.count)")
            }
            cameras.append(camera)
        }
        return cameras
    }

    /// Watches the device files.
    package func watch(_ change: @escaping @Sendable () -> Void) -> CameraWatch? {
        FolderWatch("/dev", concerns: Self.concerns, change)
    }

    private static func isVideoNode(_ name: String) -> Bool {
        name.hasPrefix("video") && name.dropFirst(5).allSatisfy(\.isNumber) && name.count > 5
    }

    private static func concerns(_ name: String) -> Bool {
        isVideoNode(name) || name.hasPrefix("media") || name.hasPrefix("v4l-subdev")
    }

    /// Reads a device file's attribute of the kernel.
    private static func system(_ path: String, _ attribute: String) -> String? {
        SystemFile.text("/sys/class/video4linux/" + path.pathName + "/" + attribute)
    }
}

// MARK: - One camera

extension V4L2Backend {
    /// Describes the camera of a device file; nil if it has no raw format.
    static func camera(_ path: String) -> Camera? {
        let entity = system(path, "name") ?? path.pathName
        do throws(SystemError) {
            guard let node = try VideoNode(path) else { return nil }
            let parts = CameraParts(node)
            var camera = Camera(
                id: identifier(bus: node.bus, entity), name: parts.name(node, entity), backend: "v4l2",
                place: place(bus: node.bus, entity: parts.sensorEntity), address: path)
            camera.sensor = parts.sensorName
            camera.formats = parts.formats
            camera.refusedFormats = parts.refusedFormats
            if camera.formats.isEmpty, camera.refusedFormats.isEmpty { return nil }
            let profile = try? SensorProfiles.profile(of: parts.sensorName)
            camera.baseISO = profile?.baseISO ?? 100
            let controls = V4L2Controls(parts.files, profile: profile)
            if let best = camera.formats.first { controls.setFrame(width: best.width.most, height: best.height.most) }
            camera.controls = controls.all
            camera.rotation = Int(controls.value(ControlID.rotation) ?? 0)
            camera.facing = facing(controls.value(ControlID.facing))
            if camera.formats.isEmpty {
                camera.problem =
                    "its raw formats are " + camera.refusedFormats.joined(separator: ", ")
                    + ", which gscap does not read"
            }
            return camera
        } catch {
            // Only an opened device file says that it is no camera but an encoder, say.
            guard error.number == EACCES || error.number == EPERM || error.number == EBUSY else { return nil }
            var camera = Camera(
                id: identifier(bus: "", entity), name: entity, backend: "v4l2", place: "", address: path)
            camera.problem = problem(error, path)
            return camera
        }
    }

    /// Mirrors the picture of a camera; returns the camera with its formats, whose order of colours follows. Nil leaves
    /// a direction as it is. Throws if the camera cannot do so.
    package static func flip(_ camera: Camera, horizontally: Bool?, vertically: Bool?) throws(GscapError) -> Camera {
        var flips: V4L2Controls.Values = [:]
        flips[.horizontalFlip] = horizontally.map { $0 ? 1 : 0 }
        flips[.verticalFlip] = vertically.map { $0 ? 1 : 0 }
        guard !flips.isEmpty, camera.problem == nil else { return camera }
        let node: VideoNode?
        do throws(SystemError) { node = try VideoNode(camera.address) } catch {
            throw GscapError(.noDevice, problem(error, camera.address), place: camera.id, cause: error)
        }
        guard let node else { return camera }
        // A control that is missing leaves the picture as it is.
        let controls = V4L2Controls(CameraParts(node).files, profile: nil)
        let known = Set(controls.all.map(\.kind))
        _ = try controls.set(flips.filter { $0.value != 0 || known.contains($0.key) })
        guard var flipped = Self.camera(camera.address) else { return camera }
        flipped.id = camera.id
        return flipped
    }

    private static func facing(_ value: Int64?) -> Camera.Facing {
        switch value {
        case 0: .front
        case 1: .back
        case 2: .external
        default: .unknown
        }
    }

    /// Returns the identifier of the camera at a bus, without spaces.
    static func identifier(bus: String, _ entity: String) -> String {
        let words = entity.split { $0 == " " || $0 == "/" }.joined(separator: "-")
        return bus.isEmpty ? words : bus.split(separator: " ").joined(separator: "-") + "/" + words
    }

    /// Says in words where a device is, from the kernel's name of the bus, such as `usb-0000:00:14.0-1.2`.
    static func place(bus: String, entity: String) -> String {
        let words = bus.split(separator: "-", maxSplits: 1).map(String.init)
        if bus.hasPrefix("usb-"), let port = bus.split(separator: "-").last {
            return "USB port \(port)"
        }
        if bus.hasPrefix("PCI:") { return "PCI device " + bus.dropFirst(4) }
        // A sensor's name ends with the number of its I2C bus and its address there.
        let address = entity.split(separator: " ").last.map { $0.split(separator: "-") } ?? []
        if address.count == 2, let number = Int(address[0]), let at = Int(address[1], radix: 16), entity.contains(" ") {
            return "I2C bus \(number), address 0x" + String(at, radix: 16)
        }
        if bus.hasPrefix("platform:") { return "built in: " + bus.dropFirst(9) }
        return words.joined(separator: " ")
    }

    /// Says why a device file cannot be opened, and what to do.
    static func problem(_ error: SystemError, _ path: String) -> String {
        guard error.number == EACCES || error.number == EPERM else {
            return "\(path) cannot be opened: \(error)"
        }
        var information = stat()
        let group: String? =
            unsafe stat(path.cPath, &information) == 0
            ? unsafe getgrgid(information.st_gid).map { unsafe String(cString: $0.pointee.gr_name) } : nil
        let name = group ?? "video"
        return "\(path) belongs to the group \(name), of which you are no member; run "
            + "\"sudo usermod -aG \(name) $USER\" and log in again"
    }
}

/// The parts of a camera: its device file, and the sensor behind it if the media graph has one.
struct CameraParts: Sendable {
    let node: VideoNode
    let graph: MediaGraph?
    let route: MediaRoute?

    init(_ node: VideoNode) {
        self.node = node
        let device = DeviceNumber(path: node.file.path)
        graph = device.flatMap { MediaGraph.containing($0) }
        route = graph.flatMap { graph in device.flatMap { MediaRoute(in: graph, to: $0) } }
    }

    /// The name of the sensor's entity; empty if there is none.
    var sensorEntity: String { route?.sensor?.name ?? "" }

    /// The name by which the sensor's profile is found; empty if there is no sensor.
    var sensorName: String { sensorEntity.isEmpty ? "" : SensorProfiles.sensorName(entity: sensorEntity) }

    /// Returns the camera's name for people.
    func name(_ node: VideoNode, _ entity: String) -> String {
        guard !sensorEntity.isEmpty else { return node.card == entity ? entity : "\(node.card) (\(entity))" }
        return "\(sensorEntity) (\(entity))"
    }

    /// The device files with controls: the sensor's first, then those of other parts and of the video node.
    var files: [DeviceFile] {
        guard let graph, let route else { return [node.file] }
        let sensor = route.sensor
        let companions = sensor.map { graph.companions(of: $0.id) } ?? []
        let entities = route.stops.map(\.entity).filter { !$0.isVideoNode } + companions
        return entities.compactMap { Subdevice($0)?.file } + [node.file]
    }

    /// The names of raw formats that gscap does not read.
    var refusedFormats: [String] {
        if route != nil, rawBusFormats.isEmpty { return [] }
        return node.pixelFormats.compactMap { code in
            FourCharacterCode.refused[code].map { "\(FourCharacterCode.text(code)) (\($0))" }
        }
    }

    /// The raw formats, the best one first.
    var formats: [CameraFormat] {
        let known = node.pixelFormats.compactMap { code in
            FourCharacterCode.formats[code].map { (code: code, codes: $0) }
        }
        var formats: [CameraFormat] = []
        if let route, let sensor = route.sensor.flatMap({ Subdevice($0) }), let pad = route.stops.first?.source {
            let offered = rawBusFormats
            for (code, codes) in known {
                let meaning = BusFormat.Meaning(pattern: codes.pattern, bitDepth: codes.bitDepth)
                guard let bus = offered.first(where: { BusFormat.meaning($0) == meaning }) else { continue }
                for size in sensor.sizes(pad: pad.index, code: bus) {
                    formats.append(
                        CameraFormat(
                            code: FourCharacterCode.text(code), codes: codes, width: size.width, height: size.height))
                }
            }
        } else {
            for (code, codes) in known {
                for size in node.sizes(of: code) {
                    let rates = node.rates(of: code, width: size.width.most, height: size.height.most)
                    formats.append(
                        CameraFormat(
                            code: FourCharacterCode.text(code), codes: codes, width: size.width, height: size.height,
                            rates: rates))
                }
            }
        }
        return formats.sorted(by: CameraFormat.isBetter)
    }

    /// The raw formats on the bus that the sensor offers and every entity on the way passes on.
    var rawBusFormats: [UInt32] {
        guard let route, let sensor = route.stops.first, let pad = sensor.source,
            let offered = Subdevice(sensor.entity)?.busFormats(pad: pad.index)
        else { return [] }
        var raw = offered.filter { BusFormat.meaning($0) != nil }
        for stop in route.stops.dropFirst() where !stop.entity.isVideoNode {
            guard let source = stop.source, let passed = Subdevice(stop.entity)?.busFormats(pad: source.index),
                !passed.isEmpty
            else { continue }
            raw = raw.filter(passed.contains)
        }
        return raw
    }

    /// Returns the number on the bus of a format of the node; nil without a sensor in the media graph.
    func busFormat(_ codes: BayerDialect.CodeFormat) -> UInt32? {
        rawBusFormats.first {
            BusFormat.meaning($0) == BusFormat.Meaning(pattern: codes.pattern, bitDepth: codes.bitDepth)
        }
    }
}
