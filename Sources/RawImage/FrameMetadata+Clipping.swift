extension FrameMetadata {
    /// The lowest code that counts as clipped: 99 % of the way from the highest black level to the white level, because
    /// the saturated codes of real sensors vary slightly. Nil when the levels are invalid.
    package var clippingCode: UInt16? {
        guard problem == nil, let black = blackLevel.max() else { return nil }
        let code = (black + 0.99 * (whiteLevel - black)).rounded(.up)
        return code > 65_535 || code < 1 ? nil : UInt16(code)
    }
}
