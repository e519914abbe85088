internal import Glibc

/// Pixels that give signal without light, in proportion to exposure and gain.
struct HotPixels: Sendable {
    /// A defect: where it is, and the light it pretends to see, in units of the scene's white.
    struct Defect: Sendable, Hashable {
        let column: Int
        let row: Int
        let light: Double
    }

    /// All defects, from the top row down.
    let defects: [Defect]

    /// Defects of a sensor, chosen by its seed.
    init(_ settings: SensorSettings) {
        let pixels = Double(settings.width) * Double(settings.height)
        let count = UInt64((settings.hotPixels * pixels / 1e6).rounded())
        defects = (0..<count).map { index in
            let place = SeededHash.bits(settings.seed, 0x40_7000, index)
            let strength = SeededHash.unit(settings.seed, 0x40_7001, index)
            return Defect(
                column: Int(place >> 32) % settings.width, row: Int(place & 0xffff_ffff) % settings.height,
                light: 0.03 * pow(60, strength))
        }.sorted { ($0.row, $0.column) < ($1.row, $1.column) }
    }

    /// The defects in some rows.
    func within(_ rows: Range<Int>) -> ArraySlice<Defect> {
        defects[firstIndex(row: rows.lowerBound)..<firstIndex(row: rows.upperBound)]
    }

    private func firstIndex(row: Int) -> Int {
        var (low, high) = (0, defects.count)
        while low < high {
            let middle = (low + high) / 2
            if defects[middle].row < row { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
