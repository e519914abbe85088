internal import Glibc

/// An image file decoded to linear sRGB, as the scene of a simulated sensor.
struct SceneImage: Sendable {
    /// The largest number of pixels in a scene.
    static let maximumPixels = 100_000_000

    /// Width of the image in pixels.
    let width: Int
    /// Height of the image in pixels.
    let height: Int
    /// Linear red, green and blue of each pixel, row by row; 65,535 is white.
    let values: [UInt16]

    init(width: Int, height: Int, values: [UInt16]) {
        self.width = width
        self.height = height
        self.values = values
    }

    /// Reads a PNG or TIFF file.
    init(path: String) throws(GscapError) {
        let start = try Self.firstBytes(path)
        if start.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
            self = try PNGReader.read(path)
        } else if start.starts(with: [0x49, 0x49]) && (start[2] == 42 || start[2] == 43)
            || start.starts(with: [0x4d, 0x4d, 0]) && (start[3] == 42 || start[3] == 43)
        {
            self = try TIFFReader.read(path)
        } else {
            throw GscapError(.badScene, "scene \"\(path)\" is neither a PNG nor a TIFF file; convert it to PNG")
        }
    }

    /// Throws unless an image of this size is allowed as a scene.
    static func check(width: Int, height: Int, path: String) throws(GscapError) {
        guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20, width * height <= maximumPixels else {
            throw GscapError(
                .badScene,
                "scene \"\(path)\" is \(width)×\(height) pixels; a scene has at least 1 and at most \(maximumPixels)")
        }
    }

    /// Returns the first four bytes of a regular file.
    private static func firstBytes(_ path: String) throws(GscapError) -> [UInt8] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw GscapError(.noScene, "scene \"\(path)\" cannot be found: \(reason())")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw GscapError(.badScene, "scene \"\(path)\" is not a regular file; specify a PNG or TIFF file")
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw GscapError(.noScene, "scene \"\(path)\" cannot be opened: \(reason())")
        }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = [0, 0, 0, 0]
        guard unsafe Glibc.read(descriptor, &bytes, bytes.count) == bytes.count else {
            throw GscapError(.badScene, "scene \"\(path)\" is too short for a PNG or TIFF file")
        }
        return bytes
    }

    private static func reason() -> String {
        unsafe String(cString: strerror(errno))
    }
}

/// A scene image scaled to fill a frame and centred in it. Beyond its edges it is mirrored.
struct FrameFillingImage: Sendable {
    private let image: SceneImage
    /// Size of a pixel of the default lens in pixels of the image.
    private let step: Float
    /// Size of a frame pixel in pixels of the default lens.
    private let size: Float
    private let left: Float
    private let top: Float
    /// Number of samples per frame pixel in each direction, 1…16: more than one avoids aliasing when the image is
    /// reduced.
    private let readings: Int

    /// Creates the image for a frame; `zoom` is the magnification of the lens.
    init(image: SceneImage, width: Int, height: Int, zoom: Float) {
        self.image = image
        step = min(Float(image.width) / Float(width), Float(image.height) / Float(height))
        left = (Float(image.width) - step * Float(width)) / 2
        top = (Float(image.height) - step * Float(height)) / 2
        size = 1 / zoom
        readings = min(max(Int((step * size).rounded(.up)), 1), 16)
    }

    /// Returns the mean linear colour of a frame pixel, given the position of its centre in the frame of the default
    /// lens; white is 1.
    func color(at centre: SIMD2<Float>) -> SceneColor {
        var sum = SceneColor(repeating: 0)
        for part in 0..<readings * readings {
            let right = centre.x + ((Float(part % readings) + 0.5) / Float(readings) - 0.5) * size
            let down = centre.y + ((Float(part / readings) + 0.5) / Float(readings) - 0.5) * size
            sum += color(x: left + right * step - 0.5, y: top + down * step - 0.5)
        }
        return sum / (Float(readings * readings) * 65_535)
    }

    /// Returns the bilinearly interpolated colour at image coordinates, where 65,535 is white.
    private func color(x: Float, y: Float) -> SceneColor {
        let (floorX, floorY) = (x.rounded(.down), y.rounded(.down))
        let columns = (Self.mirrored(Int(floorX), image.width), Self.mirrored(Int(floorX) + 1, image.width))
        let rows = (Self.mirrored(Int(floorY), image.height), Self.mirrored(Int(floorY) + 1, image.height))
        let above = mix(pixel(columns.0, rows.0), pixel(columns.1, rows.0), x - floorX)
        let below = mix(pixel(columns.0, rows.1), pixel(columns.1, rows.1), x - floorX)
        return mix(above, below, y - floorY)
    }

    private func pixel(_ column: Int, _ row: Int) -> SceneColor {
        let start = (row * image.width + column) * 3
        return opaque(
            Float(image.values[start]), Float(image.values[start + 1]), Float(image.values[start + 2]))
    }

    /// Reflects an index into `0..<count`, repeating the edge.
    private static func mirrored(_ index: Int, _ count: Int) -> Int {
        let reflected = index < 0 ? -1 - index : index >= count ? 2 * count - 1 - index : index
        return min(max(reflected, 0), count - 1)
    }
}
