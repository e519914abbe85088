internal import Glibc

/// Simulated camera shake: a smooth displacement over time, which is zero at time 0.
package struct CameraShake: Sendable {
    /// The displacement of the frame relative to the still scene: a shift, and a rotation about the frame's centre.
    package struct Displacement: Sendable, Hashable {
        /// Shift of the frame to the right over the scene, in pixels.
        package var right = 0.0
        /// Shift of the frame downwards over the scene, in pixels.
        package var down = 0.0
        /// Rotation in radians; when positive, pixels right of the centre show lower parts of the scene.
        package var turn = 0.0
    }

    /// Width of the border around the frame, in pixels, that shake can bring into view.
    let margin: Int
    private let amplitude: Double
    private let turnAmplitude: Double
    /// A low and a high frequency in hertz for each motion: right, down and rotation.
    private let frequencies: [(slow: Double, fast: Double)]

    /// Creates a shake of up to `amplitude` pixels in each direction, with a rotation that moves the corners by up to a
    /// quarter of that. A lens that magnifies by `zoom` shows the shift in as many times the pixels.
    init(amplitude: Double, width: Int, height: Int, zoom: Double, seed: UInt64) {
        let (columns, rows) = (Double(width), Double(height))
        self.amplitude = amplitude * zoom
        turnAmplitude = amplitude / 2 / (columns * columns + rows * rows).squareRoot()
        margin = Int((amplitude * (zoom + 0.25)).rounded(.up)) + 2
        frequencies = (0..<3).map { (axis: UInt64) in
            let slow = SeededHash.unit(seed, 0x5e_ed00 + axis, 0)
            let fast = SeededHash.unit(seed, 0x5e_ed00 + axis, 1)
            return (0.45 + 0.5 * slow, 2.1 + 1.7 * fast)
        }
    }

    /// Returns the displacement at a time in seconds.
    func displacement(at time: Double) -> Displacement {
        if amplitude == 0 { return Displacement() }
        return Displacement(
            right: amplitude * sway(frequencies[0], time), down: amplitude * sway(frequencies[1], time),
            turn: turnAmplitude * sway(frequencies[2], time))
    }

    /// Returns the sum of a slow and a fast sine, within -1…1.
    private func sway(_ frequency: (slow: Double, fast: Double), _ time: Double) -> Double {
        0.75 * sin(2 * Double.pi * frequency.slow * time) + 0.25 * sin(2 * Double.pi * frequency.fast * time)
    }
}
