// Fuzz target for the parsers of structured DNG tags (curves, opcode lists, gain maps): Tools/checks/fuzz DNGLook
// SECONDS

internal import DNG
internal import RawImage

/// The tags to fuzz, chosen by the input's first byte: LinearizationTable, ProfileToneCurve, OpcodeList1 to 3,
/// ProfileGainTableMap, ProfileGainTableMap2 and NoiseProfile; with TIFF type and value size in bytes.
private let tags: [(number: UInt16, type: UInt16, size: Int)] = [
    (50712, 3, 2), (50940, 11, 4), (51008, 7, 1), (51009, 7, 1), (51022, 7, 1), (52525, 7, 1), (52544, 7, 1),
    (51041, 12, 8),
]

/// Entry point for libFuzzer: the first byte chooses a tag and the byte order, the rest is the tag's value.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first else { return 0 }
    let tag = tags[Int(choice & 127) % tags.count]
    let contents = file(
        isBigEndian: choice >= 128, tag.number, tag.type, Array(bytes.dropFirst()), size: tag.size)
    guard let file = try? DNGFile(bytes: contents) else { return 0 }
    check(file)
    _ = try? file.mosaic()
    _ = file.verify()
    return 0
}

/// Checks that the metadata of a decoded file is valid, as renderers assume.
private func check(_ file: DNGFile) {
    precondition(file.recipe.gainTableMap?.problem == nil)
    precondition(file.metadata.lens.shading.allSatisfy { $0.problem == nil })
    precondition(file.metadata.lens.warp?.problem == nil)
    precondition(file.metadata.problem == nil)
}

/// Builds a DNG file of one row of two pixels with the given tag; `size` is the tag's value size in bytes.
private func file(isBigEndian: Bool, _ number: UInt16, _ type: UInt16, _ value: [UInt8], size: Int) -> [UInt8] {
    func ordered(_ number: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }
    func short(_ tag: Int, _ value: Int) -> [UInt8] {
        ordered(tag, 2) + ordered(3, 2) + ordered(1, 4) + ordered(value, 2) + [0, 0]
    }
    let shorts = [(256, 2), (257, 1), (258, 8), (259, 1), (262, 32_803), (277, 1), (279, 2)]
    let count = shorts.count + 5
    let end = 8 + 2 + count * 12 + 4
    var entries = shorts.map { short($0.0, $0.1) }
    entries.append(ordered(273, 2) + ordered(4, 2) + ordered(1, 4) + ordered(end, 4))
    entries.append(ordered(33_421, 2) + ordered(3, 2) + ordered(2, 4) + ordered(2, 2) + ordered(2, 2))
    entries.append(ordered(33_422, 2) + ordered(1, 2) + ordered(4, 4) + [0, 1, 1, 2])
    entries.append(ordered(50_706, 2) + ordered(1, 2) + ordered(4, 4) + [1, 7, 1, 0])
    // TIFF stores values of up to 4 bytes in the directory entry itself.
    let values = value.count / size * size
    let inlineOrOffset = values <= 4 ? Array((value + [0, 0, 0, 0]).prefix(4)) : ordered(end + 2, 4)
    entries.append(ordered(Int(number), 2) + ordered(Int(type), 2) + ordered(values / size, 4) + inlineOrOffset)
    let header: [UInt8] = (isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + ordered(42, 2) + ordered(8, 4)
    return header + ordered(count, 2) + entries.flatMap(\.self) + [0, 0, 0, 0, 3, 200] + value
}
