internal import PhotoMetadata
internal import RawImage

/// An ICC profile of a picture's colours: three primaries and a curve, version 4.4.
///
/// The `cicp` tag tells the very transfer. Readers that do not know it take the curve, which for PQ and HLG holds light beyond
/// the white of paper down to what a plain screen shows.
struct ICCProfile {
    let color: PictureColor

    /// The white of the profile's own space, D50, as ICC gives it.
    private static let white = SIMD3(0.9642, 1, 0.8249)
    /// From the white of the picture's primaries, D65, to D50 (Bradford).
    private static let adaptation: Matrix3 = {
        let cones = Matrix3(
            SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296))
        let daylight = SIMD3(0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290)
        let scale = (cones * white) / (cones * daylight)
        return (cones.inverse ?? .identity) * Matrix3(diagonal: scale) * cones
    }()

    /// The profile.
    var bytes: [UInt8] {
        let columns = (Self.adaptation * color.primaries.toXYZ).transposed.rows
        let curve = self.curve
        let tags: [(String, [UInt8])] = [
            ("desc", Self.words(color.name)), ("cprt", Self.words("No copyright, use freely")),
            ("wtpt", Self.xyz(Self.white)), ("chad", Self.type("sf32") + Self.numbers(Self.adaptation.values)),
            ("rXYZ", Self.xyz(columns.0)), ("gXYZ", Self.xyz(columns.1)), ("bXYZ", Self.xyz(columns.2)),
            ("rTRC", curve), ("gTRC", curve), ("bTRC", curve), ("cicp", Self.type("cicp") + color.codePoints),
        ]
        var (table, data) = (UInt32(tags.count).bigEndianBytes, [UInt8]())
        var places: [[UInt8]: Int] = [:]
        let start = 128 + 4 + tags.count * 12
        for (name, value) in tags {
            // Equal tags share their bytes.
            let place = places[value] ?? data.count
            if places[value] == nil {
                places[value] = place
                data += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
            }
            table += Array(name.utf8) + UInt32(start + place).bigEndianBytes + UInt32(value.count).bigEndianBytes
        }
        return head(size: start + data.count) + table + data
    }

    private func head(size: Int) -> [UInt8] {
        let date = [2026, 1, 1, 0, 0, 0].flatMap { UInt16($0).bigEndianBytes }
        return UInt32(size).bigEndianBytes + [0, 0, 0, 0, 4, 0x40, 0, 0] + Array("mntrRGB XYZ ".utf8) + date
            + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28) + Self.numbers([0.9642, 1, 0.8249])
            + [UInt8](repeating: 0, count: 48)
    }

    /// From a number to light.
    private var curve: [UInt8] {
        switch color.transfer {
        // Type 3: a power, linear near black.
        case .sRGB: return parametric([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .rec709: return parametric([1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081])
        // No entry says that number and light are one.
        case .linear: return Self.type("curv") + [0, 0, 0, 0]
        case .pq, .hlg:
            let transfer = color.transfer
            let entries = (0..<4096).flatMap { step in
                UInt16((shown(transfer.light(Double(step) / 4095), peak: transfer.peak) * 65_535).rounded())
                    .bigEndianBytes
            }
            return Self.type("curv") + UInt32(4096).bigEndianBytes + entries
        }
    }

    /// Light as a plain screen shows it: the most becomes 1, dark stays nearly as it is (Reinhard's curve).
    private func shown(_ light: Double, peak: Double) -> Double {
        min(1, light * (1 + light / (peak * peak)) / (1 + light))
    }

    private func parametric(_ parameters: [Double]) -> [UInt8] {
        Self.type("para") + [0, 3, 0, 0] + Self.numbers(parameters)
    }

    private static func type(_ name: String) -> [UInt8] { Array(name.utf8) + [0, 0, 0, 0] }

    private static func xyz(_ value: SIMD3<Double>) -> [UInt8] { type("XYZ ") + numbers([value.x, value.y, value.z]) }

    /// Words in one language: their UTF-16 lies behind a record of 12 bytes.
    private static func words(_ words: String) -> [UInt8] {
        let text = words.utf16.flatMap(\.bigEndianBytes)
        return type("mluc") + UInt32(1).bigEndianBytes + UInt32(12).bigEndianBytes + Array("enUS".utf8)
            + UInt32(text.count).bigEndianBytes + UInt32(28).bigEndianBytes + text
    }

    /// Numbers with 16 bits behind the point.
    private static func numbers(_ values: [Double]) -> [UInt8] {
        values.flatMap { Int32(($0 * 65_536).rounded()).bigEndianBytes }
    }
}
