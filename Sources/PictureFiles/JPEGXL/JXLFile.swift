internal import PhotoMetadata
internal import PictureCodecs
internal import RawImage

/// A JPEG XL file.
struct JXLFile {
    let job: EncodingJob

    func encode() throws(GscapError) -> [UInt8] {
        let picture = job.picture
        let encoder = try JXLEncoder(job)
        if let exif = job.exif {
            // An Exif box starts with four bytes: the offset from their end to the TIFF header, here 0.
            try encoder.add(box: "Exif", [0, 0, 0, 0] + exif.bytes)
        }
        if let xmp = job.xmp { try encoder.add(box: "xml ", Array(xmp.text.utf8)) }
        let rows = 0..<picture.height
        switch job.depth {
        case .eight: try encoder.add(picture.bytes(rows), .bytes)
        case .half: try encoder.add(RowFilter.littleEndian(picture.halfBits(rows)), .halves)
        case .ten, .sixteen:
            try encoder.add(RowFilter.littleEndian(picture.codes(rows, maximum: 65_535)), .words)
        }
        job.monitor.finish(steps: picture.height / 10)
        try job.monitor.check()
        let file = try encoder.finish()
        job.monitor.finish(steps: picture.height)
        return file
    }
}
