internal import Demosaic
internal import Kernels
internal import PixelMemory
internal import RawImage

/// The sharpness of a frame: the gradient energy beyond noise in each field of a grid of 10×10 fields, so that a lamp
/// entering the frame does not count as sharpness everywhere.
struct Sharpness {
    /// The mean squared gradient of neighbouring quads of each field, relative to white and exposure, less the part
    /// that is noise.
    private(set) var energies: [Double] = []
    /// The part of each field that is noise.
    private var noises: [Double] = []

    private static let fields = 10
    /// The least number of quad rows that are sampled, where the picture has that many; about twice as many at most.
    private static let rowsEnough = 384
    /// The ratio of energy to noise from which a field shows how sharp a frame is, and the fewest such fields.
    private static let (leastContrast, leastFields) = (0.5, 5)
    /// The ratio of energy to that of the reference from which a frame counts fully, and below which not at all, when
    /// it is merged. Merging takes from a blurred frame the coarse frequencies alone.
    private static let merged = (enough: 0.5, least: 0.1)
    /// The same in super-resolution, which has no frequencies to choose from: every sample blurs the photo.
    private static let resolved = (enough: 0.9, least: 0.65)

    init(_ codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, cores: Int?) {
        let (columns, rows) = (format.width / 2, format.height / 2)
        guard columns >= 2, rows >= 2 else { return }
        let fields = Self.fields
        var sums = [Sums](repeating: Sums(), count: fields * fields)
        sums.withMutableView { sums in
            // Each row of fields is measured on a core.
            concurrently(fields, cores: cores) { field in
                for row in stride(from: 0, to: rows - 1, by: max(1, rows / Self.rowsEnough))
                where row * fields / rows == field {
                    Self.add(codes + 2 * row * format.stride, format.stride, columns, to: sums + field * fields)
                }
            }
        }
        let black = metadata.blackLevel.reduce(0, +)
        let range = 4 * metadata.whiteLevel - black
        let noise = CodeNoise.mean(metadata)
        let exposure = metadata.exposureTime * metadata.iso
        let unit = exposure > 0 ? exposure * exposure : 1
        for sum in sums {
            let count = max(sum.count, 1)
            // The variance of a quad is a quarter of a pixel's, a gradient has that of two quads, and two gradients are
            // summed: together the noise variance of one pixel is subtracted.
            let variance = noise.variance(at: (sum.brightness / count - black) / range)
            noises.append(variance / unit)
            energies.append(sum.count > 0 ? (sum.energy / count / (range * range) - variance) / unit : 0)
        }
    }

    /// Adds the gradients of a row of quads to a row of fields. `codes` are those of two mosaic rows and the two below.
    private static func add(
        _ codes: MemoryView<UInt16>, _ stride: Int, _ columns: Int, to sums: MutableMemoryView<Sums>
    ) {
        for field in 0..<fields {
            // The columns whose index, times the number of fields over that of columns, rounds down to this field. The
            // first quad of the row has none before it.
            let first = max((field * columns + fields - 1) / fields, 1)
            let count = max(((field + 1) * columns + fields - 1) / fields - first, 0)
            let found = unsafe quadGradients(
                (codes + 2 * (first - 1)).pointer(columns: 2 * (count + 1), rows: 4, stride: stride) + 2, stride, count)
            sums[field].add(energy: found.energy, brightness: found.brightness, count: count)
        }
    }

    /// Returns how far a frame of this sharpness may be merged with a reference, and used in super-resolution: 1 if it
    /// is about as sharp, 0 if it is so blurred that it has nothing to add. Where the reference has too little
    /// structure to compare, both are 1.
    func trust(in reference: Sharpness) -> (merged: Double, resolved: Double) {
        guard energies.count == reference.energies.count else { return (1, 1) }
        let ratios = energies.indices
            .filter { reference.energies[$0] > Self.leastContrast * reference.noises[$0] }
            .map { energies[$0] / reference.energies[$0] }.sorted()
        guard ratios.count >= Self.leastFields else { return (1, 1) }
        let ratio = ratios[ratios.count / 2]
        return (Self.trust(ratio, Self.merged), Self.trust(ratio, Self.resolved))
    }

    private static func trust(_ ratio: Double, _ limits: (enough: Double, least: Double)) -> Double {
        let part = ((ratio - limits.least) / (limits.enough - limits.least)).clamped(to: 0...1)
        return part * part * (3 - 2 * part)
    }

    /// The accumulated gradient energy and brightness of a field.
    private struct Sums: BitwiseCopyable {
        private(set) var energy = 0.0
        private(set) var brightness = 0.0
        private(set) var count = 0.0

        mutating func add(energy: Float, brightness: Float, count: Int) {
            self.energy += Double(energy)
            self.brightness += Double(brightness)
            self.count += Double(count)
        }
    }
}
