/// The values of PhotometricInterpretation (tag 262) that this module uses.
enum Photometric {
    static let gray: UInt16 = 1
    static let rgb: UInt16 = 2
    static let yCbCr: UInt16 = 6
    static let cfa: UInt16 = 32803
    static let linearRaw: UInt16 = 34892
    static let depth: UInt16 = 51177
    static let mask: UInt16 = 52527
}
