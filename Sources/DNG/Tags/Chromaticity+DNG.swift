internal import Glibc
internal import RawImage

extension Chromaticity {
    /// Decodes an IlluminantData tag: a chromaticity or a spectral power distribution; nil if it is invalid.
    init?(dng bytes: [UInt8], isBigEndian: Bool) {
        var reader = ByteReader(bytes, isBigEndian: isBigEndian)
        func rational() throws(GscapError) -> Double { try TIFFType.rational.number(&reader) }
        let color: SIMD3<Double>
        do throws(GscapError) {
            guard try reader.uint16() == 1 else {
                let (x, y) = (try rational(), try rational())
                self.init(SIMD3(x, y, 1 - x - y))
                return
            }
            let count = Int(try reader.uint32())
            let (first, step) = (try rational(), try rational())
            guard (2...1000).contains(count), step > 0, first > 0, reader.remaining >= count * 8 else { return nil }
            var power: [Double] = []
            for _ in 0..<count { power.append(try rational()) }
            color = Self.color { wavelength in
                let position = min(max((wavelength - first) / step, 0), Double(count - 1))
                guard position.isFinite else { return 0 }
                let below = min(Int(position), count - 2)
                return power[below] + (power[below + 1] - power[below]) * (position - Double(below))
            }
        } catch {
            return nil
        }
        self.init(color)
    }

    /// Encodes the chromaticity as IlluminantData for a big-endian file.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.append([0, 0])
        for coordinate in [x, y] {
            writer.append(Int((coordinate * 1_000_000).rounded()))
            writer.append(1_000_000)
        }
        return writer.bytes
    }

    /// Returns the XYZ of a spectrum, relative to equal-energy white, by the Gaussian fits of the CIE colour-matching
    /// functions by Wyman, Sloan and Shirley (2013).
    private static func color(of spectrum: (Double) -> Double) -> SIMD3<Double> {
        var (color, equalEnergy) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
        for wavelength in stride(from: 360.0, through: 830, by: 2) {
            func bell(_ height: Double, _ middle: Double, _ below: Double, _ above: Double) -> Double {
                let distance = (wavelength - middle) / (wavelength < middle ? below : above)
                return height * exp(-distance * distance / 2)
            }
            let x = bell(1.056, 599.8, 37.9, 31) + bell(0.362, 442, 16, 26.7) + bell(-0.065, 501.1, 20.4, 26.2)
            let y = bell(0.821, 568.8, 46.9, 40.5) + bell(0.286, 530.9, 16.3, 31.1)
            let z = bell(1.217, 437, 11.8, 36) + bell(0.681, 459, 26, 13.8)
            color += SIMD3(x, y, z) * spectrum(wavelength)
            equalEnergy += SIMD3(x, y, z)
        }
        return color / equalEnergy
    }
}
