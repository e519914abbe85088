internal import PixelMemory
internal import RawImage

extension CubeLook {
    /// Applies the look to a 16-bit picture in sRGB, and returns it in a colour space with the sRGB transfer function.
    ///
    /// `amount` blends from the picture (0) to the look (1).
    func applied(
        to picture: Picture, amount: Double, primaries: PictureColor.Primaries, depth: Renderer.Output.Depth
    ) throws(GscapError) -> Picture {
        guard case .words(let codes) = picture.samples, picture.color == .sRGB else {
            throw GscapError(.badPicture, "a .cube look needs a 16-bit picture in sRGB")
        }
        let conversion = primaries == .sRGB ? nil : PrimariesConversion(to: primaries)
        let mapped = { (color: SIMD3<Float>) -> SIMD3<Float> in
            let result = color + (self.color(for: color) - color) * Float(amount)
            return conversion.map { $0.color(for: result) } ?? result
        }
        let rows = picture.height
        let samples: Picture.Samples =
            switch depth {
            case .eight: .bytes(Self.map(codes, rows: rows, mapped) { UInt8(($0 * 255).rounded()) })
            case .sixteen: .words(Self.map(codes, rows: rows, mapped) { UInt16(($0 * 65_535).rounded()) })
            case .half: .halves(Self.map(codes, rows: rows, mapped) { Float16($0) })
            }
        return try GscapError.checking { () throws(GscapError) in
            try Picture(
                width: picture.width, height: rows, color: PictureColor(primaries, .sRGB), samples: samples)
        }
    }

    /// Returns the samples that `mapped` gives for each pixel, in the form that `store` converts components to.
    @inline(__always)
    private static func map<Sample: BitwiseCopyable>(
        _ codes: [UInt16], rows: Int, _ mapped: (SIMD3<Float>) -> SIMD3<Float>, _ store: (Float) -> Sample
    ) -> [Sample] {
        [Sample](fillingLarge: codes.count) { samples in
            let row = codes.count / max(rows, 1)
            concurrentBands(rows: rows, of: 16) { band in
                for start in stride(from: band.lowerBound * row, to: band.upperBound * row, by: Picture.channels) {
                    let color = SIMD3(Float(codes[start]), Float(codes[start + 1]), Float(codes[start + 2])) / 65_535
                    let result = mapped(color)
                    for channel in 0..<Picture.channels { samples[start + channel] = store(result[channel]) }
                }
            }
        }
    }
}

/// The conversion of sRGB-encoded colours to other primaries with the same transfer function.
private struct PrimariesConversion {
    private let matrix: Matrix3
    private let encode = CurveTable { DisplayCurve.encoded($0) }
    private let decode = CurveTable { DisplayCurve.decoded($0) }

    init(to primaries: PictureColor.Primaries) {
        matrix = ColorSpace.of(.sRGB).matrix(to: .of(primaries))
    }

    func color(for color: SIMD3<Float>) -> SIMD3<Float> {
        let linear = SIMD3(decode.value(color.x), decode.value(color.y), decode.value(color.z))
        let mixed = SIMD3<Float>(matrix * SIMD3<Double>(linear))
        return SIMD3(encode.value(mixed.x), encode.value(mixed.y), encode.value(mixed.z))
    }
}

extension CurveTable {
    /// Returns the value of the curve at an input, which is clamped to the table.
    func value(_ input: Float) -> Float {
        let bits = (min(max(input, 0), top) + 0x1p-8).bitPattern - 0x3B80_0000
        let step = Int(bits >> 15)
        return steps[2 * step] + steps[2 * step + 1] * (Float(bits & 0x7FFF) / 32_768)
    }
}
