internal import CProcessor
internal import KernelTypes

// Kernels that subtract the reference from a frame that is shifted to a tile's position, on tiles of 32×32 mosaic
// pixels laid out as in TileTransform.swift. A row of codes is split into the values of even and of odd columns, one
// for each Bayer cell.

private typealias Tile = BurstTile

/// Computes the difference between a frame, shifted to a tile's position, and the reference frame, with each colour
/// interpolated from its own samples.
///
/// `codes` points at the Bayer cell before the tile's first one in both directions; `BurstTile.colorBlock` rows and
/// columns are read. `across` and `down` are the weights of four neighbours each, scaled so that interpolated codes
/// plus one of the four `offsets` (one per CFA position) compare with the reference's codes. `scratch` has
/// `BurstTile.subtractRows` rows, for interpolated rows and for rows split into even and odd columns.
package func subtractReferenceTile(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ across: SIMD4<Float>, _ down: SIMD4<Float>,
    _ offsets: SIMD4<Float>, _ reference: UnsafePointer<UInt16>, _ referenceStride: Int,
    _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) {
    let split = SplitRows(scratch, codes, stride, rows: Tile.colorBlock, columns: Tile.colorBlock)
    for line in 0..<Tile.colorBlock {
        let row = split.row(line)
        scratch[2 &* line] = mix(row.even(0), row.even(1), row.even(2), row.even(3), across)
        scratch[2 &* line &+ 1] = mix(row.odd(0), row.odd(1), row.odd(2), row.odd(3), across)
    }
    for parity in 0..<2 {
        let (evenOffset, oddOffset) = (offsets[2 &* parity], offsets[2 &* parity &+ 1])
        let target = tile + 2 &* Tile.planeSide &* parity
        for row in 0..<Tile.planeSide {
            let from = scratch + (4 &* row &+ 2 &* parity)
            let line: Int = (2 &* row &+ parity) &* referenceStride
            gscap_expect(reference + (line &+ prefetchDistance))
            let (evenHere, oddHere) = cells(UnsafeRawPointer(reference + line))
            target[row] = mix(from[0], from[4], from[8], from[12], down) + evenOffset - evenHere
            target[row &+ Tile.planeSide] = mix(from[1], from[5], from[9], from[13], down) + oddOffset - oddHere
        }
    }
}

/// The distance in codes, to the right, from a tile's row to the codes that are prefetched for a later tile: a tile has
/// more rows than the processor's own prefetching can follow.
private var prefetchDistance: Int { 96 }

/// Computes the difference between a frame, shifted to a tile's position, and the reference frame, interpolating all
/// samples as one grey plane. This is right where the white-balanced scene is grey, and preserves fine structure that
/// would alias in the samples of a single colour.
///
/// `codes` points at the pixel before the tile's first one in both directions; 35 rows are read. `gains` and `offsets`,
/// by CFA position counted from `codes`, convert codes to white-balanced linear values; these times `ungains` give the
/// reference's signal, and `blacks` are the black levels of its codes. `scratch` is as for `subtractReferenceTile`.
package func subtractReferenceGreyTile(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ across: SIMD4<Float>, _ down: SIMD4<Float>,
    _ gains: SIMD4<Float>, _ offsets: SIMD4<Float>, _ reference: UnsafePointer<UInt16>, _ referenceStride: Int,
    _ ungains: SIMD4<Float>, _ blacks: SIMD4<Float>, _ tile: UnsafeMutablePointer<SIMD16<Float>>,
    _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) {
    let split = SplitRows(scratch, codes, stride, rows: Tile.greyBlockRows, columns: Tile.greyBlockColumns)
    for parity in 0..<2 {
        let position = 2 &* parity
        let (evenGains, oddGains) = (across * gains[position], across * gains[position &+ 1])
        // The interpolation weights, for an even column, of the samples one before, at, one after and two after it.
        // They include the gains, which alternate between the two colours of the row.
        let forEven = SIMD4(evenGains[0], oddGains[1], evenGains[2], oddGains[3])
        let forOdd = SIMD4(oddGains[0], evenGains[1], oddGains[2], evenGains[3])
        let (evenOffset, oddOffset) = (
            (across[0] + across[2]) * offsets[position] + (across[1] + across[3]) * offsets[position &+ 1],
            (across[1] + across[3]) * offsets[position] + (across[0] + across[2]) * offsets[position &+ 1]
        )
        var line = parity
        while line < Tile.greyBlockRows {
            let row = split.row(line)
            scratch[2 &* line] = mix(row.even(0), row.odd(0), row.even(1), row.odd(1), forEven) + evenOffset
            scratch[2 &* line &+ 1] = mix(row.odd(0), row.even(1), row.odd(1), row.even(2), forOdd) + oddOffset
            line &+= 2
        }
    }
    for line in 0..<Tile.side {
        let position = 2 &* (line & 1)
        let from = scratch + 2 &* line
        let target = tile + (2 &* Tile.planeSide &* (line & 1) &+ line >> 1)
        let (evenHere, oddHere) = cells(UnsafeRawPointer(reference + line &* referenceStride))
        target[0] = mix(from[0], from[2], from[4], from[6], down) * ungains[position] + blacks[position] - evenHere
        target[Tile.planeSide] =
            mix(from[1], from[3], from[5], from[7], down) * ungains[position &+ 1] + blacks[position &+ 1] - oddHere
    }
}

