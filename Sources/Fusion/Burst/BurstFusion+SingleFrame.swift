internal import PixelMemory
public import RawImage

extension BurstFusion {
    /// Returns what the fusion of a burst with this frame alone returns: the frame's codes in 16 bits, with its
    /// isolated bright pixels repaired, and denoised if the options' `denoisesFrameAlone` is set.
    ///
    /// Without denoising, each row is read once and written once, which is much faster than to add a frame and to
    /// finish, and `isCancelled` is polled at the end.
    public static func fuse(
        alone codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata,
        _ options: FusionOptions = FusionOptions(), cores: Int? = nil,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(GscapError) -> (mosaic: Mosaic, report: FusionReport) {
        if let problem = options.problem { throw GscapError(.badOptions, problem) }
        if options.denoisesFrameAlone {
            let fusion = BurstFusion(options, cores: cores, isCancelled: isCancelled)
            try fusion.add(codes, format: format, metadata: metadata)
            return try fusion.finish()
        }
        if let reference = options.reference, reference > 0 {
            throw GscapError(.badOptions, "reference \(reference) is out of range: the burst has 1 frames, from 0")
        }
        try FrameCheck.check(codes, format, metadata)
        let latch = CancelLatch(isCancelled)
        try latch.check()
        var report = FusionReport()
        report.reference = 0
        report.frames = [FusionReport.Frame(index: 0, mergedShare: 1)]
        var metadata = metadata
        let deep = codes.withView { codes in
            let clock = Stopwatch()
            let noise = FrameNoise(codes, format, metadata, cores: cores)
            metadata = noise.applied(to: metadata)
            noise.note(in: &report)
            let deep = repaired(codes, format, metadata, &report, cores: cores)
            report.measuredNoiseGain = NoiseGain.unmerged(codes, format, metadata)
            report.add(clock.seconds, to: "finish")
            return deep
        }
        try latch.check()
        return (try Mosaic(merged: deep, from: format, metadata, report), report)
    }

    /// Returns the codes in 16 bits, without row padding, and notes in the report how many pixels were repaired.
    private static func repaired(
        _ codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, _ report: inout FusionReport,
        cores: Int?
    ) -> [UInt16] {
        var defects = DefectivePixels()
        var deep = [UInt16](fillingLarge: format.width * format.height) { target in
            // Each band writes only its own rows.
            defects = DefectivePixels(alone: codes, format, metadata, cores: cores) { rows in
                Mosaic.deepen(rows, of: codes, format, to: target)
            }
        }
        defects.repair(&deep, format.unpadded(), unit: 1 << (16 - format.bitDepth))
        report.repairedPixels = defects.positions.count
        return deep
    }
}
