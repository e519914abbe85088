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
                var line = TeleLine(enlargement: self, across: across, step: Float(step))
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

/// Computes the rows of the enlarged photo, one after the other.
private struct TeleLine: ~Copyable {
    private let view: TeleView
    private let field: TeleField?
    private let scale: SuperResolutionScale
    private let across: TeleTaps
    private let step: Float
    /// Number of pixels of a row of the wide photo and of the enlarged one.
    private let (width, count): (Int, Int)
    /// Columns of the enlarged photo that the field covers.
    private let covered: Range<Int>
    private let source: OwnedMemory<SIMD4<Float>>
    private let blended: OwnedMemory<SIMD4<Float>>
    private let means: OwnedMemory<SIMD4<Float>>
    private let enlarged: OwnedMemory<SIMD4<Float>>
    private let enlargedMeans: OwnedMemory<SIMD4<Float>>
    private let samples: OwnedMemory<SIMD4<Float>>
    private var sampler: TeleSampler.Row?

    /// The linear pixels of the row.
    var pixels: MutableMemoryView<SIMD4<Float>> { enlarged.view }

    init(enlargement: TeleEnlargement, across: TeleTaps, step: Float) {
        view = enlargement.view
        field = enlargement.field
        scale = enlargement.scale
        self.across = across
        self.step = step
        width = view.wide.format.width
        count = across.places.count
        let padded = width + 2 * TeleTaps.margin
        source = OwnedMemory(repeating: SIMD4(), count: width)
        blended = OwnedMemory(repeating: SIMD4(), count: padded)
        means = OwnedMemory(repeating: SIMD4(), count: padded)
        enlarged = OwnedMemory(repeating: SIMD4(), count: count)
        enlargedMeans = OwnedMemory(repeating: SIMD4(), count: count)
        samples = OwnedMemory(repeating: SIMD4(), count: count)
        guard let field, scale != .one else {
            covered = 0..<0
            sampler = nil
            return
        }
        let first = Int((Float(field.area.left) / step).rounded(.up))
        let end = Int((Float(field.area.left + field.area.width) / step).rounded(.down))
        covered = first..<max(first, min(end, count))
        sampler = field.sampler.row(covered.count)
    }

    /// Computes a row of the photo.
    mutating func compute(_ row: Int, _ down: TeleTaps) {
        let height = view.wide.format.height
        blended.view.update(repeating: SIMD4(), count: blended.count)
        means.view.update(repeating: SIMD4(), count: means.count)
        for tap in 0..<4 {
            let place = Int(down.places[row]) - TeleTaps.margin + tap
            add(min(max(place, 0), height - 1), weight: down.weights[row][tap])
        }
        enlarge(blended.view, into: enlarged.view)
        guard let field, !covered.isEmpty else { return }
        let place = (Float(row) + 0.5) * step - 0.5 - Float(field.area.top)
        guard place >= 0, place <= Float(field.area.height - 1) else { return }
        enlarge(means.view, into: enlargedMeans.view)
        addDetail(field, SIMD2((Float(covered.lowerBound) + 0.5) * step - 0.5 - Float(field.area.left), place))
    }

    /// Adds a row of the wide photo and of the tele's means, times a weight.
    private func add(_ row: Int, weight: Float) {
        let (target, format, width) = (blended.view + TeleTaps.margin, view.wide.format, width)
        let (black, scale) = view.wideLevels
        view.wide.values.withView { codes in
            unsafe teleLinear(
                source.view.pointer(width), (codes + row * format.stride).pointer(width * LinearFormat.channels),
                count: width, black: black, scale: scale, last: 0)
        }
        if let field, row >= field.area.top, row < field.area.top + field.area.height {
            let (start, count) = ((row - field.area.top) * field.area.width, field.area.width)
            field.wide.withView { wide in
                for column in 0..<count { source.view[field.area.left + column] = wide[start + column] }
            }
            field.tele.withView { tele in
                unsafe addTeleRow(
                    (means.view + TeleTaps.margin + field.area.left).pointer(count), (tele + start).pointer(count),
                    count: count, weight: weight)
            }
        }
        unsafe addTeleRow(target.pointer(width), source.view.pointer(width), count: width, weight: weight)
    }

    /// Interpolates a row of the enlarged photo from one of the wide's size, whose ends are repeated first.
    private func enlarge(_ row: MutableMemoryView<SIMD4<Float>>, into target: MutableMemoryView<SIMD4<Float>>) {
        let margin = TeleTaps.margin
        for index in 0..<margin {
            row[index] = row[margin]
            row[width + margin + index] = row[width + margin - 1]
        }
        across.places.withView { places in
            across.weights.withView { weights in
                unsafe resampleTeleRow(
                    target.pointer(count), row.pointer(width + 2 * margin), count: count, places: places.pointer(count),
                    weights: weights.pointer(count))
            }
        }
    }

    /// Adds the tele's detail to the covered part of the row, whose first pixel's place in the field is `first`.
    private mutating func addDetail(_ field: TeleField, _ first: SIMD2<Float>) {
        let start = covered.lowerBound
        let (target, length) = (samples.view, covered.count)
        let fineness = Float(view.cameras.magnification) * step
        sampler?.sample(
            into: target, first: first, step: step, samples: max(1, Int((fineness - 0.3).rounded(.up))))
        field.colors?.apply(to: target, count: length, first: first, step: step)
        unsafe addTeleDetail(
            (enlarged.view + start).pointer(length), target.pointer(length),
            (enlargedMeans.view + start).pointer(length), count: length)
    }
}
