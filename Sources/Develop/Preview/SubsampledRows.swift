internal import Kernels
internal import PixelMemory

/// Two rows of pixels on their way to luma and subsampled chroma.
struct SubsampledRows: ~Copyable {
    private let format: SubsampledFormat
    private let picture: MutableMemoryView<UInt8>
    /// Two rows of words, each with a copy of its first pixel before it and of its last one after it.
    private let pixels: OwnedMemory<UInt32>
    private let pitch: Int

    /// Creates rows of a picture; the memory of `picture` must outlive them.
    init(_ format: SubsampledFormat, of picture: MutableMemoryView<UInt8>) {
        (self.format, self.picture) = (format, picture)
        pitch = format.width + 2
        pixels = OwnedMemory(uninitialized: 2 * pitch)
    }

    /// Renders and stores the rows of a range that starts with an even row. `render` stores a row as words with blue in
    /// the lowest byte.
    func store(_ rows: Range<Int>, render: (Int, MutableMemoryView<UInt8>) -> Void) {
        for upper in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
            for row in upper..<min(upper + 2, rows.upperBound) {
                let line = line(row - upper)
                render(row, line.rebound(to: UInt8.self))
                let (first, last) = (line[0], line[format.width - 1])
                (line[-1], line[format.width]) = (first, last)
                unsafe storeVideoLuma(
                    line.pointer(format.width), count: format.width,
                    into: (picture + row * format.stride).pointer(format.width))
            }
            storeChroma(upper / 2, upper: line(0), lower: line(upper + 1 < rows.upperBound ? 1 : 0))
        }
    }

    private func line(_ index: Int) -> MutableMemoryView<UInt32> { pixels.view + (index * pitch + 1) }

    private func storeChroma(_ row: Int, upper: MutableMemoryView<UInt32>, lower: MutableMemoryView<UInt32>) {
        let (count, offsets) = (format.chromaWidth, format.chromaOffsets)
        let blue = picture + (offsets.blue + row * format.chromaStride)
        let red = picture + (offsets.red + row * format.chromaStride)
        unsafe storeVideoChroma(
            upper.pointer(-1..<2 * count), lower.pointer(-1..<2 * count), count: count,
            blueDifference: blue.pointer(count), redDifference: red.pointer(count))
    }
}
