internal import Kernels
internal import PixelMemory
internal import RawImage

/// Enlarges the wide photo, blended with the tele's pixels in the field, and adds the tele's detail.
struct TeleEnlargement {
    let view: TeleView
    /// The registered and blended area; nil for the wide photo alone.
    let field: TeleField?
    let scale: SuperResolutionScale
    let cores: Int?

    private static let bandHeight = 16

    /// Wide pixels per pixel of the photo.
    private var step: Double { Double(view.wide.format.width) / Double(scale.pixels(view.wide.format.width)) }

    /// Returns the codes of the photo.
    func values() -> [UInt16] {
        let output = LinearFormat(
            width: scale.pixels(view.wide.format.width), height: scale.pixels(view.wide.format.height))
        var values = [UInt16].largeZeros(output.valueCount)
        let across = TeleTaps(count: output.width, of: view.wide.format.width)
        let down = TeleTaps(count: output.height, of: view.wide.format.height)
        values.withMutableView { target in
            concurrentBands(rows: output.height, of: Self.bandHeight, cores: cores) { band in
                var line = TeleEnlargedRow(enlargement: self, across: across, step: Float(step))
                for row in band {
                    line.compute(row, down)
                    let (black, scale) = view.wideLevels
                    unsafe teleCodes(
                        (target + row * output.stride).pointer(output.width * LinearFormat.channels),
                        line.pixels.pointer(output.width), count: output.width, black: black, scale: 1 / scale)
                }
            }
        }
        return values
    }
}

/// The weights with which pixels of a picture are interpolated from four pixels of a smaller one, along a row or
/// column (Catmull-Rom). Beyond the picture its edge is repeated.
struct TeleTaps: Sendable {
    /// The first of the four pixels, counted from two before the picture's first.
    let places: [Int32]
    let weights: [SIMD4<Float>]

    /// Number of repeated pixels before and behind a row.
    static let margin = 2

    init(count: Int, of source: Int) {
        var (places, weights): ([Int32], [SIMD4<Float>]) = ([], [])
        for index in 0..<count {
            let place = (Double(index) + 0.5) * Double(source) / Double(count) - 0.5
            let floor = place.rounded(.down)
            let part = Float(place - floor)
            places.append(Int32(floor) - 1 + Int32(Self.margin))
            let (square, cube) = (part * part, part * part * part)
            var weight = SIMD4<Float>(-part, 0, part, 0)
            weight += SIMD4<Float>(2, -5, 4, -1) * square
            weight += SIMD4<Float>(-1, 3, -3, 1) * cube
            weights.append(weight * 0.5 + SIMD4<Float>(0, 1, 0, 0))
        }
        self.places = places
        self.weights = weights
    }
}
