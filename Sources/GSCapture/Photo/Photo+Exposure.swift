internal import RawImage

extension Photo {
    /// Index of the photo's exposure in the bracket, from 0; 0 outside a bracket. Nil for the fused photo of a bracket,
    /// and for photos without metadata, such as failed ones.
    public var exposureIndex: Int? {
        guard let capture = metadata?.capture, !capture.isBracket else { return nil }
        return capture.exposure
    }
}