#if WIDEST_VECTORS
    /// Rows of codes, each split when it is used: a vector holds 16 cells, and shuffles of two vectors shift them.
    private struct SplitRows {
        let codes: UnsafePointer<UInt16>
        let stride: Int
        /// The number of cells beyond the first 16.
        let more: Int

        @inline(__always)
        init(
            _: UnsafeMutablePointer<SIMD16<Float>>, _ codes: UnsafePointer<UInt16>, _ stride: Int, rows _: Int,
            columns: Int
        ) {
            (self.codes, self.stride, more) = (codes, stride, columns / 2 &- 16)
        }

        @inline(__always)
        func row(_ line: Int) -> SplitRow {
            let row = codes + line &* stride
            gscap_expect(row + prefetchDistance)
            return SplitRow(first: cells(UnsafeRawPointer(row)), last: cells(UnsafeRawPointer(row + 2 &* more)), more)
        }
    }

    /// The 16 first and the 16 last cells of a row of 18 or 19.
    private struct SplitRow {
        let first: (even: SIMD16<Float>, odd: SIMD16<Float>)
        let last: (even: SIMD16<Float>, odd: SIMD16<Float>)
        let more: Int

        @inline(__always)
        init(
            first: (even: SIMD16<Float>, odd: SIMD16<Float>), last: (even: SIMD16<Float>, odd: SIMD16<Float>),
            _ more: Int
        ) {
            (self.first, self.last, self.more) = (first, last, more)
        }

        /// Returns the values of even columns of 16 cells that start at a position.
        @inline(__always)
        func even(_ position: Int) -> SIMD16<Float> { from(position, first.even, last.even) }

        /// Returns the values of odd columns of 16 cells that start at a position.
        @inline(__always)
        func odd(_ position: Int) -> SIMD16<Float> { from(position, first.odd, last.odd) }

        @inline(__always)
        private func from(_ position: Int, _ a: SIMD16<Float>, _ b: SIMD16<Float>) -> SIMD16<Float> {
            if position == 0 { return a }
            if position == more { return b }
            if more == 2 {
                return SIMD16(
                    a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15],
                    b[14])
            }
            if position == 1 {
                return SIMD16(
                    a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15],
                    b[13])
            }
            return SIMD16(
                a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], b[13], b[14])
        }
    }
