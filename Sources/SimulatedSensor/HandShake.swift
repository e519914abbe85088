internal import Glibc

/// Where the hand has carried the camera at some time: smooth, without jumps, and at rest at time 0.
package struct HandShake: Sendable {
    /// Where the pixel in the frame's middle looks, and how the frame is turned about it.
    package struct Displacement: Sendable, Hashable {
        /// Pixels to the right on the still scene.
        package var right = 0.0
        /// Pixels downwards.
        package var down = 0.0
        /// Radians; a pixel to the right of the middle looks further down.
        package var turn = 0.0
    }

    /// Pixels around the frame that the hand can bring into view.
    let margin: Int
    private let amplitude: Double
    private let turnAmplitude: Double
    /// Two frequencies in hertz for each way of moving.
    private let frequencies: [(slow: Double, fast: Double)]

    /// A hand that moves the picture by up to `amplitude` pixels each way, and turns it so that corners move by a
    /// quarter of that.
    init(amplitude: Double, width: Int, height: Int, seed: UInt64) {
        let (columns, rows) = (Double(width), Double(height))
        self.amplitude = amplitude
        turnAmplitude = amplitude / 2 / (columns * columns + rows * rows).squareRoot()
        margin = Int((amplitude * 1.25).rounded(.up)) + 2
        frequencies = (0..<3).map { (axis: UInt64) in
            let slow = SeededHash.unit(seed, 0x5e_ed00 + axis, 0)
            let fast = SeededHash.unit(seed, 0x5e_ed00 + axis, 1)
            return (0.45 + 0.5 * slow, 2.1 + 1.7 * fast)
        }
    }

    /// The displacement at a time in seconds.
    func displacement(at time: Double) -> Displacement {
        if amplitude == 0 { return Displacement() }
        return Displacement(
            right: amplitude * sway(frequencies[0], time), down: amplitude * sway(frequencies[1], time),
            turn: turnAmplitude * sway(frequencies[2], time))
    }

    private func sway(_ frequency: (slow: Double, fast: Double), _ time: Double) -> Double {
        0.75 * sin(2 * Double.pi * frequency.slow * time) + 0.25 * sin(2 * Double.pi * frequency.fast * time)
    }
}
