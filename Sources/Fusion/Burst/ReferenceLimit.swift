internal import Demosaic
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Limits how far a merged mosaic is from the reference frame.
///
/// A tile's frequencies are weighted by the noise of its mean signal. Dark print has far less noise than the paper
/// around it, so another frame without the print can pass for noise in every frequency and still lighten the print by
/// many times its own noise. The differences that merging made are therefore compared with the noise of each pixel
/// itself.
struct ReferenceLimit: ~Copyable {
    private let reference: TileSource
    private let noise: CodeNoise
    /// The factor from the reference's codes to those of the merged mosaic.
    private let scale: Float
    private let columns: Int
    private let rows: Int
    /// The energy of each quad of 2×2 pixels, with a margin of one quad on all sides.
    private let energies: ScratchMemory
    /// The sum of the noise variances of each quad's pixels, with the same margin.
    private let variances: ScratchMemory

    /// The largest energies of a quad and of 3×3 quads. The first two hold where the surroundings have the same noise;
    /// noise practically never exceeds them, because each quad where it did would be a dot in a smooth area. The last
    /// two hold beside noisier pixels: noise exceeds them in one of 500 quads and in one of 200 blocks of 3×3.
    private static let limits = SIMD4<Float>(40, 95, 17, 61)

    /// Prepares the limit for a mosaic whose codes are `scale` times those of the reference.
    init(_ reference: TileSource, _ noise: CodeNoise, scale: Float, _ pool: ScratchMemoryPool) {
        (self.reference, self.noise, self.scale) = (reference, noise, scale)
        (columns, rows) = (reference.format.width / 2, reference.format.height / 2)
        energies = pool.take(uninitialized: (columns + 2) * (rows + 2))
        variances = pool.take(uninitialized: (columns + 2) * (rows + 2))
        fillMargins()
    }

    /// The distance between rows of energies and of variances.
    private var stride: Int { columns + 2 }

    /// Gives the quads beyond the mosaic's edges the mean energy of noise.
    private func fillMargins() {
        let (view, quad) = (energies.view, Float(4))
        for column in 0..<stride {
            view[column] = quad
            view[(rows + 1) * stride + column] = quad
        }
        for row in 1...rows {
            view[row * stride] = quad
            view[row * stride + columns + 1] = quad
        }
    }

    /// Measures the energies of rows of quads of the mosaic, whose row 0 is the first of `merged`.
    func measure(_ rows: Range<Int>, of merged: MosaicRows) {
        let black = reference.black * scale
        let (shot, read) = (noise.shot * scale, noise.read * (scale * scale))
        let (width, codeStride) = (2 * columns, reference.format.stride)
        for row in rows {
            let (codes, referenceCodes) = codes(of: row, in: merged)
            unsafe referenceEnergies(
                codes.pointer(columns: width, rows: 2, stride: merged.stride), merged.stride,
                referenceCodes.pointer(columns: width, rows: 2, stride: codeStride), codeStride, columns, scale, black,
                shot, read, (energies.view + (row + 1) * stride + 1).pointer(columns),
                (variances.view + (row + 1) * stride + 1).pointer(columns))
            extendVariances(row)
        }
    }

    /// Moves what exceeds the limit in rows of quads toward the reference. The energies of the rows before and behind
    /// must have been measured.
    func apply(to merged: MosaicRows, _ rows: Range<Int>) {
        let (width, codeStride) = (2 * columns, reference.format.stride)
        for row in rows {
            let (codes, referenceCodes) = codes(of: row, in: merged)
            unsafe approachReference(
                codes.pointer(columns: width, rows: 2, stride: merged.stride), merged.stride,
                referenceCodes.pointer(columns: width, rows: 2, stride: codeStride), codeStride, columns, scale,
                (energies.view + row * stride).pointer(columns: stride, rows: 3, stride: stride),
                (variances.view + row * stride).pointer(columns: stride, rows: 3, stride: stride), stride, Self.limits)
        }
    }

    /// Repeats the variances of a row of quads beyond the mosaic's edges.
    private func extendVariances(_ row: Int) {
        let line = variances.view + (row + 1) * stride
        (line[0], line[columns + 1]) = (line[1], line[columns])
        if row == 0 { (line - stride).update(from: MemoryView(line), count: stride) }
        if row == rows - 1 { (line + stride).update(from: MemoryView(line), count: stride) }
    }

    /// Returns the merged codes and the reference's from the first of a row of quads on.
    private func codes(of row: Int, in merged: MosaicRows) -> (MutableMemoryView<UInt16>, MemoryView<UInt16>) {
        (merged.start + 2 * row * merged.stride, reference.codes + 2 * row * reference.format.stride)
    }
}
