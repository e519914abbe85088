// Kernels that pack rows of 16-bit codes, the reverse of Unpack.swift. Bits above the layout's depth are dropped.

/// Stores each code as one byte.
package func packBytes(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    for index in 0..<count { target[index] = UInt8(truncatingIfNeeded: source[index]) }
}

/// Stores codes as little-endian 16-bit words, at an address of any alignment.
package func packLittle(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    let words = UnsafeMutableRawPointer(target)
    for index in 0..<count {
        words.storeBytes(of: source[index].littleEndian, toByteOffset: 2 &* index, as: UInt16.self)
    }
}

/// Stores codes as big-endian 16-bit words, at an address of any alignment.
package func packBig(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    let words = UnsafeMutableRawPointer(target)
    for index in 0..<count {
        words.storeBytes(of: source[index].bigEndian, toByteOffset: 2 &* index, as: UInt16.self)
    }
}

/// Packs codes as MIPI CSI-2 RAW10; a last incomplete group is padded with zeros.
package func packMIPI10(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    let groups = count / 4
    for group in 0..<groups {
        let codes = source + 4 &* group
        storeMIPI10(codes[0], codes[1], codes[2], codes[3], target + 5 &* group)
    }
    let rest = source + 4 &* groups
    switch count & 3 {
    case 1: storeMIPI10(rest[0], 0, 0, 0, target + 5 &* groups)
    case 2: storeMIPI10(rest[0], rest[1], 0, 0, target + 5 &* groups)
    case 3: storeMIPI10(rest[0], rest[1], rest[2], 0, target + 5 &* groups)
    default: break
    }
}

@inline(__always)
private func storeMIPI10(_ a: UInt16, _ b: UInt16, _ c: UInt16, _ d: UInt16, _ bytes: UnsafeMutablePointer<UInt8>) {
    bytes[0] = UInt8(truncatingIfNeeded: a >> 2)
    bytes[1] = UInt8(truncatingIfNeeded: b >> 2)
    bytes[2] = UInt8(truncatingIfNeeded: c >> 2)
    bytes[3] = UInt8(truncatingIfNeeded: d >> 2)
    bytes[4] = UInt8(truncatingIfNeeded: a & 3 | (b & 3) << 2 | (c & 3) << 4 | d << 6)
}

/// Packs codes as MIPI CSI-2 RAW12; a last incomplete group is padded with zeros.
package func packMIPI12(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    let groups = count / 2
    for group in 0..<groups {
        storeMIPI12(source[2 &* group], source[2 &* group &+ 1], target + 3 &* group)
    }
    if count & 1 == 1 { storeMIPI12(source[count &- 1], 0, target + 3 &* groups) }
}

@inline(__always)
private func storeMIPI12(_ a: UInt16, _ b: UInt16, _ bytes: UnsafeMutablePointer<UInt8>) {
    bytes[0] = UInt8(truncatingIfNeeded: a >> 4)
    bytes[1] = UInt8(truncatingIfNeeded: b >> 4)
    bytes[2] = UInt8(truncatingIfNeeded: a & 15 | b << 4)
}

/// Packs codes as MIPI CSI-2 RAW14; a last incomplete group is padded with zeros.
package func packMIPI14(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    let groups = count / 4
    for group in 0..<groups {
        let codes = source + 4 &* group
        storeMIPI14(codes[0], codes[1], codes[2], codes[3], target + 7 &* group)
    }
    let rest = source + 4 &* groups
    switch count & 3 {
    case 1: storeMIPI14(rest[0], 0, 0, 0, target + 7 &* groups)
    case 2: storeMIPI14(rest[0], rest[1], 0, 0, target + 7 &* groups)
    case 3: storeMIPI14(rest[0], rest[1], rest[2], 0, target + 7 &* groups)
    default: break
    }
}

@inline(__always)
private func storeMIPI14(_ a: UInt16, _ b: UInt16, _ c: UInt16, _ d: UInt16, _ bytes: UnsafeMutablePointer<UInt8>) {
    bytes[0] = UInt8(truncatingIfNeeded: a >> 6)
    bytes[1] = UInt8(truncatingIfNeeded: b >> 6)
    bytes[2] = UInt8(truncatingIfNeeded: c >> 6)
    bytes[3] = UInt8(truncatingIfNeeded: d >> 6)
    bytes[4] = UInt8(truncatingIfNeeded: a & 63 | b << 6)
    bytes[5] = UInt8(truncatingIfNeeded: b >> 2 & 15 | c << 4)
    bytes[6] = UInt8(truncatingIfNeeded: c >> 4 & 3 | d << 2)
}
