internal import PhotoMetadata
internal import PictureCodecs
internal import RawImage

/// An AVIF file: the picture, and a gain map if there is an HDR rendition.
struct AVIFFile {
    let job: EncodingJob

    func encode() throws(GscapError) -> [UInt8] {
        let quality = job.encoding.quality
        let coding = AVIFEncoder.Coding(
            bits: job.depth == .ten ? 10 : 8, quality: quality, hasFullChroma: quality >= 0.95)
        let map = try job.gainMap()
        let encoder = try AVIFEncoder(job.picture, coding)
        if let profile = job.encoding.outputProfile?.bytes {
            try encoder.set(profile: profile)
        } else {
            encoder.set(job.color)
        }
        try encoder.set(exif: job.exif?.bytes ?? [], xmp: job.xmp.map { Array($0.text.utf8) } ?? [])
        job.monitor.finish(steps: job.picture.height / 10)
        try job.monitor.check()
        let file = try encoder.encode()
        let levels = job.contentLightLevel
        var boxes = try HEIFBoxes(file)
        // libavif writes either code points or an ICC profile. Readers without support for code points take the colours
        // from the profile.
        if job.encoding.outputProfile == nil { try boxes.add([.profile(job.profile)], to: boxes.mainImage()) }
        if let map {
            job.monitor.finish(steps: job.picture.height * 9 / 10)
            try job.monitor.check()
            // The colours of the map are unspecified, since its values are gains.
            let pixels = try AVIFEncoder(map.picture(), coding.forGains).encode()
            try boxes.add(
                map, image: HEIFBoxes(pixels), color: job.color, levels: levels, orientation: job.orientation)
        } else if let levels {
            // libavif 0.11 cannot store the content light level, so the property is added here.
            try boxes.add([.levels(levels)], to: boxes.mainImage())
        }
        job.monitor.finish(steps: job.picture.height)
        return try boxes.finish()
    }
}
