internal import Glibc

/// What each frame of a camera was taken with, where the driver does not say: concluded from the values that were set
/// and from the brightness of the raw data.
///
/// A frame that was read out after a change shows it if at least as many such frames as the delay have gone before;
/// they are counted by the camera's own numbers, so that lost ones count, too. Each delay of exposure and gain that a
/// camera may have is a hypothesis, which predicts the brightness of every frame. Those that have predicted it well are
/// plausible, and a frame has the values about which all plausible ones agree; where they differ, it has none. So no
/// delay needs to be stated, a wrong one does no harm, and one that changes is noticed in the first frame.
package struct ControlHistory: Sendable {
    /// The values that a frame was taken with.
    package struct Values: Sendable, Hashable {
        /// The exposure time in seconds; nil if it is unknown.
        package var exposureTime: Double?
        /// The gain; nil if it is unknown.
        package var gain: Double?
        /// Whether the values are unknown since a change may show or not.
        package var isInferred = false

        /// Creates values.
        package init(exposureTime: Double? = nil, gain: Double? = nil) {
            (self.exposureTime, self.gain) = (exposureTime, gain)
        }
    }

    /// What a frame says about itself.
    package struct Frame: Sendable {
        /// The camera's number of the frame.
        package var number: UInt64
        /// When the readout ended, in nanoseconds.
        package var end: UInt64
        /// The brightness; nil if it is unknown.
        package var brightness: RawBrightness?
        /// Whether frames may have been lost before this one that the camera's numbers do not count.
        package var followsGap = false

        /// Creates a frame.
        package init(number: UInt64, end: UInt64, brightness: RawBrightness? = nil) {
            (self.number, self.end, self.brightness) = (number, end, brightness)
        }
    }

    /// The longest delay of any camera, in frames.
    package static let longestDelay = 7
    /// The difference from the predicted brightness, in EV, from which a frame contradicts a hypothesis.
    private static let contradiction = 0.3
    /// The parts by which a hypothesis's error follows that of a frame: quickly upwards, slowly downwards.
    private static let (rise, fall) = (0.3, 0.03)
    /// How much larger than the smallest error that of a plausible hypothesis is, in EV.
    private static let margin = 0.08

    /// A delay of both values.
    private struct Hypothesis {
        let exposureDelay: Int
        let gainDelay: Int
        /// The error of its predictions in EV, each of which counts as at most 0.6.
        var error = 0.0
        /// The levels of the frames before, divided by exposure time and gain; nil for those that were not
        /// proportional.
        var scene = [Double?](repeating: nil, count: RawBrightness.count)
    }

    private var exposure: Track
    private var gain: Track
    private var hypotheses: [Hypothesis]

    /// Creates the history of a camera that has had these values for long. The delays that its data sheet states, if
    /// any, decide only between hypotheses that are equally good.
    package init(_ values: Values, exposureDelay: Int?, gainDelay: Int?) {
        exposure = Track(base: values.exposureTime)
        gain = Track(base: values.gain)
        hypotheses = (0...Self.longestDelay).flatMap { exposures in
            (0...Self.longestDelay).map { gains in
                let differences = [(exposures, exposureDelay), (gains, gainDelay)].filter { $1 != nil && $0 != $1 }
                return Hypothesis(
                    exposureDelay: exposures, gainDelay: gains, error: 0.3 * Self.margin * Double(differences.count))
            }
        }
    }

    /// The delays in frames that fit best; the shortest of equally good ones.
    package var delays: (exposure: Int, gain: Int) {
        let best = hypotheses.min { $0.error < $1.error }
        return (best?.exposureDelay ?? 0, best?.gainDelay ?? 0)
    }

    /// Records values that were set at a time.
    package mutating func set(_ values: Values, at time: UInt64) {
        if let value = values.exposureTime { exposure.add(value, at: time) }
        if let value = values.gain { gain.add(value, at: time) }
    }

    /// Returns the values of a frame. Called for the frames in their order.
    package mutating func values(of frame: Frame) -> Values {
        exposure.arrive(frame)
        gain.arrive(frame)
        if exposure.isSettled, gain.isSettled {
            let values = Values(exposureTime: exposure.base, gain: gain.base)
            for index in hypotheses.indices { learnScene(index, values, frame) }
            return values
        }
        let options = hypotheses.map { hypothesis in
            Values(
                exposureTime: exposure.value(of: frame, delay: hypothesis.exposureDelay),
                gain: gain.value(of: frame, delay: hypothesis.gainDelay))
        }
        let errors = hypotheses.indices.map { error(of: hypotheses[$0], options[$0], frame) }
        let differ = options.contains { $0 != options[0] }
        if differ, isCounted {
            for index in hypotheses.indices {
                guard let error = errors[index] else { continue }
                let change = min(0.6, error) - hypotheses[index].error
                hypotheses[index].error += (change > 0 ? Self.rise : Self.fall) * change
            }
        }
        // A hypothesis that is contradicted does not take the change for one of the light.
        for index in hypotheses.indices where !differ || (errors[index] ?? 0) < Self.contradiction {
            learnScene(index, options[index], frame)
        }
        return differ ? agreement(options, errors) : options[0]
    }

    /// Whether the camera's numbers count all frames since the changes that may not show yet.
    private var isCounted: Bool { !exposure.hasGap && !gain.hasGap }

    /// Returns the values about which all plausible hypotheses agree.
    private func agreement(_ options: [Values], _ errors: [Double?]) -> Values {
        var inferred = Values()
        inferred.isInferred = true
        let limit = (hypotheses.map(\.error).min() ?? 0) + Self.margin
        var plausible = hypotheses.indices.filter { hypotheses[$0].error <= limit }
        if !isCounted {
            // After frames that nobody has counted, changes show sooner than their delay says.
            let exposures = plausible.map { hypotheses[$0].exposureDelay }.max() ?? 0
            let gains = plausible.map { hypotheses[$0].gainDelay }.max() ?? 0
            plausible = hypotheses.indices.filter {
                hypotheses[$0].exposureDelay <= exposures && hypotheses[$0].gainDelay <= gains
            }
        }
        plausible.removeAll { (errors[$0] ?? 0) >= Self.contradiction }
        guard let first = plausible.first, plausible.allSatisfy({ options[$0] == options[first] }) else {
            return inferred
        }
        return options[first]
    }

    // MARK: - Brightness

    /// How far the brightness is from the predicted one, in EV: the median of the levels that are proportional to the
    /// exposure in the frame or in the prediction. Nil if there is none.
    private func error(of hypothesis: Hypothesis, _ values: Values, _ frame: Frame) -> Double? {
        guard let brightness = frame.brightness, let light = values.light else { return nil }
        let range = RawBrightness.proportional
        func limited(_ level: Double) -> Double { min(max(level, range.lowerBound), range.upperBound) }
        let errors = zip(brightness.levels, hypothesis.scene).compactMap { level, scene -> Double? in
            guard let predicted = scene.map({ $0 * light }), range.contains(predicted) || range.contains(level) else {
                return nil
            }
            return abs(log2(limited(level) / limited(predicted)))
        }.sorted()
        return errors.isEmpty ? nil : errors[errors.count / 2]
    }

    private mutating func learnScene(_ index: Int, _ values: Values, _ frame: Frame) {
        guard let brightness = frame.brightness, let light = values.light else { return }
        for (level, signal) in brightness.levels.enumerated() where RawBrightness.proportional.contains(signal) {
            hypotheses[index].scene[level] = signal / light
        }
    }
}

