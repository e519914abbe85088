package import GStreamer
internal import PhotoMetadata
package import RawImage

/// The message `photo` of `gscapphotobin`: a photo, or the reason why it failed.
package struct PhotoMessage: Sendable, Hashable {
    /// The capture that the photo belongs to.
    package var captureID: UInt64
    /// The format of the photo, which is the name of its branch.
    package var format: String
    /// The name of the element that made the photo, or failed to.
    package var element: String
    /// The index of the exposure in a bracket, from 0; 0 outside a bracket.
    package var exposure: Int
    /// The file's bytes, or the pixels of an uncompressed photo; nil if the photo failed.
    package var sample: Sample?
    /// The path of the stored file; nil if none was stored.
    package var path: String?
    /// When the photo was taken, and how it was chosen; nil if the photo failed.
    package var receipt: PhotoReceipt?
    /// Why the photo failed; nil if it is there.
    package var error: String?

    /// Decodes an element message's structure; returns nil if it is not the message `photo` of a bin.
    package init?(_ structure: Structure) {
        guard case .photo(let id, let element, _, let error)? = CaptureMessage(structure),
            let format = structure["format"]?.text
        else { return nil }
        captureID = id
        self.format = format
        self.element = element
        self.error = error
        exposure = structure["exposure"]?.integer ?? 0
        sample = structure["sample"]?.sample
        path = structure["path"]?.text
        receipt = structure["receipt"]?.structure.flatMap { PhotoReceipt($0) }
    }
}

extension PhotoReceipt {
    /// Decodes the structure in the field `receipt` of the message; returns nil for any other structure.
    package init?(_ structure: Structure) {
        guard structure.name == "receipt", let id = structure["capture-id"]?.unsigned else { return nil }
        self.init(captureID: id)
        sensorTime = structure["sensor-time"]?.text.flatMap(Self.microseconds)
        sensorRunningTime = structure["sensor-running-time"]?.unsigned
        (lag, age) = (structure["lag"]?.number, structure["age"]?.number)
        exposureLag = structure["exposure-lag"]?.number
        if let index = structure["burst-index"]?.integer, let count = structure["burst-count"]?.integer {
            burst = BurstPlace(
                index: index, count: count, isReference: structure["burst-reference"]?.truth ?? false)
        }
        isSettled = structure["settled"]?.truth
        framesUsed = structure["frames-used"]?.integer ?? 1
        frameNumber = structure["frame-number"]?.unsigned ?? 0
        isChosenBySharpness = structure["sharpness-chosen"]?.truth ?? false
    }
}
