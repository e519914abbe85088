package import RawImage

/// The description of a camera's raw file, read without decoding its codes.
package struct CameraRawHeader: Sendable, Hashable {
    /// The format of the mosaic: the visible area, without masked borders.
    package var format: MosaicFormat
    /// The metadata. The time zone of the capture time is unknown, since LibRaw reads none.
    package var metadata: FrameMetadata
    /// The camera's serial number; empty when unknown.
    package var serial: String
    /// The version of LibRaw that has read the file.
    package var version: String
}
