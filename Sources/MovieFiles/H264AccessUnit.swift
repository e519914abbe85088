internal import PhotoMetadata

/// One encoded picture of an H.264 stream, as movie files store it: each NAL unit behind its length, without the
/// parameter sets, which are in the track's description.
package struct H264AccessUnit: Sendable, Hashable {
    /// The NAL units with their lengths.
    package var bytes: [UInt8] = []
    /// Whether decoding can begin at this picture (IDR).
    package var isKey = false
    /// The parameter sets that precede the picture; nil if there are none.
    package var parameters: H264Parameters?

    /// Reads a byte stream of one access unit (ITU-T H.264, annex B): NAL units behind start codes.
    package init(byteStream: [UInt8]) {
        var sequence: [UInt8]?
        var picture: [UInt8]?
        for unit in Self.units(byteStream) {
            switch byteStream[unit.lowerBound] & 0x1F {
            case 7: sequence = sequence ?? Array(byteStream[unit])
            case 8: picture = picture ?? Array(byteStream[unit])
            case 9: break  // the access unit delimiter, which lengths make superfluous
            case let type:
                if type == 5 { isKey = true }
                bytes += UInt32(clamping: unit.count).bigEndianBytes
                bytes += byteStream[unit]
            }
        }
        if let sequence, let picture { parameters = H264Parameters(sequence: sequence, picture: picture) }
    }

    /// Returns the ranges of the NAL units between the start codes 0 0 1, without the zeros before a start code.
    private static func units(_ bytes: [UInt8]) -> [Range<Int>] {
        var starts: [(code: Int, unit: Int)] = []
        var index = 0
        while index + 2 < bytes.count {
            if bytes[index + 2] > 1 {
                index += 3
            } else if bytes[index] == 0 && bytes[index + 1] == 0 && bytes[index + 2] == 1 {
                starts.append((index, index + 3))
                index += 3
            } else {
                index += 1
            }
        }
        let ends = starts.dropFirst().map(\.code) + [bytes.count]
        return zip(starts, ends).compactMap { start, end in
            var end = end
            while end > start.unit && bytes[end - 1] == 0 { end -= 1 }
            return end > start.unit ? start.unit..<end : nil
        }
    }
}

/// The parameter sets of an H.264 stream.
package struct H264Parameters: Sendable, Hashable {
    /// The sequence parameter set, with its NAL header.
    package var sequence: [UInt8]
    /// The picture parameter set, with its NAL header.
    package var picture: [UInt8]

    /// Creates parameter sets; nil if the sequence parameter set is too short for its profile and level.
    package init?(sequence: [UInt8], picture: [UInt8]) {
        guard sequence.count >= 4, sequence.count <= Int(UInt16.max), picture.count <= Int(UInt16.max) else {
            return nil
        }
        (self.sequence, self.picture) = (sequence, picture)
    }

    /// The AVCDecoderConfigurationRecord (ISO 14496-15), with lengths of four bytes. The profiles from High on also
    /// state the chroma format and the depth: 4:2:0 and 8 bits.
    var configuration: [UInt8] {
        let profile = sequence[1]
        let head: [UInt8] = [1, profile, sequence[2], sequence[3], 0xFF, 0xE1]
        let sets =
            UInt16(sequence.count).bigEndianBytes + sequence + [1] + UInt16(picture.count).bigEndianBytes + picture
        return head + sets + ([100, 110, 122, 144].contains(profile) ? [0xFD, 0xF8, 0xF8, 0] : [])
    }
}
