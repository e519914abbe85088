/// A curve as a table for kernels: steps grow with the light, as those of a floating-point number do, and values between
/// are interpolated.
///
/// 256 steps to each doubling of the light and 1/256. Each step has its value and the way to the next one's.
struct CurveTable: Sendable {
    /// Values and differences in turn.
    let steps: [Float]
    /// The light of the last step.
    let top: Float

    /// The table of a curve from 0 to 1, or to 1 with some doublings beyond.
    init(doublings: Int = 0, _ curve: (Double) -> Double) {
        let count = (8 + doublings) * 256
        // The light of the top and 1/256 lies within or at the start of one step more.
        let values = (0...count + 2).map { index in
            let light = Float(bitPattern: UInt32(0x3B80_0000 + index << 15))
            return Float(curve(Double(light) - 0x1p-8))
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
