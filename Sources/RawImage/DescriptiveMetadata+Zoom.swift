extension DescriptiveMetadata {
    /// Returns the description of the part of the picture that a digital zoom by `factor` shows.
    package func zoomed(by factor: Double) -> DescriptiveMetadata {
        guard factor > 1, factor.isFinite else { return self }
        var part = self
        part.focalLengthIn35mm *= factor
        part.digitalZoomRatio *= factor
        return part
    }

    /// The description of the whole picture, without the digital zoom.
    package var ofWholePicture: DescriptiveMetadata {
        guard digitalZoomRatio > 1, digitalZoomRatio.isFinite else { return self }
        var whole = self
        whole.focalLengthIn35mm /= digitalZoomRatio
        whole.digitalZoomRatio = 1
        return whole
    }
}
