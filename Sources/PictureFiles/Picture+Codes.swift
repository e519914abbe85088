internal import Kernels
internal import RawImage

/// Conversion of rows of samples to the sample formats of files.
extension Picture {
    /// The number of samples in a row.
    var rowCount: Int { width * Self.channels }

    private func range(_ rows: Range<Int>) -> Range<Int> { rows.lowerBound * rowCount..<rows.upperBound * rowCount }

    /// Returns the samples of a range of rows, scaled to 8 bits.
    func bytes(_ rows: Range<Int>) -> [UInt8] {
        let range = range(rows)
        if case .bytes(let values) = samples { return Array(values[range]) }
        return unsafe [UInt8](unsafeUninitializedCapacity: range.count) { target, filled in
            filled = range.count
            guard let target = target.baseAddress else { return }
            switch samples {
            case .bytes: break
            case .words(let values):
                unsafe values.withUnsafeBufferPointer { values in
                    guard let start = values.baseAddress else { return }
                    unsafe Kernels.bytes(ofWords: start + range.lowerBound, count: range.count, into: target)
                }
            case .halves(let values):
                unsafe Self.withBits(values) {
                    unsafe Kernels.bytes(ofHalves: $0 + range.lowerBound, count: range.count, into: target)
                }
            }
        }
    }

    /// Returns the samples of a range of rows, scaled to codes from 0 to `maximum`.
    func codes(_ rows: Range<Int>, maximum: Int) -> [UInt16] {
        let range = range(rows)
        if maximum == 65_535, case .words(let values) = samples { return Array(values[range]) }
        let maximum = Float(maximum)
        return unsafe [UInt16](unsafeUninitializedCapacity: range.count) { target, filled in
            filled = range.count
            guard let target = target.baseAddress else { return }
            switch samples {
            case .bytes(let values):
                unsafe values.withUnsafeBufferPointer { values in
                    guard let start = values.baseAddress else { return }
                    unsafe Kernels.codes(
                        ofBytes: start + range.lowerBound, count: range.count, maximum: maximum, into: target)
                }
            case .words(let values):
                unsafe values.withUnsafeBufferPointer { values in
                    guard let start = values.baseAddress else { return }
                    unsafe Kernels.codes(
                        ofWords: start + range.lowerBound, count: range.count, maximum: maximum, into: target)
                }
            case .halves(let values):
                unsafe Self.withBits(values) {
                    unsafe Kernels.codes(
                        ofHalves: $0 + range.lowerBound, count: range.count, maximum: maximum, into: target)
                }
            }
        }
    }

    /// Returns the samples of a range of rows as the bit patterns of half floats; integers are scaled to 0…1.
    func halfBits(_ rows: Range<Int>) -> [UInt16] {
        switch samples {
        case .bytes(let values): values[range(rows)].map { Self.halfBits[Int($0) * 257] }
        case .words(let values): values[range(rows)].map { Self.halfBits[Int($0)] }
        case .halves(let values): values[range(rows)].map(\.bitPattern)
        }
    }

    /// Returns the samples of a range of rows as floats, integers scaled to 0…1; the picture's transfer function stays
    /// applied.
    func floats(_ rows: Range<Int>) -> [Float] {
        switch samples {
        case .bytes(let values): return values[range(rows)].map { Float($0) / 255 }
        case .words(let values): return values[range(rows)].map { Float($0) / 65_535 }
        case .halves(let values):
            let range = range(rows)
            return unsafe [Float](unsafeUninitializedCapacity: range.count) { target, filled in
                filled = range.count
                guard let target = target.baseAddress else { return }
                unsafe Self.withBits(values) {
                    unsafe Kernels.floats(ofHalves: $0 + range.lowerBound, count: range.count, into: target)
                }
            }
        }
    }

    /// The bit pattern of the half float for each 16-bit code: code / 65,535.
    private static let halfBits = (0...65_535).map { Float16(Float($0) / 65_535).bitPattern }

    private static func withBits(_ values: [Float16], _ body: (UnsafePointer<UInt16>) -> Void) {
        unsafe values.withUnsafeBytes { bytes in
            // Float16 and its bit pattern have the same size and alignment.
            guard let start = bytes.baseAddress else { return }
            unsafe body(start.assumingMemoryBound(to: UInt16.self))
        }
    }
}
