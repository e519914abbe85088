internal import RawImage
internal import SimulatedSensor

/// A frame with its metadata and the settings of its sensor.
struct Frame {
    let codes: [UInt16]
    let metadata: FrameMetadata
    let settings: SensorSettings

    /// Returns the linear value of a pixel: 0 at the black level, 1 at the white level.
    func signal(_ row: Int, _ column: Int) -> Double {
        let black = metadata.blackLevel[0]
        return (Double(codes[row * settings.width + column]) - black) / (metadata.whiteLevel - black)
    }

    /// Returns the linear values of one colour plane in an area of the frame.
    func signals(_ plane: Int, rows: Range<Int>, columns: Range<Int>) -> [Double] {
        rows.flatMap { row in
            columns.filter { settings.pattern.plane(row: row, column: $0) == plane }.map { signal(row, $0) }
        }
    }

    /// The FNV-1a hash of all codes, to compare frames.
    var digest: UInt64 {
        codes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

extension SimulatedSensor {
    /// Reads the sensor's frame with this number, without padding at the row ends.
    func frame(_ number: UInt64 = 0, _ controls: SensorControls? = nil, cores: Int? = nil) throws -> Frame {
        var codes = [UInt16](repeating: 0xdead, count: settings.width * settings.height)
        var span = codes.mutableSpan
        let metadata = try read(
            frame: number, controls: controls ?? settings.controls, into: &span, stride: settings.width, cores: cores)
        return Frame(codes: codes, metadata: metadata, settings: settings)
    }
}

extension SensorSettings {
    /// Returns the default sensor settings with the given size, modified by `change`.
    static func of(_ width: Int, _ height: Int, _ change: (inout SensorSettings) -> Void = { _ in }) -> SensorSettings {
        var settings = SensorSettings()
        settings.width = width
        settings.height = height
        change(&settings)
        return settings
    }

    /// Turns off noise, hot pixels, shake, the moving object and lens shading.
    mutating func removeImperfections() {
        noise = false
        hotPixels = 0
        shake = 0
        motion = false
        vignetting = 0
    }
}

/// Returns the arithmetic mean.
func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
}
