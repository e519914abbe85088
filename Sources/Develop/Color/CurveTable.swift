/// A curve tabulated for kernels, with linear interpolation between steps.
///
/// The step size grows with the input like that of a floating-point number: 256 steps per doubling of input + 1/256.
/// Each step holds its value and the difference to the next.
struct CurveTable: Sendable {
    /// Values and differences, interleaved.
    let steps: [Float]
    /// The largest input.
    let top: Float

    /// Tabulates `curve` over the inputs 0 to 2^`doublings`.
    init(doublings: Int = 0, _ curve: (Double) -> Double) {
        let count = (8 + doublings) * 256
        // The index of an input is computed from input + 1/256, so the largest input has an index between `count` and
        // `count` + 1, and two entries beyond `count` are needed.
        let values = (0...count + 2).map { index in
            let input = Float(bitPattern: UInt32(0x3B80_0000 + index << 15))
            return Float(curve(Double(input) - 0x1p-8))
        }
        top = Float(1 << doublings)
        var steps: [Float] = []
        steps.reserveCapacity(2 * count + 4)
        for index in 0...count + 1 {
            steps.append(values[index])
            steps.append(values[index + 1] - values[index])
        }
        self.steps = steps
    }
}
