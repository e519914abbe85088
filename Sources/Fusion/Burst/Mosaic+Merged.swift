internal import PixelMemory
internal import RawImage

extension Mosaic {
    /// Creates a fused mosaic of 16 bits, without row padding, from the metadata and the format of the reference frame.
    init(
        merged codes: [UInt16], from format: MosaicFormat, _ metadata: FrameMetadata, _ report: FusionReport
    ) throws(GscapError) {
        let deep = format.unpadded(bitDepth: 16)
        let scale = Double(1 << (16 - format.bitDepth))
        var result = metadata
        result.blackLevel = result.blackLevel.map { $0 * scale }
        result.whiteLevel *= scale
        result.noise = result.noise.map { $0.averaged(over: report.effectiveFrames) }
        result.fusedFrames = report.usedFrames
        // A receipt from the reference frame's file describes that frame, not the fused photo.
        result.receipt = nil
        result.fusion = report
        do throws(GscapError) {
            try self.init(format: deep, metadata: result, codes: codes)
        } catch {
            throw GscapError(.badFrame, error.message)
        }
    }

    /// Copies the rows of a mosaic to `target`, which has 16 bits and no row padding.
    static func deepen(
        _ rows: Range<Int>, of codes: MemoryView<UInt16>, _ format: MosaicFormat, to target: MutableMemoryView<UInt16>
    ) {
        let (width, shift) = (format.width, UInt16(16 - format.bitDepth))
        for row in rows {
            let (source, target) = (codes + row * format.stride, target + row * width)
            for column in 0..<width { target[column] = source[column] &<< shift }
        }
    }
}