#else
    /// Rows of codes that are split into even and odd columns in scratch memory, from which unaligned loads shift them.
    /// All rows are split before any is used, because loading a vector that was just stored in two halves stalls.
    private struct SplitRows {
        private let rows: UnsafeRawPointer

        @inline(__always)
        init(
            _ scratch: UnsafeMutablePointer<SIMD16<Float>>, _ codes: UnsafePointer<UInt16>, _ stride: Int, rows: Int,
            columns: Int
        ) {
            let split = UnsafeMutableRawPointer(scratch + Tile.interpolatedRows)
            for line in 0..<rows {
                let row = codes + line &* stride
                gscap_expect(row + prefetchDistance)
                splitLine(UnsafeRawPointer(row), columns, split + splitBytes &* line)
            }
            self.rows = UnsafeRawPointer(split)
        }

        @inline(__always)
        func row(_ line: Int) -> SplitRow { SplitRow(columns: rows + splitBytes &* line) }
    }

    /// A row that is split into even and odd columns.
    private struct SplitRow {
        let columns: UnsafeRawPointer

        /// Returns the values of even columns of 16 cells that start at a position.
        @inline(__always)
        func even(_ position: Int) -> SIMD16<Float> {
            columns.loadUnaligned(fromByteOffset: 4 &* position, as: SIMD16<Float>.self)
        }

        /// Returns the values of odd columns of 16 cells that start at a position.
        @inline(__always)
        func odd(_ position: Int) -> SIMD16<Float> {
            columns.loadUnaligned(fromByteOffset: halfBytes &+ 4 &* position, as: SIMD16<Float>.self)
        }
    }

    /// The size in bytes of the even columns of a row split by column parity; the odd columns follow them.
    private var halfBytes: Int { 4 &* Tile.splitColumns }
    /// The distance in bytes between rows that are split into even and odd columns.
    private var splitBytes: Int { 2 &* halfBytes }

    /// Splits the Bayer cells of a row, 17 to 24 in `count` codes, into the values of even columns and, behind them,
    /// those of odd columns. The last eight cells may overlap the first 16.
    @inline(__always)
    private func splitLine(_ codes: UnsafeRawPointer, _ count: Int, _ even: UnsafeMutableRawPointer) {
        // The offset in bytes of the last eight cells. It is the same among the codes (two of 16 bits per cell) and in
        // each half (one 32-bit value per cell).
        let lastCells = 2 &* count &- 32
        let odd = even + halfBytes
        let (first, last) = (cells(codes), codes.loadUnaligned(fromByteOffset: lastCells, as: SIMD8<UInt32>.self))
        even.storeBytes(of: first.even, as: SIMD16<Float>.self)
        odd.storeBytes(of: first.odd, as: SIMD16<Float>.self)
        even.storeBytes(of: number(last & 0xFFFF), toByteOffset: lastCells, as: SIMD8<Float>.self)
        odd.storeBytes(of: number(last &>> 16), toByteOffset: lastCells, as: SIMD8<Float>.self)
    }

    /// Converts whole numbers below 2²³ to floats: they become the mantissa of a float with the exponent of 2²³, from
    /// which 2²³ is then subtracted.
    @inline(__always)
    private func number(_ bits: SIMD8<UInt32>) -> SIMD8<Float> {
        unsafeBitCast(bits | 0x4B00_0000, to: SIMD8<Float>.self) - 8_388_608
    }
#endif

/// Returns the weighted sum of four vectors.
@inline(__always)
private func mix(
    _ a: SIMD16<Float>, _ b: SIMD16<Float>, _ c: SIMD16<Float>, _ d: SIMD16<Float>, _ weights: SIMD4<Float>
) -> SIMD16<Float> {
    #if WIDEST_VECTORS
        // Fused multiply-adds round once less than the products and sums of the other copies.
        return (a * weights[0]).addingProduct(b, SIMD16(repeating: weights[1]))
            .addingProduct(c, SIMD16(repeating: weights[2])).addingProduct(d, SIMD16(repeating: weights[3]))
    #else
        let (first, second) = (a * weights[0] + b * weights[1], c * weights[2] + d * weights[3])
        return first + second
    #endif
}

/// Splits 16 Bayer cells of a row of codes into the values of even and of odd columns.
@inline(__always)
func cells(_ codes: UnsafeRawPointer) -> (even: SIMD16<Float>, odd: SIMD16<Float>) {
    let pairs = codes.loadUnaligned(as: SIMD16<UInt32>.self)
    return (
        gscap_floats(unsafeBitCast(pairs & 0xFFFF, to: SIMD16<Int32>.self)),
        gscap_floats(unsafeBitCast(pairs &>> 16, to: SIMD16<Int32>.self))
    )
}
