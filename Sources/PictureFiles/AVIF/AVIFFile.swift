internal import RawImage

/// An AVIF file.
struct AVIFFile {
    let job: EncodingJob

    func encode() throws(PictureFileError) -> [UInt8] {
        let encoder = try AVIFEncoder(job)
        job.watch.finish(steps: job.picture.height / 10)
        try job.watch.check()
        let file = try encoder.encode()
        job.watch.finish(steps: job.picture.height)
        guard let levels = job.lightLevels else { return file }
        // libavif 0.11 cannot say how bright a picture gets.
        let boxes = try HEIFBoxes(file)
        return try boxes.with([(boxes.mainImage(), .levels(levels))])
    }
}
