/// The usual time between the frames of a camera, by which losses show that the camera's numbers do not count: some
/// drivers number only the frames that they deliver.
package struct FramePace: Sendable {
    private var last: UInt64?
    private var intervals: [UInt64] = []

    /// The number of intervals whose median is the usual time.
    private static let span = 9
    /// The part of the usual time by which a frame may be late.
    private static let tolerance = 1.6

    /// Creates the pace of a camera that has delivered no frame.
    package init() {}

    /// Records a frame that began at a time in nanoseconds; returns whether frames may have been lost before it.
    package mutating func isGap(before time: UInt64) -> Bool {
        defer { last = time }
        guard let last, time > last else { return false }
        let interval = time - last
        let usual = intervals.sorted().dropFirst(intervals.count / 2).first
        intervals.append(interval)
        if intervals.count > Self.span { intervals.removeFirst() }
        return usual.map { Double(interval) > Self.tolerance * Double($0) } ?? false
    }
}
