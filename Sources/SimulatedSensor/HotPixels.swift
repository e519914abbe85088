internal import Glibc

/// Hot pixels: pixels with a dark signal proportional to exposure time and gain.
struct HotPixels: Sendable {
    /// A hot pixel: its position, and its dark signal at the default controls, 0.03 to 1.8 times the range from black
    /// to white.
    struct Defect: Sendable, Hashable {
        let column: Int
        let row: Int
        let signal: Double
    }

    /// All hot pixels, sorted by row and column.
    let defects: [Defect]

    /// Chooses the hot pixels of a sensor pseudo-randomly by its seed.
    init(_ settings: SensorSettings) {
        let pixels = Double(settings.width) * Double(settings.height)
        let seed = settings.lens.seed(settings.seed)
        let count = UInt64((settings.hotPixels * pixels / 1e6).rounded())
        defects = (0..<count).map { index in
            let position = SeededHash.bits(seed, 0x40_7000, index)
            let strength = SeededHash.unit(seed, 0x40_7001, index)
            return Defect(
                column: Int(position >> 32) % settings.width, row: Int(position & 0xffff_ffff) % settings.height,
                signal: 0.03 * pow(60, strength))
        }.sorted { ($0.row, $0.column) < ($1.row, $1.column) }
    }

    /// Returns the hot pixels whose row is in a range.
    func within(_ rows: Range<Int>) -> ArraySlice<Defect> {
        defects[firstIndex(row: rows.lowerBound)..<firstIndex(row: rows.upperBound)]
    }

    /// Returns the index of the first hot pixel at or below `row`, by binary search.
    private func firstIndex(row: Int) -> Int {
        var (low, high) = (0, defects.count)
        while low < high {
            let middle = (low + high) / 2
            if defects[middle].row < row { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
