/// How large the super-resolved photo is against the mosaic.
public enum DetailScale: String, Sendable, CaseIterable, Hashable {
    case one = "1"
    case oneAndHalf = "1.5"
    case two = "2"

    /// Pixels of the picture that noise is taken out of, for each of the mosaic's.
    var fineness: Int { self == .one ? 1 : 2 }

    /// So many pixels of the photo as the mosaic's so many give.
    func pixels(_ count: Int) -> Int {
        switch self {
        case .one: count
        case .oneAndHalf: count * 3 / 2
        case .two: count * 2
        }
    }
}
