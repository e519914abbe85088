internal import SimulatedSensor

/// The ranges of the simulated sensor's settings, for the description of its camera.
package enum SensorLimits {
    /// The exposure times in seconds.
    package static let exposureTimes = SensorControls.exposureTimes
    /// The ISO numbers.
    package static let isos = SensorControls.isos
}
