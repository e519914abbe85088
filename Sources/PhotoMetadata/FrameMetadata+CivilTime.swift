package import RawImage

extension FrameMetadata {
    /// The capture time as files store it; nil when unknown.
    package var civilTime: CivilTime? {
        if wallClock == 0 { return nil }
        let offset: Int? =
            switch timeZone {
            case .machine: CivilTime.localOffset(microseconds: wallClock)
            case .offset(let seconds): seconds
            case .unknown: nil
            }
        return CivilTime(microseconds: wallClock, utcOffset: offset)
    }
}
