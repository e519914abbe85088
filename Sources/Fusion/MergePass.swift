internal import Kernels
internal import RawImage

/// Merges one aligned frame into the sums, block by block; a block shares one shift.
struct MergePass {
    let format: MosaicFormat
    let field: MotionField
    let reference: GreyPyramid.Plane
    let frame: GreyPyramid.Plane
    /// The noise of a difference of the two grey planes.
    let noise: NoiseProfile
    let black: [Float]
    let gain: Float

    /// Quads to the side of a block: small enough that neighbours' shifts differ by little.
    private static let block = 16

    private var columns: Int { (reference.width + Self.block - 1) / Self.block }
    private var rows: Int { (reference.height + Self.block - 1) / Self.block }

    /// A block's quads and its shift, split into whole quads and the rest.
    private struct Block {
        var columns: Range<Int>
        var rows: Range<Int>
        var right: Int
        var down: Int
        var fractionRight: Float
        var fractionDown: Float
    }

    /// The block at a place, cut to where the frame sees it with a margin for interpolation.
    private func block(column: Int, row: Int) -> Block? {
        let centre = (Float(column * Self.block) + 7.5, Float(row * Self.block) + 7.5)
        let shift = field.shift(atColumn: centre.0, row: centre.1)
        let (right, down) = (Int(shift.right.rounded(.down)), Int(shift.down.rounded(.down)))
        let (left, top) = (max(column * Self.block, 1, 1 - right), max(row * Self.block, 1, 1 - down))
        let end = min((column + 1) * Self.block, reference.width - 1, frame.width - 2 - right)
        let bottom = min((row + 1) * Self.block, reference.height - 1, frame.height - 2 - down)
        guard left < end, top < bottom else { return nil }
        return Block(
            columns: left..<end, rows: top..<bottom, right: right, down: down,
            fractionRight: shift.right - Float(right), fractionDown: shift.down - Float(down))
    }

    /// How far each quad can be trusted; quads that the frame does not see get 0. Gives the mean over those it sees.
    func measureTrust(into trust: inout [Float]) -> Float {
        var shares = [(sum: Float, count: Int)](repeating: (0, 0), count: rows)
        unsafe trust.withUnsafeMutableBufferPointer { trust in
            unsafe shares.withUnsafeMutableBufferPointer { shares in
                // Bands write to blocks of their own.
                nonisolated(unsafe) let (trust, shares) = (trust.baseAddress, shares.baseAddress)
                guard let trust = unsafe trust, let shares = unsafe shares else { return }
                concurrentBands(rows: rows, of: 1) { band in
                    for row in band {
                        for column in 0..<columns {
                            guard let block = block(column: column, row: row) else { continue }
                            unsafe shares[row].sum += measure(block, trust)
                            unsafe shares[row].count += block.columns.count * block.rows.count
                        }
                    }
                }
            }
        }
        let count = shares.reduce(0) { $0 + $1.count }
        return count == 0 ? 0 : shares.reduce(0) { $0 + $1.sum } / Float(count)
    }

    private func measure(_ block: Block, _ trust: UnsafeMutablePointer<Float>) -> Float {
        unsafe reference.values.withUnsafeBufferPointer { a in
            unsafe frame.values.withUnsafeBufferPointer { b in
                guard let a = a.baseAddress, let b = b.baseAddress else { return 0 }
                var sum: Float = 0
                for row in block.rows {
                    let here = row * reference.width + block.columns.lowerBound
                    let there = unsafe b + (row + block.down) * frame.width + block.columns.lowerBound + block.right
                    unsafe sum += trustRow(
                        a + here, reference.width, there, there + frame.width, block.fractionRight,
                        block.fractionDown, Float(noise.shot), Float(noise.read), trust + here, block.columns.count)
                }
                return sum
            }
        }
    }

    /// Lowers trust where the pixels themselves disagree with the reference's. `codeNoise` is in codes above zero.
    func doubt(
        _ codes: UnsafePointer<UInt16>, against own: UnsafePointer<UInt16>, codeNoise: NoiseProfile,
        trust: inout [Float]
    ) {
        unsafe trust.withUnsafeMutableBufferPointer { trust in
            // Bands write to blocks of their own.
            nonisolated(unsafe) let (trust, codes, own) = unsafe (trust.baseAddress, codes, own)
            guard let trust = unsafe trust else { return }
            concurrentBands(rows: rows, of: 1) { band in
                for row in band {
                    for column in 0..<columns {
                        guard let block = block(column: column, row: row) else { continue }
                        unsafe doubt(block, codes, own, codeNoise, trust)
                    }
                }
            }
        }
    }

    private func doubt(
        _ block: Block, _ codes: UnsafePointer<UInt16>, _ own: UnsafePointer<UInt16>, _ noise: NoiseProfile,
        _ trust: UnsafeMutablePointer<Float>
    ) {
        let level = black.reduce(0, +) / 4
        for row in block.rows {
            let from =
                unsafe codes + 2 * (row + block.down) * format.stride
                + 2 * (block.columns.lowerBound + block.right)
            let here = unsafe own + 2 * row * format.width + 2 * block.columns.lowerBound
            unsafe doubtRow(
                from, from + format.stride, 2 * format.stride, block.fractionRight, block.fractionDown, here,
                here + format.width, gain, level - level * gain, Float(noise.shot), Float(noise.read),
                trust + row * reference.width + block.columns.lowerBound, block.columns.count)
        }
    }

    /// Adds the frame to the sums where it is trusted.
    func accumulate(
        _ codes: UnsafePointer<UInt16>, trust: [Float], sums: inout [Float], weights: inout [Float]
    ) {
        unsafe sums.withUnsafeMutableBufferPointer { sums in
            unsafe trust.withUnsafeBufferPointer { trust in
                // Bands write to blocks of their own.
                nonisolated(unsafe) let (sums, trust, codes) = unsafe (sums.baseAddress, trust.baseAddress, codes)
                guard let sums = unsafe sums, let trust = unsafe trust else { return }
                concurrentBands(rows: rows, of: 1) { band in
                    for row in band {
                        for column in 0..<columns {
                            guard let block = block(column: column, row: row) else { continue }
                            unsafe add(block, codes, trust, sums)
                        }
                    }
                }
            }
        }
        for index in weights.indices { weights[index] += trust[index] }
    }

    private func add(
        _ block: Block, _ codes: UnsafePointer<UInt16>, _ trust: UnsafePointer<Float>,
        _ sums: UnsafeMutablePointer<Float>
    ) {
        unsafe black.withUnsafeBufferPointer { black in
            guard let black = black.baseAddress else { return }
            for row in block.rows {
                let weights = unsafe trust + row * reference.width + block.columns.lowerBound
                for phase in 0..<2 {
                    let line = 2 * (row + block.down) + phase
                    let from = unsafe codes + line * format.stride + 2 * (block.columns.lowerBound + block.right)
                    let target = unsafe sums + (2 * row + phase) * format.width + 2 * block.columns.lowerBound
                    unsafe accumulateRow(
                        from, 2 * format.stride, block.fractionRight, block.fractionDown, black + 2 * phase, gain,
                        weights, target, block.columns.count)
                }
            }
        }
    }
}
