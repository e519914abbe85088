internal import GStreamer
internal import RawImage

extension FusionReport {
    /// The name of the structure that contains a fusion report, in frame metadata and in messages.
    private static let structureName = "GscapFusion"
    /// The largest number of frames, and of stages, that are decoded: more than any valid report has.
    private static let maxEntries = 1024

    /// Decodes a report from a structure; returns nil if it is not a fusion report. Missing fields keep their defaults.
    init?(_ structure: Structure?) {
        guard let structure, structure.name == Self.structureName else { return nil }
        self.init()
        frames = structure.structures("frames").prefix(Self.maxEntries).map(Frame.init)
        reference = structure["reference"]?.integer ?? 0
        headroom = structure["headroom"]?.number ?? 0
        effectiveFrames = structure["effective-frames"]?.number ?? 1
        leastEffectiveFrames = structure["least-effective-frames"]?.number ?? 1
        expectedNoiseGain = structure["expected-noise-gain"]?.number ?? 0
        measuredNoiseGain = structure["measured-noise-gain"]?.number
        noiseSource = structure["noise-source"]?.text.flatMap(NoiseSource.init)
        statedNoiseRatio = structure["stated-noise-ratio"]?.number
        repairedPixels = structure["repaired-pixels"]?.integer ?? 0
        superResolvedFraction = structure["super-resolved-fraction"]?.number
        superResolutionScale = structure["super-resolution-scale"]?.number
        denoising = structure["denoising"]?.number
        teleUsedFraction = structure["tele-used-fraction"]?.number
        teleEnlargement = structure["tele-enlargement"]?.number
        for stage in structure.structures("stages").prefix(Self.maxEntries) {
            add(stage["seconds"]?.number ?? 0, to: stage["name"]?.text ?? "")
        }
        let map = EffectiveFramesMap(
            columns: structure["map-columns"]?.integer ?? 0, rows: structure["map-rows"]?.integer ?? 0,
            values: structure.numbers("map")?.map(Float.init) ?? [])
        effectiveFramesMap = map.coarse()
    }

    /// The report as a structure that any language can read. The effective-frames map is downsampled to limit its size.
    var structure: Structure {
        let map = effectiveFramesMap.coarse()
        var structure = Structure(
            Self.structureName,
            [
                "frames": .array(frames.map { .structure($0.structure) }),
                "reference": .int(Int32(clamping: reference)), "used": .int(Int32(clamping: usedFrames)),
                "headroom": .double(headroom), "effective-frames": .double(effectiveFrames),
                "least-effective-frames": .double(leastEffectiveFrames),
                "expected-noise-gain": .double(expectedNoiseGain),
                "repaired-pixels": .int(Int32(clamping: repairedPixels)),
                "stages": .array(
                    stages.map {
                        .structure(Structure("stage", ["name": .string($0.name), "seconds": .double($0.seconds)]))
                    }),
            ])
        structure["measured-noise-gain"] = measuredNoiseGain.map(Value.double)
        structure["noise-source"] = (noiseSource?.rawValue).map(Value.string)
        structure["stated-noise-ratio"] = statedNoiseRatio.map(Value.double)
        structure["super-resolved-fraction"] = superResolvedFraction.map(Value.double)
        structure["super-resolution-scale"] = superResolutionScale.map(Value.double)
        structure["denoising"] = denoising.map(Value.double)
        structure["tele-used-fraction"] = teleUsedFraction.map(Value.double)
        structure["tele-enlargement"] = teleEnlargement.map(Value.double)
        if map.isWhole {
            structure["map-columns"] = .int(Int32(clamping: map.columns))
            structure["map-rows"] = .int(Int32(clamping: map.rows))
            structure["map"] = .numbers(map.values.map(Double.init))
        }
        return structure
    }
}

extension FusionReport.Frame {
    fileprivate init(_ structure: Structure) {
        let motion = structure.numbers("motion") ?? []
        self.init(
            index: structure["index"]?.integer ?? 0, rejection: structure["rejection"]?.text,
            motion: motion.count == 2 ? SIMD2(motion[0], motion[1]) : .zero,
            mergedShare: structure["merged-share"]?.number ?? 0)
    }

    fileprivate var structure: Structure {
        var structure = Structure(
            "frame",
            [
                "index": .int(Int32(clamping: index)), "motion": .numbers([motion.x, motion.y]),
                "merged-share": .double(mergedShare),
            ])
        structure["rejection"] = rejection.map(Value.string)
        return structure
    }
}

extension Structure {
    /// Returns the structures in an array field; empty if the field is missing.
    fileprivate func structures(_ field: String) -> [Structure] {
        (self[field]?.elements ?? []).compactMap { value in
            if case .structure(let structure) = value { structure } else { nil }
        }
    }

    /// Returns the structure in a field; nil if the field is missing or not a structure.
    func structure(_ field: String) -> Structure? {
        if case .structure(let structure)? = self[field] { structure } else { nil }
    }
}
