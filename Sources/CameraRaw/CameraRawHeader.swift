package import RawImage

/// The description of a camera's raw file, read without decoding its codes.
package struct CameraRawHeader: Sendable, Hashable {
    /// The format of the mosaic: the visible area, without masked borders.
    package var format: MosaicFormat
    /// The metadata. The capture time is in the time zone of this machine, since LibRaw knows no zone.
    package var metadata: FrameMetadata
    /// The camera's serial number; empty when unknown.
    package var serial: String
    /// The version of LibRaw that has read the file.
    package var version: String
}
