internal import PhotoMetadata
internal import PictureCodecs
internal import RawImage

/// A HEIF file with HEVC: the picture, its mattes and depth map as auxiliary images, and a gain map if there is an HDR
/// rendition.
struct HEIFFile {
    let job: EncodingJob

    func encode() throws(GscapError) -> [UInt8] {
        let writer = try HEIFWriter()
        let quality = job.encoding.quality
        let coding = HEIFWriter.Coding(
            bits: job.depth == .ten ? 10 : 8, quality: Int((quality * 100).rounded()), hasFullChroma: quality >= 0.95)
        let map = try job.gainMap()
        let main = try writer.add(
            job.picture, coding, levels: map == nil ? job.contentLightLevel : nil,
            colors: job.encoding.outputProfile.map { .profile($0.bytes) } ?? .codePoints, monitor: job.monitor)
        job.monitor.finish(steps: job.picture.height * (map == nil ? 9 : 7) / 10)
        try job.monitor.check()
        if var exif = job.exif {
            exif.thumbnail = try job.thumbnail?.jpeg()
            try writer.add(exif: exif.bytes, to: main)
        }
        if let xmp = job.xmp { try writer.add(xmp: Array(xmp.text.utf8), to: main) }
        let companions = try addCompanions(to: writer, coding)
        let file = try writer.finish()
        // ISO/IEC 23008-12: the brand heic stands for HEVC's profiles Main and Main Still Picture, with 8 bits and
        // 4:2:0; heix for Main 10 and the format range extensions.
        let isMain = coding.bits == 8 && !coding.hasFullChroma
        var boxes = try HEIFBoxes(file, brand: isMain ? "heic" : "heix")
        // libheif 1.15 stores a wrong size for rotated images, so the rotation is added here.
        for item in [main.identifier] + companions.map(\.identifier) {
            try boxes.add(HEIFBox.turns(from: job.orientation), to: item)
        }
        try boxes.add(companions)
        // Readers without support for code points take the colours from an ICC profile.
        if job.encoding.outputProfile == nil { try boxes.add([.profile(job.profile)], to: main.identifier) }
        if let map {
            job.monitor.finish(steps: job.picture.height * 9 / 10)
            try job.monitor.check()
            try boxes.add(
                map, image: HEIFBoxes(pixels(of: map, coding)), color: job.color, levels: job.contentLightLevel,
                orientation: job.orientation)
        }
        job.monitor.finish(steps: job.picture.height)
        return try boxes.finish()
    }

    /// Encodes the gain map as a file of its own, with at least the quality of mattes.
    private func pixels(of map: GainMap, _ coding: HEIFWriter.Coding) throws(GscapError) -> [UInt8] {
        let writer = try HEIFWriter()
        var coding = coding
        (coding.bits, coding.quality) = (8, max(coding.quality, 90))
        _ = try writer.add(map.picture(), coding, levels: nil, colors: .unspecified, monitor: job.monitor)
        return try writer.finish()
    }

    /// Encodes the mattes and the depth map as images; returns their item IDs and auxiliary types.
    private func addCompanions(
        to writer: HEIFWriter, _ coding: HEIFWriter.Coding
    ) throws(GscapError) -> [HEIFBoxes.Companion] {
        var companions: [HEIFBoxes.Companion] = []
        // Mattes have 8 bits and a quality of at least 90, because exact edges matter more than a small size.
        var coding = coding
        (coding.bits, coding.quality) = (8, max(coding.quality, 90))
        for matte in job.encoding.mattes {
            let item = try writer.add(
                grey: matte.shares.map(UInt16.init), width: matte.width, height: matte.height, coding)
            companions.append(.init(identifier: item.identifier, kind: matte.kind.rawValue))
        }
        if let map = job.encoding.depthMap {
            coding.bits = map.bitDepth == 8 ? 8 : 10
            let codes = map.bitDepth == 8 ? map.codes : map.codes.map { UInt16((Int($0) * 1023 + 32_767) / 65_535) }
            let item = try writer.add(grey: codes, width: map.width, height: map.height, coding)
            companions.append(
                .init(identifier: item.identifier, kind: "urn:mpeg:hevc:2015:auxid:2"))
        }
        return companions
    }
}
