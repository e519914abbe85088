final class LosslessTiles: TileCompressor {
    init(_ coding: PixelCoding) {}
    func compress(_ tile: TileSamples) throws(DNGError) -> [UInt8] { throw DNGError(.container, "") }
}