extension ControlHistory.Values {
    /// The product of exposure time and gain; nil if it is unknown.
    fileprivate var light: Double? { exposureTime.map { $0 * (gain ?? 1) }.flatMap { $0 > 0 ? $0 : nil } }
}

/// The changes of one value.
private struct Track: Sendable {
    private struct Change {
        let value: Double
        let time: UInt64
        /// The number of the first frame that was read out later; nil until it has come.
        var first: UInt64?
        /// Whether frames may have been lost since then that nobody has counted.
        var hasGap = false

        func age(_ frame: ControlHistory.Frame) -> Int {
            first.map { Int(clamping: frame.number) - Int(clamping: $0) } ?? -1
        }
    }

    /// The value before the changes.
    private(set) var base: Double?
    private var changes: [Change] = []

    init(base: Double?) { self.base = base }

    mutating func add(_ value: Double, at time: UInt64) {
        // A change to the same value shows nothing.
        if (changes.last?.value ?? base) != value { changes.append(Change(value: value, time: time)) }
    }

    /// Records a frame, and drops the changes that all later frames show.
    mutating func arrive(_ frame: ControlHistory.Frame) {
        for index in changes.indices {
            if frame.followsGap, changes[index].first != nil { changes[index].hasGap = true }
            if changes[index].first == nil, changes[index].time <= frame.end { changes[index].first = frame.number }
        }
        while let change = changes.first, change.age(frame) > ControlHistory.longestDelay {
            base = change.value
            changes.removeFirst()
        }
    }

    /// Whether all frames show all changes.
    var isSettled: Bool { changes.isEmpty }

    /// Whether frames may have been lost, uncounted, since a change that may not show yet.
    var hasGap: Bool { changes.contains { $0.hasGap } }

    /// The value of a frame if changes show after a delay.
    func value(of frame: ControlHistory.Frame, delay: Int) -> Double? {
        changes.last { $0.age(frame) >= delay }?.value ?? base
    }
}
