internal import PictureCodecs
internal import RawImage

/// An AVIF file.
struct AVIFFile {
    let job: EncodingJob

    func encode() throws(PictureFileError) -> [UInt8] {
        let encoder = try AVIFEncoder(job)
        job.monitor.finish(steps: job.picture.height / 10)
        try job.monitor.check()
        let file = try encoder.encode()
        job.monitor.finish(steps: job.picture.height)
        guard let levels = job.contentLightLevel else { return file }
        // libavif 0.11 cannot store the content light level, so the property is added here.
        let boxes = try HEIFBoxes(file)
        return try boxes.with([(boxes.mainImage(), .levels(levels))])
    }
}
