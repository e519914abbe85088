internal import PhotoMetadata
internal import RawImage

/// An ICC profile (version 4.4) of a picture's colours: primaries and a tone curve.
///
/// The `cicp` tag specifies the exact transfer function. Readers that ignore it use the curve, which for PQ and HLG
/// tone-maps light above diffuse white to the range of an SDR display.
struct ICCProfile {
    let color: PictureColor

    /// The white point of the profile connection space, D50, with the values that ICC specifies.
    private static let white = SIMD3(0.9642, 1, 0.8249)
    /// The Bradford chromatic adaptation from the primaries' white point, D65, to D50.
    private static let adaptation: Matrix3 = {
        let cones = Matrix3(
            SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296))
        let daylight = SIMD3(0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290)
        let scale = (cones * white) / (cones * daylight)
        return (cones.inverse ?? .identity) * Matrix3(diagonal: scale) * cones
    }()

    /// Encodes the profile.
    var bytes: [UInt8] {
        let columns = (Self.adaptation * color.primaries.toXYZ).transposed.rows
        let curve = self.curve
        let tags: [(String, [UInt8])] = [
            ("desc", Self.localizedText(color.name)), ("cprt", Self.localizedText("No copyright, use freely")),
            ("wtpt", Self.xyz(Self.white)), ("chad", Self.type("sf32") + Self.numbers(Self.adaptation.values)),
            ("rXYZ", Self.xyz(columns.0)), ("gXYZ", Self.xyz(columns.1)), ("bXYZ", Self.xyz(columns.2)),
            ("rTRC", curve), ("gTRC", curve), ("bTRC", curve), ("cicp", Self.type("cicp") + color.codePoints),
        ]
        var (table, data) = (UInt32(tags.count).bigEndianBytes, [UInt8]())
        var offsets: [[UInt8]: Int] = [:]
        let start = 128 + 4 + tags.count * 12
        for (name, value) in tags {
            // Tags with equal values share one copy of their bytes.
            let offset = offsets[value] ?? data.count
            if offsets[value] == nil {
                offsets[value] = offset
                data += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
            }
            table += Array(name.utf8) + UInt32(start + offset).bigEndianBytes + UInt32(value.count).bigEndianBytes
        }
        return header(size: start + data.count) + table + data
    }

    private func header(size: Int) -> [UInt8] {
        var bytes: [UInt8] = UInt32(size).bigEndianBytes
        bytes += [0, 0, 0, 0, 4, 0x40, 0, 0]
        bytes += Array("mntrRGB XYZ ".utf8)
        bytes += [2026, 1, 1, 0, 0, 0].flatMap { UInt16($0).bigEndianBytes }
        bytes += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        bytes += Self.numbers([0.9642, 1, 0.8249])
        return bytes + [UInt8](repeating: 0, count: 48)
    }

    /// The tone curve from encoded to linear values.
    private var curve: [UInt8] {
        switch color.transfer {
        // Function type 3: a power with a linear segment near black.
        case .sRGB: return parametric([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .rec709: return parametric([1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081])
        // A curve of no entries is the identity.
        case .linear: return Self.type("curv") + [0, 0, 0, 0]
        case .pq, .hlg:
            let transfer = color.transfer
            let entries = (0..<4096).flatMap { step -> [UInt8] in
                let light = Self.toneMapped(transfer.linearValue(Double(step) / 4095), peak: transfer.peak)
                return UInt16((light * 65_535).rounded()).bigEndianBytes
            }
            return Self.type("curv") + UInt32(4096).bigEndianBytes + entries
        }
    }

    /// Tone-maps a linear value (1 is diffuse white) to an SDR display's 0…1: `peak` becomes 1, and dark values change
    /// little (Reinhard's curve).
    static func toneMapped(_ light: Double, peak: Double) -> Double {
        min(1, light * (1 + light / (peak * peak)) / (1 + light))
    }

    private func parametric(_ parameters: [Double]) -> [UInt8] {
        Self.type("para") + [0, 3, 0, 0] + Self.numbers(parameters)
    }

    private static func type(_ name: String) -> [UInt8] { Array(name.utf8) + [0, 0, 0, 0] }

    private static func xyz(_ value: SIMD3<Double>) -> [UInt8] { type("XYZ ") + numbers([value.x, value.y, value.z]) }

    /// Encodes an English text as an ICC `mluc` value: one record of 12 bytes (language, length, offset), then UTF-16.
    private static func localizedText(_ string: String) -> [UInt8] {
        let text = string.utf16.flatMap(\.bigEndianBytes)
        return type("mluc") + UInt32(1).bigEndianBytes + UInt32(12).bigEndianBytes + Array("enUS".utf8)
            + UInt32(text.count).bigEndianBytes + UInt32(28).bigEndianBytes + text
    }

    /// Encodes numbers as ICC's s15Fixed16: four bytes each, with 16 fractional bits.
    private static func numbers(_ values: [Double]) -> [UInt8] {
        values.flatMap { Int32(($0 * 65_536).rounded()).bigEndianBytes }
    }
}
