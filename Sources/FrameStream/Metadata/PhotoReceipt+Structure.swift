package import GStreamer
internal import PhotoMetadata
package import RawImage

extension PhotoReceipt {
    /// The receipt as the structure in the message `photo`.
    package var structure: Structure {
        var structure = Structure("receipt", ["capture-id": .uint64(captureID)])
        structure["sensor-time"] = sensorTimeText.map(Value.string)
        structure["sensor-running-time"] = sensorRunningTime.map(Value.uint64)
        structure["lag"] = lag.map(Value.double)
        structure["exposure-lag"] = exposureLag.map(Value.double)
        structure["age"] = age.map(Value.double)
        structure["settled"] = isSettled.map(Value.boolean)
        structure["frames-used"] = .int(Int32(clamping: framesUsed))
        structure["frame-number"] = .uint64(frameNumber)
        structure["sharpness-chosen"] = .boolean(isChosenBySharpness)
        if let burst {
            structure["burst-index"] = .int(Int32(clamping: burst.index))
            structure["burst-count"] = .int(Int32(clamping: burst.count))
            structure["burst-reference"] = .boolean(burst.isReference)
        }
        return structure
    }
}

extension ElementHandle {
    /// Returns the metadata of a photo that is about to be encoded with its receipt, unless it belongs to no capture.
    package func addingReceipt(to metadata: FrameMetadata?) -> FrameMetadata? {
        guard var metadata, let receipt = PhotoReceipt(metadata, runningTime: runningTime) else { return metadata }
        metadata.receipt = receipt
        return metadata
    }
}
