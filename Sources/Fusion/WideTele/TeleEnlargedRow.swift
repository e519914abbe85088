internal import Demosaic
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Computes the rows of the enlarged photo, one after the other.
struct TeleEnlargedRow: ~Copyable {
    private let view: TeleView
    private let field: TeleField?
    private let across: TeleTaps
    private let step: Float
    /// Number of pixels of a row of the wide photo and of the enlarged one.
    private let (width, count): (Int, Int)
    /// Columns of the enlarged photo that the field covers.
    private let covered: Range<Int>
    private let scale: CompressedScale
    /// A linear row of the wide photo, blended with the tele in the field.
    private let source: OwnedMemory<SIMD4<Float>>
    private var blended: CompressedRows
    private var means: CompressedRows
    private let enlarged: OwnedMemory<SIMD4<Float>>
    private let enlargedMeans: OwnedMemory<SIMD4<Float>>
    private let samples: OwnedMemory<SIMD4<Float>>
    private var sampler: TeleSampler.Row?

    /// The linear pixels of the row.
    var pixels: MutableMemoryView<SIMD4<Float>> { enlarged.view }

    init(enlargement: TeleEnlargement, across: TeleTaps, step: Float) {
        view = enlargement.view
        field = enlargement.field
        self.across = across
        self.step = step
        width = view.wide.format.width
        count = across.places.count
        scale = CompressedScale(view.wide.metadata)
        source = OwnedMemory(repeating: SIMD4(), count: width)
        blended = CompressedRows(width: width)
        means = CompressedRows(width: width)
        enlarged = OwnedMemory(repeating: SIMD4(), count: count)
        enlargedMeans = OwnedMemory(repeating: SIMD4(), count: count)
        samples = OwnedMemory(repeating: SIMD4(), count: count)
        guard let field, enlargement.scale != .one else {
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
        let (weights, last) = (down.weights[row], view.wide.format.height - 1)
        let first = Int(down.places[row]) - TeleTaps.margin
        for place in first..<first + 4 { load(min(max(place, 0), last)) }
        enlarge(blended.interpolated(first, last, weights), into: enlarged.view)
        guard let field, !covered.isEmpty else { return }
        let place = (Float(row) + 0.5) * step - 0.5 - Float(field.area.top)
        guard place >= 0, place <= Float(field.area.height - 1) else { return }
        enlarge(means.interpolated(first, last, weights), into: enlargedMeans.view)
        addDetail(field, SIMD2((Float(covered.lowerBound) + 0.5) * step - 0.5 - Float(field.area.left), place))
    }

    /// Prepares a row of the wide photo and of the tele's means, unless it is prepared already.
    private mutating func load(_ row: Int) {
        guard !blended.holds(row) else { return }
        let (format, width) = (view.wide.format, width)
        let levels = view.wideLevels
        view.wide.values.withView { codes in
            unsafe teleLinear(
                source.view.pointer(width), (codes + row * format.stride).pointer(width * LinearFormat.channels),
                count: width, black: levels.black, scale: levels.scale, last: 0)
        }
        if let field, row >= field.area.top, row < field.area.top + field.area.height {
            let (start, count) = ((row - field.area.top) * field.area.width, field.area.width)
            field.wide.withView { wide in
                for column in 0..<count { source.view[field.area.left + column] = wide[start + column] }
            }
            field.tele.withView { tele in
                means.fill(row, tele + start, from: field.area.left, count: count, scale)
            }
        } else {
            means.clear(row, scale)
        }
        blended.fill(row, MemoryView(source.view), from: 0, count: width, scale)
    }

    /// Enlarges an interpolated row across.
    private func enlarge(_ row: MutableMemoryView<SIMD4<Float>>, into target: MutableMemoryView<SIMD4<Float>>) {
        across.places.withView { places in
            across.weights.withView { weights in
                unsafe resampleTeleRow(
                    target.pointer(count), row.pointer(width + 2 * TeleTaps.margin), count: count,
                    places: places.pointer(count), weights: weights.pointer(count), balance: scale.balance,
                    offset: scale.offset)
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

/// The scale on which a photo is interpolated.
private struct CompressedScale {
    /// The factors of the white balance; the last is for the weight of the tele's detail.
    let balance: SIMD4<Float>
    /// Twice the noise near black of white-balanced values; 0 for the weight.
    let offset: SIMD4<Float>
    /// The compressed value of a black pixel.
    let black: SIMD4<Float>

    init(_ metadata: FrameMetadata) {
        let sensitivity = metadata.relativeSensitivity
        balance = SIMD4(1 / SIMD3<Float>(sensitivity), 1)
        let noise = CodeNoise.mean(metadata).variance(at: 0).squareRoot() / sensitivity.min()
        let offset = Float(min(max(2 * noise, 0.001), 0.1))
        self.offset = SIMD4(offset, offset, offset, 0)
        black = (self.offset / (self.offset + 1)).squareRoot()
    }
}

/// Four successive rows of a picture on the scale on which it is interpolated, with repeated pixels at their ends.
private struct CompressedRows: ~Copyable {
    private static let count = 4

    private let width: Int
    private let rows: OwnedMemory<SIMD4<Float>>
    private let mean: OwnedMemory<SIMD4<Float>>
    /// For each slot, the number of its row; −1 if it has none.
    private var numbers = SIMD4(repeating: -1)

    private var stride: Int { width + 2 * TeleTaps.margin }

    init(width: Int) {
        self.width = width
        rows = OwnedMemory(repeating: SIMD4(), count: Self.count * (width + 2 * TeleTaps.margin))
        mean = OwnedMemory(repeating: SIMD4(), count: width + 2 * TeleTaps.margin)
    }

    func holds(_ row: Int) -> Bool { numbers[row % Self.count] == row }

    private func view(_ row: Int) -> MutableMemoryView<SIMD4<Float>> { rows.view + row % Self.count * stride }

    /// Makes a row black.
    mutating func clear(_ row: Int, _ scale: CompressedScale) {
        numbers[row % Self.count] = row
        view(row).update(repeating: scale.black, count: stride)
    }

    /// Stores linear pixels as a part of a row that is black elsewhere.
    mutating func fill(
        _ row: Int, _ pixels: MemoryView<SIMD4<Float>>, from first: Int, count: Int, _ scale: CompressedScale
    ) {
        if count < width { clear(row, scale) }
        numbers[row % Self.count] = row
        let (target, margin) = (view(row), TeleTaps.margin)
        unsafe compressTeleRow(
            (target + margin + first).pointer(count), pixels.pointer(count), count: count, balance: scale.balance,
            offset: scale.offset)
        for index in 0..<margin {
            target[index] = target[margin]
            target[width + margin + index] = target[width + margin - 1]
        }
    }

    /// Returns the row interpolated from the four that begin with `first`; `last` is the picture's last row. The rows
    /// beyond the picture are its first and last.
    func interpolated(_ first: Int, _ last: Int, _ weights: SIMD4<Float>) -> MutableMemoryView<SIMD4<Float>> {
        func row(_ offset: Int) -> MutableMemoryView<SIMD4<Float>> { view(min(max(first + offset, 0), last)) }
        unsafe resampleTeleColumns(
            mean.view.pointer(stride), row(0).pointer(stride), row(1).pointer(stride), row(2).pointer(stride),
            row(3).pointer(stride), count: stride, weights: weights)
        return mean.view
    }
}
