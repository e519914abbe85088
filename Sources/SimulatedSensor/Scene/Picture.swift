internal import Glibc

/// A picture read from a file, in linear sRGB.
struct Picture: Sendable {
    /// The most pixels a scene may have.
    static let maximumPixels = 100_000_000

    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int
    /// Red, green and blue of each pixel, 65 535 being white.
    let values: [UInt16]

    init(width: Int, height: Int, values: [UInt16]) {
        self.width = width
        self.height = height
        self.values = values
    }

    /// Reads a PNG or TIFF file.
    init(path: String) throws(SensorError) {
        let start = try Self.firstBytes(path)
        if start.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
            self = try PNGReader.read(path)
        } else if start.starts(with: [0x49, 0x49]) && (start[2] == 42 || start[2] == 43)
            || start.starts(with: [0x4d, 0x4d, 0]) && (start[3] == 42 || start[3] == 43)
        {
            self = try TIFFReader.read(path)
        } else {
            throw SensorError(.badScene, "scene \"\(path)\" is neither a PNG nor a TIFF file; convert it to one")
        }
    }

    /// Throws unless a picture of this size can be a scene.
    static func check(width: Int, height: Int, path: String) throws(SensorError) {
        guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20, width * height <= maximumPixels else {
            throw SensorError(
                .badScene,
                "scene \"\(path)\" is \(width)×\(height) pixels; a scene has at least 1 and at most \(maximumPixels)")
        }
    }

    private static func firstBytes(_ path: String) throws(SensorError) -> [UInt8] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw SensorError(.noScene, "scene \"\(path)\" cannot be found: \(reason())")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SensorError(.badScene, "scene \"\(path)\" is not a file; name a PNG or TIFF file")
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SensorError(.noScene, "scene \"\(path)\" cannot be opened: \(reason())")
        }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = [0, 0, 0, 0]
        guard unsafe Glibc.read(descriptor, &bytes, bytes.count) == bytes.count else {
            throw SensorError(.badScene, "scene \"\(path)\" is too short to be a picture")
        }
        return bytes
    }

    private static func reason() -> String {
        unsafe String(cString: strerror(errno))
    }
}

/// A picture scaled to cover a frame, its middle in the frame's middle; beyond the picture's edge its mirror image
/// follows.
struct PictureCover: Sendable {
    private let picture: Picture
    /// Picture pixels a frame pixel.
    private let step: Float
    private let left: Float
    private let top: Float
    /// Readings a pixel each way, so that shrinking leaves nothing out.
    private let readings: Int

    init(picture: Picture, width: Int, height: Int) {
        self.picture = picture
        step = min(Float(picture.width) / Float(width), Float(picture.height) / Float(height))
        left = (Float(picture.width) - step * Float(width)) / 2
        top = (Float(picture.height) - step * Float(height)) / 2
        readings = min(max(Int(step.rounded(.up)), 1), 16)
    }

    /// Light of a pixel of the frame.
    func light(column: Int, row: Int) -> SceneLight {
        var sum = SceneLight(repeating: 0)
        for part in 0..<readings * readings {
            let right = Float(column) + (Float(part % readings) + 0.5) / Float(readings)
            let down = Float(row) + (Float(part / readings) + 0.5) / Float(readings)
            sum += light(x: left + right * step - 0.5, y: top + down * step - 0.5)
        }
        return sum / (Float(readings * readings) * 65_535)
    }

    private func light(x: Float, y: Float) -> SceneLight {
        let (floorX, floorY) = (x.rounded(.down), y.rounded(.down))
        let columns = (Self.mirrored(Int(floorX), picture.width), Self.mirrored(Int(floorX) + 1, picture.width))
        let rows = (Self.mirrored(Int(floorY), picture.height), Self.mirrored(Int(floorY) + 1, picture.height))
        let above = mix(pixel(columns.0, rows.0), pixel(columns.1, rows.0), x - floorX)
        let below = mix(pixel(columns.0, rows.1), pixel(columns.1, rows.1), x - floorX)
        return mix(above, below, y - floorY)
    }

    private func pixel(_ column: Int, _ row: Int) -> SceneLight {
        let start = (row * picture.width + column) * 3
        return lit(
            Float(picture.values[start]), Float(picture.values[start + 1]), Float(picture.values[start + 2]))
    }

    private static func mirrored(_ place: Int, _ count: Int) -> Int {
        let turned = place < 0 ? -1 - place : place >= count ? 2 * count - 1 - place : place
        return min(max(turned, 0), count - 1)
    }
}
