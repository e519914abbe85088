/// Which instant the cameras of a capture aim at, and how far from it a photo is still of the same moment.
enum Simultaneity: Sendable, Hashable {
    /// The instant is that of the primary camera's frame. The nearest frame of a camera is at most half a period away:
    /// its own, or that of the primary camera if that is longer. Periods are in nanoseconds.
    case frame(period: Int64)
    /// The instant is that of the press, because the primary camera has no recent frame. The exposure of a camera's
    /// first frame afterwards begins within a period, so its middle is less than two away.
    case press(period: Int64)

    /// Returns a warning if a photo, `offset` nanoseconds after the instant, is of another moment; otherwise nil.
    func warning(offset: Int64) -> String? {
        let (limit, instant, limitText) =
            switch self {
            case .frame(let period): (period / 2, "that of the primary camera", "half a frame period")
            case .press(let period): (2 * period, "the press", "two frame periods")
            }
        guard offset.magnitude > UInt64(limit) else { return nil }
        let distance = "\(offset.magnitude / 1_000_000) ms \(offset < 0 ? "before" : "after")"
        return "the photo's instant is \(distance) \(instant), more than \(limitText)"
    }
}
