/// The size of the super-resolved photo relative to the mosaic.
public enum SuperResolutionScale: String, Sendable, CaseIterable, Hashable {
    case one = "1"
    case oneAndHalf = "1.5"
    case two = "2"

    /// The working resolution in units of the mosaic's: 1.5 is resized from 2.
    var fineness: Int { self == .one ? 1 : 2 }

    /// The size as a number.
    var factor: Double { Double(pixels(2)) / 2 }

    /// Returns the size of the photo for a number of mosaic columns or rows.
    func pixels(_ count: Int) -> Int {
        switch self {
        case .one: count
        case .oneAndHalf: count * 3 / 2
        case .two: count * 2
        }
    }
}
